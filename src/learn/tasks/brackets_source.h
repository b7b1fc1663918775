// Brackets: is a row of brackets balanced? "( ( ) ) = balanced", "( ) ) ( = unbalanced".
#pragma once

#include "learn/tasks/prompt_source.h"

namespace headlight {

/// One row in two is balanced. One in two of the others has as many ")" as "(".
class BracketsSource : public PromptSource {
  public:
    BracketsSource();
    Index most_words() const override;

  protected:
    PromptedWords make(Random& random) const override;
};

/// True if no ")" stands without a "(" before it, and none is left open.
bool is_balanced(std::span<const std::string> brackets);

Recipe brackets_recipe();

}  // namespace headlight
