#include "lecture/check.h"

#include <utility>

#include "core/error.h"
#include "io/text/printable.h"
#include "lecture/page_figure.h"
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
        for (const Directive& directive : page_.directives)
            if (directive.key == "claim") attempt([&] { check_claim(directive); });
        attempt([&] { check_task(); });
        return std::move(checked_);
    }

  private:
    void attempt(const auto& act) {
        try {
            act();
        } catch (const Error& error) {
            checked_.failures.emplace_back(error.what());
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
        static_cast<void>(filled_text(source_, opened_));
    }

    void check_claim(const Directive& directive) {
        ++checked_.n_claims;
        const Expression claim =
            read_expression(directive.value, place_in(source_.name, directive.line));
        const PageScope scope(source_, opened_, {claim});
        if (!holds(claim, scope.scope()))
            fail(directive.line, "the claim does not hold: " + with_values(claim, scope.scope()));
    }

    void check_task() {
        const std::optional<PageTask> task = read_task(page_, source_.name);
        checked_.has_task = task.has_value();
        if (task) static_cast<void>(filled_task(source_, opened_, *task));
        if (!task || task->kind == PageTask::Kind::Choice) return;
        const PageScope scope(source_, opened_, {task->expression});
        if (task->kind != PageTask::Kind::Goal) {
            static_cast<void>(right_answer(*task, scope.scope()));
            return;
        }
        if (holds(task->expression, scope.scope()))
            fail(task->line, "the goal is true before anything is done");
        if (task->solution.empty()) fail(task->line, "the goal has no solution: solution: set …");
        check_solution(*task);
    }

    void check_solution(const PageTask& task) {
        for (const Directive& change : task.solution) {
            try {
                opened_.space->session.apply(
                    {.label = "Solution",
                     .change = [&](Document& document) { change_study(document, change); }});
            } catch (const Error& error) {
                fail(change.line, std::string("the solution cannot be made: ") + error.what());
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
    CheckedPage checked_;
};

}  // namespace

CheckedPage check_page(const PageSource& source, std::size_t page) {
    return Check(source, page).run();
}

}  // namespace headlight
