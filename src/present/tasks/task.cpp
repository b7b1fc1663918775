#include "present/tasks/task.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <fmt/format.h>
#include <utility>

#include "core/error.h"
#include "core/numeric/read_digits.h"
#include "expression/expression_node.h"
#include "present/page/page_document.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace headlight {
namespace {

using Kind = PageTask::Kind;

/// True of a day as "2026-12-01", which sorts as a text.
bool is_day(std::string_view text) {
    constexpr std::string_view kForm = "dddd-dd-dd";
    const auto fits = [](char c, char form) {
        return form == 'd' ? c >= '0' && c <= '9' : c == form;
    };
    if (!std::ranges::equal(text, kForm, fits)) return false;
    const auto number = [&](std::size_t at, std::size_t n) {
        int value = 0;
        for (const char digit : text.substr(at, n)) value = 10 * value + (digit - '0');
        return value;
    };
    using namespace std::chrono;
    return year_month_day(year(number(0, 4)), month(static_cast<unsigned>(number(5, 2))),
                          day(static_cast<unsigned>(number(8, 2))))
        .ok();
}

/// Reads the directives of one page's task.
class TaskReader {
  public:
    TaskReader(const LecturePage& page, const std::string& source_name)
        : page_(page), source_name_(source_name) {}

    std::optional<PageTask> read(Faults* faults) {
        bool is_right = true;
        for (const Directive& directive : page_.directives)
            is_right &= attempt(faults, [&] { take(directive); });
        if (!is_right || !is_there_) return std::nullopt;
        is_right = attempt(faults, [&] { check(); });
        // The rest of the task can be checked before the question is there.
        attempt(faults, [&] {
            if (task_.question.empty()) fail(task_.line, "the task needs its question: task: …");
        });
        return is_right ? std::optional(std::move(task_)) : std::nullopt;
    }

  private:
    [[noreturn]] void fail(int line, const std::string& what) const {
        throw Error({source_name_, line}, what);
    }

    void check() const {
        if (!has_kind_)
            fail(task_.line, "the task needs choices, or one of predict, order and goal");
        if (task_.kind == Kind::Choice) {
            const auto n_right = std::ranges::count(task_.choices, true, &TaskChoice::is_right);
            if (n_right == 0) fail(task_.line, "none of the choices is right; use right: …");
            if (task_.choices.size() < 2) fail(task_.line, "one choice is no choice");
        }
        if (task_.kind == Kind::Goal && task_.cover == PageTask::Cover::On)
            fail(task_.line, "a goal is reached by what is seen; leave cover: on out");
        if (!task_.solution.empty() && task_.kind != Kind::Goal)
            fail(task_.solution.front().line, "a solution belongs to a goal");
    }

    void take(const Directive& directive) {
        const std::string& key = directive.key;
        if (key == "task") {
            if (!task_.question.empty()) fail(directive.line, "a page has one task");
            task_.question = directive.value;
        } else if (key == "choice" || key == "right") {
            begin(Kind::Choice, directive);
            task_.choices.push_back(
                {.text = directive.value, .is_right = key == "right", .line = directive.line});
        } else if (key == "predict") {
            take_expression(Kind::Predict, directive);
        } else if (key == "order") {
            take_expression(Kind::Order, directive);
        } else if (key == "goal") {
            take_expression(Kind::Goal, directive);
        } else if (key == "within") {
            const auto within = answered_number(directive.value);
            if (!within || !(*within >= 0)) fail(directive.line, "within: is a number from 0");
            task_.within = *within;
        } else if (key == "cover") {
            if (directive.value != "on" && directive.value != "off")
                fail(directive.line, "cover: is on or off");
            task_.cover = directive.value == "on" ? PageTask::Cover::On : PageTask::Cover::Off;
        } else if (key == "hint") {
            task_.hints.push_back({directive.value, directive.line});
        } else if (key == "solution") {
            take_solution(directive);
        } else if (key == "answer-from") {
            if (!is_day(directive.value))
                fail(directive.line, "answer-from: is a day, such as 2026-12-01");
            task_.answer_from = directive.value;
        } else {
            return;
        }
        is_there_ = true;
        if (task_.line == 0 || key == "task") task_.line = directive.line;
    }

    void begin(Kind kind, const Directive& directive) {
        if (has_kind_ && (task_.kind != kind || kind != Kind::Choice))
            fail(directive.line, "a page has one task of one kind");
        task_.kind = kind;
        has_kind_ = true;
    }

    void take_expression(Kind kind, const Directive& directive) {
        begin(kind, directive);
        task_.expression =
            read_expression(directive.value, ErrorPlace{source_name_, directive.line});
    }

    void take_solution(const Directive& directive) {
        const std::string_view value = directive.value;
        const std::size_t blank = std::min(value.find(' '), value.size());
        Directive change{std::string(value.substr(0, blank)),
                         std::string(trimmed(value.substr(blank))), directive.line};
        if (!changes_study(change.key))
            fail(directive.line,
                 "a solution is set, text, source, target, ablate or change, "
                 "and what it is");
        task_.solution.push_back(std::move(change));
    }

    const LecturePage& page_;
    const std::string& source_name_;
    PageTask task_;
    bool is_there_ = false, has_kind_ = false;
};

std::vector<std::string> split_names(const std::string& text) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        names.emplace_back(trimmed(std::string_view(text).substr(at, comma - at)));
        at = comma + 1;
    }
    return names;
}

/// Returns the columns of a row, the largest first.
std::vector<Eigen::Index> sorted_columns(const NumberMatrix& row) {
    std::vector<Eigen::Index> order(static_cast<std::size_t>(row.size()));
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<Eigen::Index>(k);
    std::ranges::stable_sort(order,
                             [&](Eigen::Index a, Eigen::Index b) { return row(0, a) > row(0, b); });
    return order;
}

Verdict verdict(bool is_right) {
    return is_right ? Verdict{Verdict::Is::Right, "Right."}
                    : Verdict{Verdict::Is::Wrong, "Not so."};
}

[[noreturn]] void fail_value(const PageTask& task, const std::string& what) {
    ExpressionPlace{task.expression.where, task.expression.text}.fail(what);
}

void check_predicted(const PageTask& task, const Value& value) {
    if (value.is_text()) return;
    if (!value.is_number())
        fail_value(task,
                   "what is predicted is one number or one name, such as pattern[it, cat] or "
                   "argmax(pattern[it]); this is " +
                       kind_text(value));
    if (!std::isfinite(value.number()))
        fail_value(task, "nobody can predict a number that is not finite");
}

void check_ordered(const PageTask& task, const Value& value) {
    const bool is_row = value.of == Value::Of::Numbers && value.shape != Value::Shape::Single &&
                        value.numbers.rows() == 1 && value.numbers.cols() > 1;
    if (!is_row)
        fail_value(task,
                   "what is put in order is a row or a column of two or more numbers, such "
                   "as pattern[it]; this is " +
                       kind_text(value));
    if (!value.numbers.allFinite()) fail_value(task, "numbers that are not finite have no order");
}

std::string shown_value(const PageTask& task, const Value& value) {
    return value_text(value, "", task.expression.where);
}

std::string in_lower_case(const std::string& text) {
    return find_invalid_utf8(text) ? text : lower_case(text);
}

/// True if "cleo" means Cleo, unless one of `names` differs only in its case: A and a are two
/// letters.
bool is_name_meant(const Value& name, const std::string& answer, const auto& names) {
    if (are_same_name(name, text_value(answer))) return true;
    const Value low = text_value(in_lower_case(name.text), name.occurrence);
    if (!are_same_name(low, text_value(in_lower_case(answer)))) return false;
    return std::ranges::none_of(names, [&](const std::string& other) {
        return other != name.text && in_lower_case(other) == low.text;
    });
}

Verdict judge_prediction(const PageTask& task, const std::string& answer, const Value& value,
                         const Plan& plan) {
    if (!value.is_number()) {
        std::vector<std::string> names;  // of all words and nodes of the study, and its vocabulary
        for (const ItemList& list : plan.lists)
            if (list.names) names.insert(names.end(), list.names->begin(), list.names->end());
        return verdict(is_name_meant(value, std::string(trimmed(answer)), names));
    }
    const auto number = answered_number(answer);
    if (!number) return {Verdict::Is::Unreadable, "The answer is a number, such as 0.25 or 25 %."};
    if (are_within(*number, value.number(), task.within))
        return {Verdict::Is::Right, fmt::format("Right: it is {}.", shown_value(task, value))};
    return {Verdict::Is::Wrong, *number < value.number() ? "It is more." : "It is less."};
}

/// Names of equal values can stand in either order.
Verdict judge_order(const std::string& answer, const Value& row) {
    const std::vector<std::string> names = split_names(answer);
    const Eigen::Index n = row.numbers.cols();
    if (static_cast<Eigen::Index>(names.size()) != n)
        return {Verdict::Is::Unreadable, fmt::format("Name all {}, with commas between them.", n)};
    std::vector<bool> is_used(names.size());
    for (std::size_t k = 0; k < names.size(); ++k) {
        Eigen::Index at = 0;
        while (at < n && (is_used[std::size_t(at)] ||
                          !is_name_meant(name_in_row(row, at), names[k], row.column_names)))
            ++at;
        if (at == n)
            return {Verdict::Is::Unreadable,
                    fmt::format("“{}” is none of them, or there twice.", names[k])};
        is_used[std::size_t(at)] = true;
        const auto larger = [&](Eigen::Index j) {
            return !is_used[std::size_t(j)] && row.numbers(0, j) > row.numbers(0, at);
        };
        for (Eigen::Index j = 0; j < n; ++j)
            if (larger(j))
                return {Verdict::Is::Wrong, fmt::format("“{}” is not the next one.", names[k])};
    }
    return verdict(true);
}

}  // namespace

std::optional<double> answered_number(std::string_view text) {
    std::string with_points(trimmed(text));
    const bool is_percentage = with_points.ends_with('%');
    if (is_percentage) {
        with_points.pop_back();
        with_points = trimmed(with_points);
    }
    std::ranges::replace(with_points, ',', '.');
    double number = 0;
    const char* end = with_points.data() + with_points.size();
    const auto [rest, failure] = read_digits(with_points.data(), end, number);
    if (failure != std::errc() || rest != end) return std::nullopt;
    return is_percentage ? number / 100 : number;
}

std::optional<PageTask> read_task(const LecturePage& page, const std::string& source_name,
                                  Faults* faults) {
    return TaskReader(page, source_name).read(faults);
}

bool may_show_answer(const PageTask& task, std::string_view day) {
    return task.answer_from <= day;
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    return fmt::format("{:04}-{:02}-{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday);
}

bool covers_matrix(const PageTask& task) {
    const bool asks_to_predict = task.kind == Kind::Predict || task.kind == Kind::Order;
    return task.cover == PageTask::Cover::On ||
           (task.cover == PageTask::Cover::Usual && asks_to_predict);
}

Value asked_value(const PageTask& task, const ExpressionScope& scope) {
    Value value = evaluate(task.expression, scope);
    if (task.kind == Kind::Predict) check_predicted(task, value);
    if (task.kind == Kind::Order) check_ordered(task, value);
    return value;
}

Verdict judge(const PageTask& task, const std::string& answer, const ExpressionScope& scope) {
    if (task.kind == Kind::Choice) {
        const auto chosen = std::ranges::find(task.choices, answer, &TaskChoice::text);
        if (chosen == task.choices.end()) return {Verdict::Is::Unreadable, "Choose one of them."};
        return verdict(chosen->is_right);
    }
    if (task.kind == Kind::Goal)
        return holds(task.expression, scope) ? Verdict{Verdict::Is::Right, "Reached."}
                                             : Verdict{Verdict::Is::Wrong, "Not yet."};
    const Value value = asked_value(task, scope);
    return task.kind == Kind::Order ? judge_order(answer, value)
                                    : judge_prediction(task, answer, value, scope.a.trace.plan());
}

std::string right_answer(const PageTask& task, const ExpressionScope& scope) {
    std::string text;
    const auto add = [&](const std::string& more) { append_part(text, ", ", more); };
    if (task.kind == Kind::Goal) return text;
    if (task.kind == Kind::Choice) {
        for (const TaskChoice& choice : task.choices)
            if (choice.is_right) add(choice.text);
        return text;
    }
    const Value value = asked_value(task, scope);
    if (task.kind == Kind::Predict) return shown_value(task, value);
    for (const Eigen::Index column : sorted_columns(value.numbers))
        add(name_in_row(value, column).text);
    return text;
}

namespace {

/// Returns all parts of a task's text, in the order of the page.
std::vector<PageText*> parts_of_task(TaskText& text) {
    std::vector<PageText*> parts{&text.question};
    for (PageText& choice : text.choices) parts.push_back(&choice);
    for (PageText& hint : text.hints) parts.push_back(&hint);
    return parts;
}

/// Values are bold in a text. Among choices that would tell which of them was computed, and that is
/// often the right one.
void make_choices_alike(TaskText& text) {
    using Kind = TextSpan::Kind;
    for (PageText& choice : text.choices)
        for (TextBlock& block : choice.blocks)
            for (TextSpan& span : block.spans)
                if (span.kind == Kind::Value) span.kind = Kind::Words;
}

}  // namespace

TaskText read_task_text(const PageTask& task, const std::string& source_name, Faults* faults) {
    TaskText text{.question = read_page_text(task.question, source_name, {task.line}, faults)};
    for (TextBlock& block : text.question.blocks)
        for (TextSpan& span : block.spans) span.is_bold = true;
    for (const TaskChoice& choice : task.choices)
        text.choices.push_back(read_page_text(choice.text, source_name, {choice.line}, faults));
    for (const TaskHint& hint : task.hints)
        text.hints.push_back(read_page_text(hint.text, source_name, {hint.line}, faults));
    return text;
}

std::vector<Expression> expressions_in(const TaskText& text) {
    TaskText copy = text;
    std::vector<Expression> all;
    for (const PageText* part : parts_of_task(copy))
        for (Expression& expression : expressions_in(*part)) all.push_back(std::move(expression));
    return all;
}

TaskText fill(TaskText text, const ExpressionScope& scope, Faults* faults) {
    for (PageText* part : parts_of_task(text)) *part = fill(std::move(*part), scope, faults);
    make_choices_alike(text);
    return text;
}

TaskText without_values(TaskText text) {
    for (PageText* part : parts_of_task(text)) *part = without_values(std::move(*part));
    make_choices_alike(text);
    return text;
}

std::vector<PageText> names_to_order(const PageTask& task, const ExpressionScope& scope) {
    const Value row = asked_value(task, scope);
    std::vector<PageText> names;
    for (Eigen::Index k = 0; k < row.numbers.cols(); ++k)
        names.push_back(plain_words(name_in_row(row, k).text));
    return names;
}

PageText plain_words(std::string words) {
    TextSpan span;
    span.text = std::move(words);
    TextBlock block;
    block.spans.push_back(std::move(span));
    return {{std::move(block)}};
}

}  // namespace headlight
