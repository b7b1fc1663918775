// "Who is it?": which noun of a sentence its pronoun stands for.
#pragma once

#include "learn/sequence_task.h"
#include "learn/tasks/who_grammar.h"

namespace headlight {

class WhoSource : public SequenceSource {
  public:
    const std::vector<std::string>& vocabulary() const override { return grammar_.vocabulary(); }
    Index most_words() const override;
    SequenceExample draw(Random& random) const override;
    std::vector<SequenceExample> held_out() const override;
    Readout readout() const override { return Readout::Pronoun; }

    const WhoGrammar& grammar() const { return grammar_; }
    /// A sentence, and that noun of its vocabulary which is right.
    SequenceExample example(const std::vector<std::string>& words, const std::string& right) const;

  private:
    Index find_row(const std::string& word) const;
    WhoSentence draw_short(Random& random, WhoPart part) const;

    WhoGrammar grammar_;
};

Document who_study(LastLayer last_layer);

}  // namespace headlight
