// The names that expressions of a page can use: those of its study, of B, of the page before; and
// the words that stand on the page in place of values that cannot be given now, with the reasons.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expression/expression.h"
#include "present/lecture.h"
#include "present/page/page_text.h"
#include "present/page/page_view.h"
#include "present/tasks/task.h"

namespace headlight {

class PageScope {
  public:
    /// Watches what the expressions read, of the page before as well, and evaluates it. A live page
    /// is taken as far as it is computed, once all of that is watched. Throws Error if there are
    /// expressions and the page shows no study, or one that cannot be computed.
    PageScope(const PageSource& source, OpenPage& page, const std::vector<Expression>& expressions);
    /// Makes the scope of the page as it is now, with what a scope before this one has evaluated;
    /// the empty scope without a study. Throws Error if the study cannot be computed.
    explicit PageScope(const OpenPage& page);
    PageScope(const PageScope&) = delete;
    PageScope& operator=(const PageScope&) = delete;

    const ExpressionScope& scope() const { return *scope_; }

  private:
    void add_before(const OpenPage& page);

    std::optional<ExpressionSide> side_b_, side_before_;
    std::optional<ExpressionScope> scope_;
};

/// Evaluates what the expressions read of the page before, if they read it, so that a scope of the
/// page as it is now has it. Does nothing where a study cannot be computed.
void evaluate_before(const PageSource& source, OpenPage& page,
                     const std::vector<Expression>& expressions);

/// Returns a scope in which nothing has a name: choices are judged in it.
ExpressionScope empty_scope();

/// Returns the scope of only a workspace, as it is now; `b` gets that of what it is compared with.
/// Throws Error if the study cannot be computed.
ExpressionScope workspace_scope(const Workspace& space, std::optional<ExpressionSide>& b);

/// Explains why there is no value to a reader of the page: without the place in the file, and what
/// could be written there instead.
std::string why_missing(const Error& error);

/// Returns "— has no value now: …", with each reason once; "" without faults. In a study as the
/// page opens it the text is wrong, and the reasons keep their places in it.
struct StudyNow {
    bool is_changed = false;  // since the page opened it
};
std::string missing_values_words(const Faults& faults, const StudyNow& study);

/// Returns the text, and below it a line of warning; the same text if the warning is empty.
PageText with_warning(PageText text, const std::string& warning);

/// Explains why the task's question has no answer now; "" if it has one.
std::string why_no_answer(const PageSource& source, OpenPage& page, const PageTask& task);

/// Returns the words of the task in that case. A reason that the page's warning gives is not given
/// again.
std::string no_answer_words(const std::string& why, const std::string& warning);

}  // namespace headlight
