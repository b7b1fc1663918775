// The names that expressions of a page can use: of its study, of B, of the page before.
#pragma once

#include <optional>
#include <vector>

#include "expression/expression.h"
#include "lecture/page/page_view.h"

namespace headlight {

/// Throws Error if there are expressions and the page shows no study, or one that cannot be
/// computed. Watches what they read, and evaluates it.
class PageScope {
  public:
    PageScope(const PageSource& source, OpenPage& page, std::vector<Expression> expressions);

    const ExpressionScope& scope() const { return *scope_; }

  private:
    std::unique_ptr<Workspace> before_;
    std::optional<ExpressionSide> side_b_, side_before_;
    std::optional<ExpressionScope> scope_;
};

/// One in which nothing has a name: choices are judged in it.
ExpressionScope empty_scope();

/// The scope of a workspace alone, as it is now; `b` gets that of what it is compared with. Throws
/// Error if the study cannot be computed.
ExpressionScope workspace_scope(const Workspace& space, std::optional<ExpressionSide>& b);

/// That of an open page as it is now; the empty one without a study. Throws Error as above.
ExpressionScope scope_now(const OpenPage& page, std::optional<ExpressionSide>& b);

}  // namespace headlight
