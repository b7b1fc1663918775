// Addition: two numbers and their sum, digit by digit. "4 7 + 3 8 = 5 8 ." is 47 + 38 = 85.
#pragma once

#include "learn/tasks/prompt_source.h"

namespace headlight {

/// The digits of the sum are written from the ones on, so that each needs only what was said.
class AdditionSource : public PromptSource {
  public:
    AdditionSource();
    Index most_words() const override;

    /// Returns the words of that sum.
    static PromptedWords sum(Index a, Index b);

  protected:
    PromptedWords make(Random& random) const override;
};

Recipe addition_recipe();

}  // namespace headlight
