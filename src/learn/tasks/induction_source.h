// Induction: random words, pieces of which are said again.
//
// The word that followed another one the first time follows it again. The distance to it changes
// from piece to piece, so that positions say nothing without the words.
#pragma once

#include "learn/tasks/prompt_source.h"

namespace headlight {

/// Every word is said once or twice. The words of a piece are asked for, except its first.
class InductionSource : public PromptSource {
  public:
    InductionSource();
    Index most_words() const override;

  protected:
    PromptedWords make(Random& random) const override;
};

Recipe induction_recipe();
/// Makes the recipe of a network with one layer.
Recipe one_layer_recipe();

}  // namespace headlight
