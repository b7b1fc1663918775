#include "present/answers.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "core/error.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"
#include "model/evaluate.h"
#include "present/page/page_figure.h"
#include "present/page/page_scope.h"
#include "present/tasks/goal.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::size_t kMostChangeBytes = 256'000;

/// Answers come from anywhere: one must not keep the others waiting, nor end the program.
void check_size(const Document& changed, const Document& written) {
    const char* problem = "cannot be computed";
    try {
        const auto planned = plan(changed);
        problem = "is too large to be judged";
        check_bounds(*planned, bounds_of_changes(*plan(written)));
    } catch (const Error& error) {
        throw Error("answer", "its study {}: {}", problem, error.problem());
    }
}

/// Judges the answers of all students to one page, as the lecture has it written.
class PageGrader {
  public:
    PageGrader(const PageSource& source, std::size_t page, PageTask task)
        : source_(source), page_(page), task_(std::move(task)) {
        open_.index = page;
        try {
            open_ = open_page(source_, page_, space_);
        } catch (const Error& error) {
            // Choices are judged without the study.
            if (task_.kind != PageTask::Kind::Choice) problem_ = error;
        }
    }

    GradedTask begin() {
        GradedTask graded{.page = answer_name(source_.lecture, page_),
                          .question = task_.question,
                          .right = task_.expression.text};
        try {
            words_ = words_of_task();
            graded.question = plain_text(words_.question);
            if (task_.kind == PageTask::Kind::Goal || problem_) return graded;
            const PageScope scope = make_scope();
            graded.right = in_words(right_answer(task_, scope.scope()));
        } catch (const Error& error) {
            problem_ = error;
        }
        return graded;
    }

    /// Returns why no answer to the page can be judged; nothing if they can.
    const std::optional<Error>& problem() const { return problem_; }

    /// Returns a choice as it is read on the page, and other answers as they were given.
    std::string in_words(const std::string& answer) const {
        for (std::size_t k = 0; k < words_.choices.size() && k < task_.choices.size(); ++k)
            if (task_.choices[k].text == answer) return plain_text(words_.choices[k]);
        return answer;
    }

    /// Throws Error if it cannot be judged, or no answer can.
    Verdict judge_one(const GivenAnswer& given) {
        if (problem_) throw Error(*problem_);
        if (!given.problem.empty()) throw Error("answer", given.problem);
        if (task_.kind != PageTask::Kind::Goal) {
            const PageScope scope = make_scope();
            return judge(task_, given.text, scope.scope());
        }
        open_ = open_page(source_, page_, space_);
        if (given.change.size() > kMostChangeBytes)
            throw Error("answer", "its change has {} bytes; at most {} are read",
                        given.change.size(), kMostChangeBytes);
        if (!given.change.empty()) {
            space_.session.apply({.label = "Answer", .change = [&](Document& document) {
                                      change_study(document, {"change", given.change});
                                  }});
            check_size(space_.session.document(), *source_.documents.at(page_));
        }
        const PageScope scope = make_scope();  // evaluates what the goal reads
        return judge_goal(source_, open_, task_);
    }

    bool is_goal() const { return task_.kind == PageTask::Kind::Goal; }

  private:
    /// Where a value cannot be given, the words stay as they are written.
    TaskText words_of_task() {
        try {
            return filled_task(source_, open_, task_);
        } catch (const Error&) {
            return read_task_text(task_, source_.name);
        }
    }
    PageScope make_scope() {
        if (task_.kind == PageTask::Kind::Choice) return {source_, open_, {}};
        return {source_, open_, {task_.expression}};
    }

    const PageSource& source_;
    std::size_t page_;
    PageTask task_;
    TaskText words_;
    Workspace space_{no_study(), {}};
    OpenPage open_;
    std::optional<Error> problem_;
};

void note_unknown(const PageSource& source, const std::vector<AnswerSheet>& sheets,
                  std::vector<std::string>& notes) {
    std::set<std::string> known;
    for (std::size_t k = 0; k < source.lecture.pages.size(); ++k)
        known.insert(answer_name(source.lecture, k));
    constexpr std::size_t kMostSaid = 5;
    std::vector<std::string> unknown;
    for (const AnswerSheet& sheet : sheets)
        for (const auto& [page, given] : sheet.answers)
            if (known.insert(page).second) unknown.push_back(in_quotes(page));
    if (!unknown.empty())
        notes.push_back(fmt::format("the lecture has no page {}; answers to it are left out",
                                    joined_few(unknown, kMostSaid)));
}

constexpr const char* kNotJudged = "cannot be judged";
enum class Judged { Right, Wrong, NotAtAll };

/// Returns the words for the table: the answer on one line, and a remark if it was shown before.
std::string given_words(const GivenAnswer& given, bool is_goal, Judged judged) {
    const bool is_text = !is_goal && given.problem.empty();
    std::string words = is_text                      ? printable(given.text)
                        : judged == Judged::Right    ? "reached"
                        : judged == Judged::NotAtAll ? kNotJudged
                                                     : "not reached";
    if (is_text && judged == Judged::NotAtAll) words += fmt::format(" ({})", kNotJudged);
    return given.is_shown ? words + (is_goal ? " (solution shown)" : " (answer shown)") : words;
}

bool is_changed(const PageSource& source, const OpenPage& page) {
    const std::shared_ptr<const Document> written = source.documents.at(page.index);
    return page.space && written && page.space->session.document() != *written;
}

}  // namespace

PageVerdict judge_on_page(const PageSource& source, const OpenPage& page, const PageTask& task,
                          const std::string& answer) {
    const bool is_asked_of_study =
        task.kind == PageTask::Kind::Predict || task.kind == PageTask::Kind::Order;
    if (!is_asked_of_study || !is_changed(source, page)) {
        const bool is_choice = task.kind == PageTask::Kind::Choice;
        Verdict verdict = judge(task, answer, is_choice ? empty_scope() : PageScope(page).scope());
        return {.counted = verdict, .seen = verdict, .said = verdict.said};
    }
    PageVerdict both;
    try {
        both.seen = judge(task, answer, PageScope(page).scope());
    } catch (const Error& error) {
        both.seen = {Verdict::Is::Unreadable, why_missing(error)};
    }
    both.counted = judge_as_written(source, page.index, task, answer);
    both.said = both.counted.said;
    if (both.counted != both.seen)
        both.said = fmt::format("The page as it is written counts: {} As it is changed here: {}",
                                both.counted.said, both.seen.said);
    return both;
}

Verdict judge_as_written(const PageSource& source, std::size_t page, const PageTask& task,
                         const std::string& answer) {
    return PageGrader(source, page, task).judge_one({answer, {}});
}

std::string answer_name(const Lecture& lecture, std::size_t page) {
    const std::string& title = lecture.pages[page].title;
    const auto before = lecture.pages.begin() + static_cast<std::ptrdiff_t>(page);
    const auto n_before = std::count_if(lecture.pages.begin(), before,
                                        [&](const LecturePage& p) { return p.title == title; });
    return n_before == 0 ? title : fmt::format("{} ({})", title, n_before + 1);
}

std::string write_answers(const AnswerSheet& sheet) {
    std::string json = "{\n  \"headlight-answers\": " + std::to_string(kAnswersVersion) +
                       ",\n  \"lecture\": " + json_string(sheet.lecture) + ",\n  \"answers\": {";
    bool is_first = true;
    for (const auto& [page, given] : sheet.answers) {
        json += fmt::format("{}\n    {}: {{\"answer\": {}", is_first ? "" : ",", json_string(page),
                            json_string(given.text));
        if (!given.change.empty()) json += ", \"change\": " + json_string(given.change);
        if (given.is_shown) json += ", \"shown\": true";
        json += "}";
        is_first = false;
    }
    return json + "\n  }\n}\n";
}

namespace {

/// Another program, or another version of this one, may have written more; that does no harm.
void note_unknown_keys(const JsonView& object, std::initializer_list<std::string_view> known,
                       std::vector<std::string>& notes) {
    object.for_each_member([&](const std::string& key, const JsonView& value) {
        if (is_among(key, known)) return;
        try {
            value.fail("the key {} is not known; it is ignored", in_quotes(key));
        } catch (const Error& error) {
            notes.emplace_back(error.what());
        }
    });
}

GivenAnswer read_answer(const JsonView& answer, std::vector<std::string>& notes) {
    try {
        GivenAnswer given{.text = answer.at("answer").text(), .change = {}};
        if (const auto change = answer.find("change")) given.change = change->text();
        if (const auto shown = answer.find("shown")) given.is_shown = shown->flag();
        note_unknown_keys(answer, {"answer", "change", "shown"}, notes);
        return given;
    } catch (const Error& error) {
        return {.text = {}, .change = {}, .problem = error.without_name()};
    }
}

}  // namespace

AnswerSheet read_answers(std::string_view bytes, const std::string& source_name,
                         std::vector<std::string>& notes) {
    const JsonSource source{source_name, parse_json(bytes, source_name)};
    const JsonView root(source);
    static_cast<void>(root.at("headlight-answers").integer(1, kAnswersVersion));
    AnswerSheet sheet{.lecture = root.at("lecture").text()};
    note_unknown_keys(root, {"headlight-answers", "lecture", "answers"}, notes);
    root.at("answers").for_each_member([&](const std::string& page, const JsonView& answer) {
        sheet.answers.emplace(page, read_answer(answer, notes));
    });
    return sheet;
}

int GradedTask::count_right() const {
    return static_cast<int>(std::ranges::count(is_right, true));
}

std::vector<std::pair<std::string, int>> GradedTask::histogram() const {
    std::map<std::string, int> counts;
    for (const std::string& answer : given)
        if (!answer.empty()) ++counts[answer];
    std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
    std::ranges::stable_sort(sorted,
                             [](const auto& a, const auto& b) { return a.second > b.second; });
    return sorted;
}

namespace {

/// Explains why one answer cannot be judged. A student's change has no lines that a teacher could
/// read.
std::string why_not_judged(const GivenAnswer& given, const Error& error) {
    if (!given.problem.empty()) return given.problem;
    return ErrorPlace{"", 0, error.place().within}.inside() + error.problem();
}

/// Grades one task with the answers of all students.
GradedTask grade_page(PageGrader& grader, const std::vector<AnswerSheet>& sheets,
                      std::vector<std::string>& notes) {
    GradedTask graded = grader.begin();
    if (grader.problem())
        notes.push_back(
            fmt::format("{}: no answer can be judged: {}", graded.page, grader.problem()->what()));
    for (const AnswerSheet& sheet : sheets) {
        const auto given = sheet.answers.find(graded.page);
        if (given == sheet.answers.end()) {
            graded.given.push_back(sheet.problem);
            graded.is_right.push_back(false);
            continue;
        }
        Judged judged = Judged::NotAtAll;
        try {
            const Verdict verdict = grader.judge_one(given->second);
            judged = verdict.is == Verdict::Is::Right ? Judged::Right : Judged::Wrong;
        } catch (const Error& error) {
            if (!grader.problem())
                notes.push_back(fmt::format("{}{}: the answer cannot be judged: {}",
                                            sheet.file.empty() ? "" : sheet.file + ": ",
                                            graded.page, why_not_judged(given->second, error)));
        }
        GivenAnswer shown = given->second;
        shown.text = grader.in_words(shown.text);
        graded.given.push_back(given_words(shown, grader.is_goal(), judged));
        graded.is_right.push_back(judged == Judged::Right && !given->second.is_shown);
    }
    return graded;
}

/// Makes the entry for a page whose task has lost what it asks for: its answers are there, and none
/// is judged.
GradedTask unreadable_task(const PageSource& source, std::size_t page,
                           const std::vector<AnswerSheet>& sheets) {
    const std::string* question = find_value(source.lecture.pages[page].directives, "task");
    GradedTask graded{.page = answer_name(source.lecture, page),
                      .question = question ? *question : "",
                      .right = {}};
    for (const AnswerSheet& sheet : sheets) {
        const auto given = sheet.answers.find(graded.page);
        const bool is_there = given != sheet.answers.end();
        graded.given.push_back(
            is_there ? given_words(given->second, given->second.text.empty(), Judged::NotAtAll)
                     : sheet.problem);
        graded.is_right.push_back(false);
    }
    return graded;
}

}  // namespace

std::vector<GradedTask> grade(const PageSource& source, const std::vector<AnswerSheet>& sheets,
                              std::vector<std::string>& notes) {
    std::vector<GradedTask> tasks;
    note_unknown(source, sheets, notes);
    for (std::size_t k = 0; k < source.lecture.pages.size(); ++k) {
        Faults faults;
        std::optional<PageTask> task = read_task(source.lecture.pages[k], source.name, &faults);
        for (const Error& fault : faults)
            notes.push_back(fmt::format("{}: {}", answer_name(source.lecture, k), fault.what()));
        if (task) {
            PageGrader grader(source, k, std::move(*task));
            tasks.push_back(grade_page(grader, sheets, notes));
        } else if (!faults.empty()) {
            tasks.push_back(unreadable_task(source, k, sheets));
        }
    }
    return tasks;
}

}  // namespace headlight
