// Induction: random words, pieces of which are said again.
//
// What came after a word the first time comes after it again. How far back that was changes from
// piece to piece, so that positions alone tell nothing.
#pragma once

#include "learn/tasks/prompt_source.h"

namespace headlight {

/// Every word is said once or twice. The words of a piece, but for its first, are asked for.
class InductionSource : public PromptSource {
  public:
    InductionSource();
    Index most_words() const override;

  protected:
    PromptedWords make(Random& random) const override;
};

Recipe induction_recipe();
/// The same with one layer.
Recipe one_layer_recipe();

}  // namespace headlight
