// The task of a page: a question to the students, the rules for judging an answer, its hints and
// solution.
//
// Goals: every answer is judged by the trace, not by a number in the file. Not goals: who answers
// (ui), files of answers (answers.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expression/expression.h"
#include "present/lecture.h"
#include "present/page/page_text.h"

namespace headlight {

struct TaskChoice {
    std::string text;  // as it was written
    bool is_right = false;
    int line = 0;
};

struct TaskHint {
    std::string text;
    int line = 0;
};

struct PageTask {
    enum class Kind {
        Choice,   // one of `choices`
        Predict,  // the value of `expression`: a number, or a name
        Order,    // the names of the row `expression`, the largest first
        Goal,     // `expression` is to become true
    } kind = Kind::Choice;
    std::string question;
    std::vector<TaskChoice> choices = {};
    Expression expression = {};
    double within = 0.05;
    /// Over the matrix, until the answer. Usual: only of predictions.
    enum class Cover { Usual, On, Off } cover = Cover::Usual;
    std::vector<TaskHint> hints = {};
    Directives solution = {};      // changes of the study
    std::string answer_from = {};  // "2026-12-01", the first day of the answer; "": it can be shown
    int line = 0;
};

/// Returns nothing if the page has no task. Throws Error with the line if it has half of one, or of
/// two kinds; with `faults` each of these is added there, and there is no task if more than its
/// question is missing.
std::optional<PageTask> read_task(const LecturePage& page, const std::string& source_name,
                                  Faults* faults = nullptr);

/// True if the answer and the solution can be shown on that day, written as "2026-12-01".
bool may_show_answer(const PageTask& task, std::string_view day);
/// Returns the day, where the program runs.
std::string today();

/// True if the matrix of the page is covered until the answer is right.
bool covers_matrix(const PageTask& task);

/// Returns the value that is asked for. Throws Error, with file and line, unless it is one finite
/// number or a name (predict), or a row of two or more finite numbers (order).
Value asked_value(const PageTask& task, const ExpressionScope& scope);

/// The verdict on an answer. `said` is one sentence for the student, without the right answer.
struct Verdict {
    enum class Is { Wrong, Right, Unreadable } is = Is::Wrong;
    std::string said;

    bool operator==(const Verdict&) const = default;
};
/// Judges an answer, which is a choice's text, a number, a name, or names with commas between them;
/// for a goal it is ignored. The scope is that of the page as it is now. Throws Error as
/// asked_value does.
Verdict judge(const PageTask& task, const std::string& answer, const ExpressionScope& scope);

/// Returns the right answer in words: the right choices, the number, the name, the order; "" for a
/// goal. Throws Error as asked_value does.
std::string right_answer(const PageTask& task, const ExpressionScope& scope);

/// Reads a number that was answered: "0.25", "0,25", "25 %".
std::optional<double> answered_number(std::string_view text);

struct TaskText {
    PageText question;                   // bold
    std::vector<PageText> choices = {};  // in the order of the file; or names to be put in order
    std::vector<PageText> hints = {};
};

/// Throws Error with the line of a part that cannot be read.
TaskText read_task_text(const PageTask& task, const std::string& source_name,
                        Faults* faults = nullptr);

/// Returns the expressions whose values are to be filled in.
std::vector<Expression> expressions_in(const TaskText& text);

/// Puts values in place of expressions, as in the text of a page.
TaskText fill(TaskText text, const ExpressionScope& scope, Faults* faults = nullptr);
TaskText without_values(TaskText text);

/// Returns the names that are to be put in order, as the row has them. Throws Error as asked_value
/// does.
std::vector<PageText> names_to_order(const PageTask& task, const ExpressionScope& scope);

/// Returns words that are no markup, as a text.
PageText plain_words(std::string words);

}  // namespace headlight
