#include "lecture/check.h"

#include <utility>

#include "core/error.h"
#include "io/pictures/figure_text.h"
#include "io/text/printable.h"
#include "lecture/handout.h"
#include "lecture/page_scope.h"
#include "lecture/tasks/task.h"

namespace headlight {
namespace {

class Check {
  public:
    Check(const PageSource& source, std::size_t index)
        : source_(source), index_(index), page_(source.lecture.pages[index]) {}

    CheckedPage run() {
        checked_.title = page_.title;
        attempt([&] { open(); });
        if (!is_open_) return std::move(checked_);
        attempt([&] { check_text(); });
        attempt([&] { read_question(); });
        if (checked_.failures.empty()) attempt([&] { draw(); });
        for (const Directive& directive : page_.directives)
            if (directive.key == "claim") attempt([&] { check_claim(directive); });
        if (task_) attempt([&] { check_task(*task_); });
        return std::move(checked_);
    }

  private:
    void attempt(const auto& act) {
        try {
            act();
        } catch (const Error& error) {
            checked_.failures.push_back(page_error(source_.name, page_, error));
        }
    }
    void fail(int line, const std::string& what) const {
        throw Error(place_in(source_.name, line), what);
    }

    void open() {
        opened_ = open_page(source_, index_, space_);
        checked_.notes = opened_.notes;
        is_open_ = true;
    }

    void check_text() {
        const PageText text = read_page_text(page_.text, source_.name, page_.text_line);
        checked_.n_expressions = static_cast<int>(expressions_in(text).size());
        text_ = filled_text(source_, opened_);
    }

    void read_question() {
        task_ = read_task(page_, source_.name);
        checked_.has_task = task_.has_value();
        if (!task_) return;
        task_text_ = filled_task(source_, opened_, *task_);
    }

    /// The picture of the page, as an export makes it.
    void draw() {
        const PrintedPage page{page_, text_, task_, task_text_, opened_, {}};
        const std::string note = draw_page(source_, page, {}, pango_measure()).note;
        if (!note.empty()) checked_.notes.push_back(note);
    }

    void check_claim(const Directive& directive) {
        ++checked_.n_claims;
        const Expression claim =
            read_expression(directive.value, place_in(source_.name, directive.line));
        const PageScope scope(source_, opened_, {claim});
        if (!holds(claim, scope.scope()))
            fail(directive.line, "the claim does not hold: " + with_values(claim, scope.scope()));
    }

    void check_task(const PageTask& task) {
        if (task.kind == PageTask::Kind::Choice || !opened_.space) return;
        const PageScope scope(source_, opened_, {task.expression});
        if (task.kind != PageTask::Kind::Goal) {
            static_cast<void>(right_answer(task, scope.scope()));
            return;
        }
        if (holds(task.expression, scope.scope()))
            fail(task.line, "the goal is true before anything is done");
        if (task.solution.empty()) fail(task.line, "the goal has no solution: solution: set …");
        check_solution(task);
    }

    void check_solution(const PageTask& task) {
        for (const Directive& change : task.solution) {
            try {
                opened_.space->session.apply(
                    {.label = "Solution",
                     .change = [&](Document& document) { change_study(document, change); }});
            } catch (const Error& error) {
                fail(change.line, "the solution cannot be made: " + said(error));
            }
        }
        const PageScope scope(source_, opened_, {task.expression});
        if (!holds(task.expression, scope.scope()))
            fail(task.solution.front().line,
                 "the solution does not reach the goal " + in_quotes(task.expression.text));
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

std::vector<std::string> check_rest(const PageSource& source) {
    std::vector<std::string> failures;
    const auto attempt = [&](const auto& open) {
        try {
            static_cast<void>(open());
        } catch (const Error& error) {
            failures.emplace_back(error.what());
        }
    };
    const Lecture& lecture = source.lecture;
    attempt([&] { return read_page_text(lecture.text, source.name); });
    for (const auto& [name, text] : lecture.studies)
        if (!is_named_on_a_page(lecture, "study", name) &&
            !is_named_on_a_page(lecture, "with", name))
            attempt([&] { return source.documents.open(name); });
    for (const auto& [name, text] : lecture.curves)
        if (!is_named_on_a_page(lecture, "curve", name))
            attempt([&] { return source.documents.open_curve(name); });
    return failures;
}

CheckedPage check_page(const PageSource& source, std::size_t page) {
    return Check(source, page).run();
}

}  // namespace headlight
