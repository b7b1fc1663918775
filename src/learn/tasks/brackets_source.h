// Brackets: is a row of brackets balanced? "( ( ) ) = balanced", "( ) ) ( = unbalanced".
#pragma once

#include "learn/tasks/prompt_source.h"

namespace headlight {

/// One row in two is balanced. Of the others, one in two has as many ")" as "(".
class BracketsSource : public PromptSource {
  public:
    BracketsSource();
    Index most_words() const override;

  protected:
    PromptedWords make(Random& random) const override;
};

/// No ")" without a "(" before it, and none left open.
bool is_balanced(std::span<const std::string> brackets);

Recipe brackets_recipe();

}  // namespace headlight
