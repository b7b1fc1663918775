// "Who is it?": the task is to find the noun of a sentence that its pronoun stands for.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "learn/random.h"
#include "learn/sequence_task.h"

namespace headlight {

// The grammar of "Who is it?": sentences in which the last adjective decides which noun "it" is.
//
// Goals: every noun pair and every adjective has the same chance on both sides, so that only the
// adjective decides; some pairs are never trained.

using NounPair = std::array<std::string, 2>;

/// A sentence that is given twice: once for each noun that "it" can be.
struct WhoSentence {
    std::array<std::vector<std::string>, 2> words;  // differ in one adjective
    NounPair nouns;
};

/// The kinds of sentences that are drawn.
enum class WhoPart {
    Trained,    // frames and noun pairs of the training
    HeldPairs,  // its frames with pairs that it never has together
    HeldFrames  // frames that it never has, with such pairs
};

class WhoGrammar {
  public:
    /// Reads assets/grammars/who.grammar, which says what its lines mean. Throws Error if a name in
    /// it is unknown.
    WhoGrammar();

    WhoSentence draw(Random& random, WhoPart part) const;

    /// Returns kUnknownWord, then every word that a sentence can have, in order.
    const std::vector<std::string>& vocabulary() const { return vocabulary_; }
    /// True of words that decide or are asked for: they are never left out of a sentence.
    bool is_content(const std::string& word) const;

    /// True of one pair in five, by a checksum, and of the two pairs of the sentences that
    /// everybody knows.
    static bool is_held(const NounPair& nouns);

  private:
    using Words = std::vector<std::string>;
    struct Pair {
        std::array<std::string, 2> nouns;       // groups of nouns
        std::array<std::string, 2> adjectives;  // groups: of the first noun, of the second
    };
    struct Frame {
        std::string pair;
        Words text;
    };
    using Groups = std::vector<std::pair<std::string, std::vector<Words>>>;

    void add_line(const Words& head, std::string_view rest);
    const std::vector<Words>& group(std::string_view name) const;
    void expand(Random& random, const Words& text, const Pair& pair, WhoSentence& sentence) const;
    void collect_vocabulary(std::string_view extra);

    Groups groups_;  // nouns, adjectives and groups of words, by their names
    std::vector<std::pair<std::string, Pair>> pairs_;
    std::vector<Frame> trained_, held_;  // one as often as it weighs
    Words vocabulary_, content_;         // sorted, but for the unknown word
};

class WhoSource : public SequenceSource {
  public:
    const std::vector<std::string>& vocabulary() const override { return grammar_.vocabulary(); }
    Index most_words() const override;
    SequenceExample draw(Random& random) const override;
    std::vector<SequenceExample> held_out() const override;
    const char* held_out_noun() const override { return "sentences with held-out pairs of nouns"; }
    Readout readout() const override { return Readout::Pronoun; }

    const WhoGrammar& grammar() const { return grammar_; }
    /// Makes an example from a sentence, and that noun of its vocabulary which is right.
    SequenceExample example(const std::vector<std::string>& words, const std::string& right) const;

  private:
    Index find_row(const std::string& word) const;
    WhoSentence draw_short(Random& random, WhoPart part) const;

    WhoGrammar grammar_;
};

Document who_study(LastLayer last_layer);

}  // namespace headlight
