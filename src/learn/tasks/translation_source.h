// Translation: English sentences, and what they are in French.
#pragma once

#include "learn/pair_task.h"
#include "learn/tasks/translation_grammar.h"

namespace headlight {

class TranslationSource : public PairSource {
  public:
    const std::vector<std::string>& source_vocabulary() const override {
        return grammar_.english();
    }
    const std::vector<std::string>& target_vocabulary() const override { return grammar_.french(); }
    Index most_source_words() const override;
    Index most_target_words() const override;
    PairExample draw(Random& random) const override;
    std::vector<PairExample> held_out() const override;

    const TranslationGrammar& grammar() const { return grammar_; }
    PairExample example(const TranslatedSentence& sentence) const;

  private:
    TranslationGrammar grammar_;
};

/// Each shows the sentence whose alignment made attention known, which is never trained.
/// [Bahdanau 2015, fig. 3a]
Document recurrent_translation_study(Switch attention);
Document transformer_translation_study();

/// With attention, without it, and as a Transformer.
Recipe translation_recipe();
Recipe blind_translation_recipe();
Recipe transformer_translation_recipe();

}  // namespace headlight
