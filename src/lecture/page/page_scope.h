// The names that expressions of a page can use: those of its study, of B, of the page before.
#pragma once

#include <optional>
#include <vector>

#include "expression/expression.h"
#include "lecture/page/page_view.h"

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

}  // namespace headlight
