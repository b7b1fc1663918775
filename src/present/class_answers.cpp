#include "present/class_answers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <utility>

#include "core/error.h"
#include "figure/number_format.h"
#include "io/files/file.h"
#include "io/files/folder.h"
#include "present/answers.h"
#include "present/page/page_figure.h"
#include "present/page/page_scope.h"
#include "text/strings.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using Kind = PageTask::Kind;

constexpr std::uint64_t kMostTextBytes = 50'000'000;  // of a chat that was saved
constexpr std::string_view kAnswersKey = "\"headlight-answers\"";
/// Other files of a folder are not read, unless they are named.
constexpr std::string_view kTexts[] = {".answers", ".txt", ".md",   ".csv", ".tsv",
                                       ".html",    ".htm", ".json", ".log", ".eml"};

/// Returns the answers of a file of saved answers. Goals are judged anew.
std::vector<ClassAnswer> answers_of_sheet(const PageSource& source, const AnswerSheet& sheet) {
    std::vector<ClassAnswer> answers;
    AnswerSheet goals{.lecture = sheet.lecture, .answers = {}, .file = sheet.file};
    std::map<std::string, std::size_t> goal_pages;
    for (std::size_t page = 0; page < source.lecture.pages.size(); ++page) {
        const std::string name = answer_name(source.lecture, page);
        const auto given = sheet.answers.find(name);
        if (given == sheet.answers.end() || !given->second.problem.empty()) continue;
        Faults faults;
        const auto task = read_task(source.lecture.pages[page], source.name, &faults);
        if (!task) continue;
        const std::string text(trimmed(given->second.text));
        ClassAnswer answer{.page = page, .is_shown = given->second.is_shown};
        if (task->kind == Kind::Choice) {
            const auto chosen =
                std::ranges::find(task->choices, given->second.text, &TaskChoice::text);
            if (chosen == task->choices.end()) continue;
            answer.choice = static_cast<std::size_t>(chosen - task->choices.begin());
        } else if (task->kind == Kind::Goal) {
            goals.answers.insert(*given);
            goal_pages.emplace(name, page);
            continue;
        } else if (text.empty()) {
            continue;
        } else {
            answer.words = text;
            if (task->kind == Kind::Predict) answer.number = answered_number(text);
        }
        answers.push_back(std::move(answer));
    }
    if (goals.answers.empty()) return answers;
    std::vector<std::string> notes;
    for (const GradedTask& graded : grade(source, {goals}, notes)) {
        const auto page = goal_pages.find(graded.page);
        if (page == goal_pages.end()) continue;
        const bool is_shown = goals.answers.at(graded.page).is_shown;
        answers.push_back({.page = page->second,
                           .is_reached = graded.given.front().starts_with("reached"),
                           .is_shown = is_shown});
    }
    return answers;
}

CollectedAnswers collect_file(const PageSource& source, const fs::path& file) {
    CollectedAnswers collected;
    try {
        const std::string bytes = read_file(file, kMostTextBytes);
        const bool is_sheet =
            file.extension() == ".answers" ||
            std::string_view(bytes).substr(0, 100).find(kAnswersKey) != std::string_view::npos;
        if (is_sheet) {
            std::vector<std::string> notes;
            const AnswerSheet sheet = read_answers(bytes, path_text(file), notes);
            if (sheet.lecture != source.lecture.title)
                throw Error(path_text(file), "is of the lecture {}", in_quotes(sheet.lecture));
            collected.answers = answers_of_sheet(source, sheet);
        } else {
            collected = collect_answers(source.lecture, bytes);
        }
        if (collected.has_nothing()) throw Error(path_text(file), "has no answers");
    } catch (const Error& error) {
        collected.problem = error.what();
    }
    collected.file = file.native();
    return collected;
}

std::vector<fs::path> texts_in(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> files;
    for (const fs::path& name : names_in(folder, error))
        if (std::ranges::find(kTexts, name.extension().native()) != std::end(kTexts))
            files.push_back(folder / name);
    if (error) throw Error(path_text(folder), error.message());
    if (files.empty())
        throw Error(path_text(folder), "has no files with answers: *.answers, *.txt, *.csv …");
    std::ranges::sort(files);
    return files;
}

}  // namespace

CollectedAnswers collect_answers(const Lecture& lecture, std::string_view text) {
    using Is = CodeBook::Found::Is;
    CollectedAnswers collected{.text = std::string(trimmed(text))};
    for (CodeBook::Found& found : CodeBook(lecture).find(text)) {
        if (found.is == Is::Answer)
            collected.answers.push_back(std::move(found.answer));
        else
            (found.is == Is::Other ? collected.others : collected.mistyped).push_back(found.code);
    }
    return collected;
}

std::vector<CollectedAnswers> collect_answers(const PageSource& source,
                                              const std::vector<fs::path>& paths) {
    std::vector<CollectedAnswers> collected;
    for (const fs::path& path : paths) {
        std::error_code ignored;
        const bool is_folder = fs::is_directory(path, ignored);
        const std::vector<fs::path> files = is_folder ? texts_in(path) : std::vector{path};
        for (const fs::path& file : files) collected.push_back(collect_file(source, file));
    }
    return collected;
}

std::string not_understood(const std::vector<CollectedAnswers>& collected) {
    constexpr std::size_t kMostNamed = 3;
    std::vector<std::string> others, mistyped, problems;
    for (const CollectedAnswers& part : collected) {
        others.insert(others.end(), part.others.begin(), part.others.end());
        mistyped.insert(mistyped.end(), part.mistyped.begin(), part.mistyped.end());
        if (!part.problem.empty()) problems.push_back(part.problem);
    }
    std::string words;
    if (!others.empty())
        words = fmt::format(
            "{} of another lecture or question",
            others.size() == 1 ? "1 code is" : fmt::format("{} codes are", others.size()));
    if (!mistyped.empty())
        append_part(
            words, "; ",
            fmt::format(
                "{} a typing error: {}",
                mistyped.size() == 1 ? "1 code has" : fmt::format("{} codes have", mistyped.size()),
                joined_few(mistyped, kMostNamed)));
    if (!problems.empty()) append_part(words, "; ", joined_few(problems, kMostNamed));
    return words;
}

namespace {

/// True if all of a text is in the other. One code by itself may be another student's.
bool is_within(const std::string& text, const std::string& other) {
    constexpr std::size_t kOneCode = 16;
    return text.size() > kOneCode && other.find(text) != other.npos;
}

}  // namespace

/// True if a file has all of the text already.
bool ClassAnswers::is_counted(const Source& source) const {
    return std::ranges::any_of(sources_, [&](const Source& before) {
        return !before.file.empty() && before.is_whole && is_within(source.text, before.text);
    });
}

void ClassAnswers::take(const Lecture& lecture, const std::vector<CollectedAnswers>& collected,
                        Pasted pasted) {
    const CodeBook book(lecture);
    for (const CollectedAnswers& part : collected) {
        Source source{.file = part.file, .text = part.text, .given = {}};
        for (const ClassAnswer& answer : part.answers)
            if (const auto question = book.question(answer.page))
                source.given.push_back({answer, *question});
        std::erase_if(sources_, [&](const Source& before) {
            return (!part.file.empty() && before.file == part.file) ||
                   is_within(before.text, part.text);
        });
        if (is_counted(source)) continue;
        if (part.file.empty() && pasted == Pasted::Replaces)
            for (Source& before : sources_)
                if (before.file.empty())
                    std::erase_if(before.given, [&](const Given& given) {
                        return std::ranges::any_of(source.given, [&](const Given& now) {
                            return now.answer.page == given.answer.page;
                        });
                    });
        sources_.push_back(std::move(source));
    }
    std::erase_if(sources_, [](const Source& source) { return source.given.empty(); });
    ++version_;
}

void ClassAnswers::forget(std::size_t page) {
    for (Source& source : sources_)
        if (std::erase_if(source.given, [&](const Given& g) { return g.answer.page == page; }) > 0)
            source.is_whole = false;  // what it has can be taken in again
    std::erase_if(sources_, [](const Source& source) { return source.given.empty(); });
    ++version_;
}

std::vector<ClassAnswer> ClassAnswers::answers_to(const Lecture& lecture, std::size_t page) const {
    std::vector<ClassAnswer> answers;
    if (sources_.empty()) return answers;
    const auto question = CodeBook(lecture).question(page);
    for (const Source& source : sources_)
        for (const Given& given : source.given)
            if (given.answer.page == page && given.question == question)
                answers.push_back(given.answer);
    return answers;
}

namespace {

constexpr std::size_t kMostValues = 8;  // more different numbers have an axis
constexpr int kColumns = 12;

/// Counts the answers to one page, which is open in a workspace of its own.
class ClassCounter {
  public:
    ClassCounter(const PageSource& source, std::size_t page, PageTask task)
        : source_(source), task_(std::move(task)) {
        open_.index = page;
        try {
            open_ = open_page(source, page, space_);
        } catch (const Error& error) {
            if (task_.kind != Kind::Choice) count_.problem = error.what();
        }
        count_.kind = task_.kind;
        words_ = words_of_task();
        count_.question = words_.question;
    }

    ClassCount count(const std::vector<ClassAnswer>& answers) {
        std::vector<ClassAnswer> counted;
        for (const ClassAnswer& answer : answers)
            if (answer.is_shown)
                ++count_.n_shown;
            else
                counted.push_back(answer);
        count_.n_counted = static_cast<int>(counted.size());
        switch (task_.kind) {
            case Kind::Choice:
                count_choices(counted);
                break;
            case Kind::Goal:
                count_goals(counted);
                break;
            case Kind::Predict:
            case Kind::Order:
                count_by_study(counted);
                break;
        }
        return std::move(count_);
    }

  private:
    /// Where a value cannot be given, the words stay as they are written.
    TaskText words_of_task() {
        try {
            return filled_task(source_, open_, task_);
        } catch (const Error&) {
            return read_task_text(task_, source_.name);
        }
    }

    void add_bar(PageText label, int n, bool is_right) {
        count_.bars.push_back({std::move(label), n, is_right, is_right ? n : 0});
    }

    void count_choices(const std::vector<ClassAnswer>& answers) {
        for (std::size_t k = 0; k < task_.choices.size(); ++k) {
            const auto n = static_cast<int>(std::ranges::count(answers, k, &ClassAnswer::choice));
            add_bar(words_.choices[k], n, task_.choices[k].is_right);
            if (!task_.choices[k].is_right) continue;
            count_.n_right += n;
            append_part(count_.right, ", ", plain_text(words_.choices[k]));
        }
    }

    void count_goals(const std::vector<ClassAnswer>& answers) {
        count_.n_right =
            static_cast<int>(std::ranges::count(answers, true, &ClassAnswer::is_reached));
        add_bar(plain_words("reached"), count_.n_right, true);
        add_bar(plain_words("not reached"), count_.n_counted - count_.n_right, false);
        std::vector<double> numbers;
        for (const ClassAnswer& answer : answers)
            if (answer.number) numbers.push_back(*answer.number);
        std::ranges::sort(numbers);
        if (numbers.size() > 1)
            count_.numbers =
                fmt::format("The number of the goal is from {} to {}, and {} in the middle.",
                            short_number(numbers.front()), short_number(numbers.back()),
                            short_number(numbers[numbers.size() / 2]));
    }

    void count_by_study(const std::vector<ClassAnswer>& answers) {
        std::optional<PageScope> scope;
        bool asks_number = std::ranges::all_of(
            answers, [](const ClassAnswer& answer) { return answer.number.has_value(); });
        try {
            if (!count_.problem.empty()) throw Error("page", count_.problem);
            scope.emplace(source_, open_, std::vector{task_.expression});
            const Value asked = asked_value(task_, scope->scope());
            count_.right = right_answer(task_, scope->scope());
            asks_number = asked.is_number();
            if (asks_number) {
                count_.right_number = asked.number();
                count_.within = task_.within;
            }
        } catch (const Error& error) {
            if (count_.problem.empty()) count_.problem = error.what();
            scope.reset();
        }
        asks_number ? count_numbers(answers) : count_words(answers, scope ? &*scope : nullptr);
    }

    struct JudgedNumber {
        double number;
        bool is_right;
    };

    bool is_right(double number, double rounding) const {
        return count_.right_number &&
               are_within(number, *count_.right_number, count_.within + rounding);
    }

    void count_numbers(const std::vector<ClassAnswer>& answers) {
        std::map<std::string, double> values;
        std::vector<JudgedNumber> numbers;
        int n_none = 0;
        for (const ClassAnswer& answer : answers) {
            if (!answer.number) {
                ++n_none;
                continue;
            }
            const bool is_one_right = is_right(*answer.number, answer.rounding);
            numbers.push_back({*answer.number, is_one_right});
            values.emplace(short_number(*answer.number), *answer.number);
            count_.n_right += is_one_right ? 1 : 0;
        }
        std::ranges::sort(numbers, {}, &JudgedNumber::number);
        values.size() <= kMostValues ? add_values(values, answers) : add_columns(numbers);
        if (n_none > 0 && !count_.axis) add_bar(plain_words("no number"), n_none, false);
    }

    void add_values(const std::map<std::string, double>& values,
                    const std::vector<ClassAnswer>& answers) {
        std::vector<std::pair<double, std::string>> sorted;
        for (const auto& [words, number] : values) sorted.emplace_back(number, words);
        std::ranges::sort(sorted);
        for (const auto& [number, words] : sorted) {
            int n = 0;
            bool is_one_right = false;
            for (const ClassAnswer& answer : answers)
                if (answer.number && short_number(*answer.number) == words) {
                    ++n;
                    is_one_right |= is_right(*answer.number, answer.rounding);
                }
            add_bar(plain_words(words), n, is_one_right);
        }
    }

    /// Numbers far from the others have a column at either end.
    void add_columns(const std::vector<JudgedNumber>& numbers) {
        const auto quantile = [&](double q) {
            const auto last = static_cast<double>(numbers.size() - 1);
            return numbers[static_cast<std::size_t>(q * last)].number;
        };
        const double fence = 1.5 * (quantile(0.75) - quantile(0.25));
        const auto is_near = [&](const JudgedNumber& one) {
            return one.number >= quantile(0.25) - fence && one.number <= quantile(0.75) + fence;
        };
        double low = std::ranges::find_if(numbers, is_near)->number;
        double high = std::find_if(numbers.rbegin(), numbers.rend(), is_near)->number;
        if (!(high > low)) low = numbers.front().number, high = numbers.back().number;
        const std::vector<Scalar> marks =
            ticks(static_cast<Scalar>(low), static_cast<Scalar>(high), kColumns);
        const double step =
            marks.size() > 1 ? static_cast<double>(marks[1] - marks[0]) : (high - low) / kColumns;
        add_columns(numbers, {.low = std::floor(low / step + 1e-4) * step, .step = step}, high);
    }

    void add_columns(const std::vector<JudgedNumber>& numbers, ClassCount::Axis axis, double high) {
        const auto place = [&](double number) {
            return static_cast<long>(
                std::clamp(std::floor((number - axis.low) / axis.step + 1e-4), -1e6, 1e6));
        };
        const long n_columns = place(high) + 1;
        const auto edge = [&](long k) { return axis.low + static_cast<double>(k) * axis.step; };
        using Bar = ClassCount::Bar;
        Bar below{plain_words("below " + short_number(edge(0)))},
            above{plain_words(short_number(edge(n_columns)) + " and more")};
        std::vector<Bar> columns;
        for (long k = 0; k < n_columns; ++k) {
            columns.push_back({plain_words(
                fmt::format("{} to {}", short_number(edge(k)), short_number(edge(k + 1))))});
            columns.back().is_right = count_.right_number &&
                                      edge(k) < *count_.right_number + count_.within &&
                                      edge(k + 1) > *count_.right_number - count_.within;
        }
        for (const JudgedNumber& one : numbers) {
            const long at = place(one.number);
            Bar& bar = at < 0            ? below
                       : at >= n_columns ? above
                                         : columns[static_cast<std::size_t>(at)];
            ++bar.n;
            bar.n_right += one.is_right ? 1 : 0;
            bar.is_right |= one.is_right;
        }
        axis.has_below = below.n > 0;
        axis.has_above = above.n > 0;
        if (axis.has_below) count_.bars.push_back(std::move(below));
        std::ranges::move(columns, std::back_inserter(count_.bars));
        if (axis.has_above) count_.bars.push_back(std::move(above));
        count_.axis = axis;
    }

    /// Counts names and orders, the most frequent first; those of the same verdict differ by their
    /// letters.
    void count_words(const std::vector<ClassAnswer>& answers, const PageScope* scope) {
        std::map<std::string, int> counts;
        for (const ClassAnswer& answer : answers) ++counts[answer.words];
        std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
        std::ranges::stable_sort(sorted,
                                 [](const auto& a, const auto& b) { return a.second > b.second; });
        int n_rest = 0;
        for (const auto& [words, n] : sorted) {
            const bool is_one_right =
                scope && judge(task_, words, scope->scope()).is == Verdict::Is::Right;
            if (is_one_right) count_.n_right += n;
            if (count_.bars.size() < kMostValues - 1)
                add_bar(plain_words(printable(words)), n, is_one_right);
            else
                n_rest += n;
        }
        if (n_rest > 0) add_bar(plain_words("other answers"), n_rest, false);
    }

    const PageSource& source_;
    PageTask task_;
    TaskText words_;
    Workspace space_{no_study(), {}};
    OpenPage open_;
    ClassCount count_;
};

}  // namespace

ClassCount count_class(const PageSource& source, std::size_t page,
                       const std::vector<ClassAnswer>& answers) {
    const std::optional<PageTask> task = read_task(source.lecture.pages.at(page), source.name);
    if (!task) throw Error(answer_name(source.lecture, page), "has no task");
    return ClassCounter(source, page, *task).count(answers);
}

std::string short_number(double number) {
    if (number == 0) return "0";
    const double size = std::abs(number);
    const int decimals = 3 - static_cast<int>(std::floor(std::log10(size)));
    std::string text = size < 1e-4 || size >= 1e7
                           ? fmt::format("{:.4g}", size)
                           : fmt::format("{:.{}f}", size, std::max(0, decimals));
    if (text.find('e') == text.npos && text.find('.') != text.npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
    }
    return (number < 0 ? "−" : "") + text;
}

int percentage(int n, int of) {
    return of == 0 ? 0 : static_cast<int>(std::lround(100.0 * n / of));
}

std::string counted_words(const ClassCount& count) {
    std::string words = counted(count.n_counted, "answer");
    if (count.n_shown > 0)
        words += fmt::format("; {} more {} given after the {} was shown and {} not count",
                             count.n_shown, count.n_shown == 1 ? "was" : "were",
                             count.kind == Kind::Goal ? "solution" : "answer",
                             count.n_shown == 1 ? "does" : "do");
    return words;
}

std::string revealed_words(const ClassCount& count) {
    if (!count.problem.empty()) return "The answers cannot be judged: " + count.problem;
    std::string words = fmt::format("{} of {} right", count.n_right, count.n_counted);
    if (count.kind == Kind::Goal) return count.numbers;
    if (count.kind == Kind::Choice) return words;
    words += ". Right: " + count.right;
    if (count.right_number && count.within > 0)
        words += fmt::format(", within {}", short_number(count.within));
    return words;
}

}  // namespace headlight
