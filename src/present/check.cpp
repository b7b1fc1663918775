#include "present/check.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "io/pictures/figure_text.h"
#include "present/file/page_directives.h"
#include "present/handout.h"
#include "present/page/page_scope.h"
#include "present/page/page_text_figure.h"
#include "present/tasks/goal.h"
#include "present/tasks/task.h"
#include "text/strings.h"

namespace headlight {
namespace {

class Check {
  public:
    Check(const PageSource& source, std::size_t index)
        : source_(source), index_(index), page_(source.lecture.pages[index]) {}

    CheckedPage run() {
        checked_.title = page_.title;
        open();
        check_title();
        attempt([&] { check_text(); });
        read_question();
        if (is_open_ && checked_.failures.empty()) attempt([&] { draw(); });
        for (const Directive& directive : page_.directives)
            if (directive.key == "claim") attempt([&] { check_claim(directive); });
        if (task_ && is_open_) check_task(*task_);
        std::ranges::stable_sort(checked_.failures, {},
                                 [](const Error& failure) { return failure.place().line; });
        return std::move(checked_);
    }

  private:
    void attempt(const auto& act) {
        try {
            act();
        } catch (const Error& error) {
            add(error);
        }
    }
    void add(const Error& error) {
        const Error failure = page_error(source_.name, page_, error);
        const auto is_same = [&](const Error& other) {
            return std::string_view(other.what()) == failure.what();
        };
        if (std::ranges::none_of(checked_.failures, is_same)) checked_.failures.push_back(failure);
    }
    void add_all(const Faults& faults) {
        for (const Error& error : faults) add(error);
    }
    void fail(int line, const std::string& what) const { throw Error({source_.name, line}, what); }

    /// Evaluates nothing without the whole study: the result would be wrong only for that reason.
    void open() {
        Faults faults = source_.documents.faults_of(index_);
        const bool has_study = faults.empty();
        if (has_study)
            attempt([&] {
                opened_ = open_page(source_, index_, space_, &faults);
                checked_.notes = opened_.notes;
                is_open_ = true;
            });
        else
            check_directives(source_, index_, &faults);
        add_all(faults);
    }

    /// The title is shown without the page, in the strip and as the next one.
    void check_title() {
        for (const TextSpan& span : title_spans(page_.title)) {
            const std::size_t open = span.text.find('{');
            if (span.kind == TextSpan::Kind::Words &&
                span.text.find('}', open) < page_.title.size())
                checked_.notes.push_back(
                    fmt::format("in the title {} is no value: they are filled in only in texts",
                                in_quotes(span.text.substr(open))));
        }
    }

    void check_text() {
        Faults faults;
        const PageText text = read_page_text(page_.text, source_.name, page_.text_lines, &faults);
        add_all(faults);
        checked_.n_expressions = static_cast<int>(expressions_in(text).size());
        if (!faults.empty() || !is_open_) return check_values({&text});
        try {
            text_ = filled_text(source_, opened_);
        } catch (const Error& error) {
            check_values({&text});
            add(error);  // may belong to no single expression
        }
    }

    /// Checks each value by itself.
    void check_values(const std::vector<const PageText*>& texts) {
        if (!is_open_) return;
        for (const PageText* text : texts)
            for (const TextBlock& block : text->blocks)
                for (const TextSpan& span : block.spans)
                    if (span.expression) attempt([&] { check_value(span); });
    }
    void check_value(const TextSpan& span) {
        const PageScope scope(source_, opened_, {*span.expression});
        TextBlock alone;
        alone.spans.push_back(span);
        static_cast<void>(fill(PageText{{std::move(alone)}}, scope.scope()));
    }

    void read_question() {
        Faults faults;
        task_ = read_task(page_, source_.name, &faults);
        checked_.has_task = task_.has_value();
        if (task_) {
            task_text_ = read_task_text(*task_, source_.name, &faults);
            if (is_open_) fill_question();
        }
        add_all(faults);
    }
    void fill_question() {
        try {
            task_text_ = filled_task(source_, opened_, *task_);
        } catch (const Error& error) {
            std::vector<const PageText*> texts{&task_text_.question};
            for (const PageText& choice : task_text_.choices) texts.push_back(&choice);
            for (const PageText& hint : task_text_.hints) texts.push_back(&hint);
            check_values(texts);
            add(error);
        }
    }

    /// Draws the picture of the page, as an export makes it.
    void draw() {
        const PrintedPage page{page_, text_, task_, task_text_, opened_, {}};
        const std::string note = draw_page(source_, page, {}, pango_measure()).note;
        if (!note.empty()) checked_.notes.push_back(note);
    }

    void check_claim(const Directive& directive) {
        ++checked_.n_claims;
        const Expression claim =
            read_expression(directive.value, ErrorPlace{source_.name, directive.line});
        if (!is_open_) return;
        const PageScope scope(source_, opened_, {claim});
        if (!holds(claim, scope.scope()))
            fail(directive.line, "the claim does not hold: " + with_values(claim, scope.scope()));
    }

    void check_task(const PageTask& task) {
        if (task.kind == PageTask::Kind::Choice || !opened_.space) return;
        bool is_readable = true;
        attempt([&] {
            is_readable = false;
            const PageScope scope(source_, opened_, {task.expression});
            if (task.kind != PageTask::Kind::Goal)
                return static_cast<void>(right_answer(task, scope.scope()));
            const bool is_true = holds(task.expression, scope.scope());
            is_readable = true;
            if (is_true) fail(task.line, "the goal is true before anything is done");
        });
        if (task.kind != PageTask::Kind::Goal || !is_readable) return;
        attempt([&] {
            if (task.solution.empty()) fail(task.line, "the goal has no solution: solution: set …");
            check_solution(task);
        });
    }

    void check_solution(const PageTask& task) {
        bool is_made = true;
        for (const Directive& change : task.solution) is_made &= make_change(change);
        if (!is_made) return;
        const PageScope scope(source_, opened_, {task.expression});
        if (judge_goal(source_, opened_, task).is != Verdict::Is::Right)
            fail(task.solution.front().line,
                 "the solution does not reach the goal " + in_quotes(task.expression.text));
    }
    bool make_change(const Directive& change) {
        try {
            opened_.space->session.apply({.label = "Solution", .change = [&](Document& document) {
                                              change_study(document, change);
                                          }});
            return true;
        } catch (const Error& error) {
            add(Error({source_.name, change.line}, "the solution cannot be made: {}", said(error)));
            return false;
        }
    }

    const PageSource& source_;
    std::size_t index_;
    const LecturePage& page_;
    Workspace space_{no_study(), {}};
    OpenPage opened_;
    bool is_open_ = false;
    PageText text_;  // filled in, as the task's
    std::optional<PageTask> task_;
    TaskText task_text_;
    CheckedPage checked_;
};

bool is_named_on_a_page(const Lecture& lecture, std::string_view key, const std::string& name) {
    for (const LecturePage& page : lecture.pages)
        for (const Directive& directive : page.directives)
            if (directive.key == key && directive.value == name) return true;
    return false;
}

}  // namespace

Faults check_rest(const PageSource& source) {
    Faults failures;
    const auto try_to = [&](const auto& open) {
        attempt(&failures, [&] { static_cast<void>(open()); });
    };
    const Lecture& lecture = source.lecture;
    try_to([&] { return read_page_text(lecture.text, source.name, lecture.text_lines); });
    for (const auto& study : lecture.studies)
        if (!is_named_on_a_page(lecture, "study", study.first) &&
            !is_named_on_a_page(lecture, "with", study.first))
            try_to([&] { return source.documents.open(study.first); });
    for (const auto& curve : lecture.curves)
        if (!is_named_on_a_page(lecture, "curve", curve.first))
            try_to([&] { return source.documents.open_curve(curve.first); });
    return failures;
}

CheckedPage check_page(const PageSource& source, std::size_t page) {
    return Check(source, page).run();
}

}  // namespace headlight
