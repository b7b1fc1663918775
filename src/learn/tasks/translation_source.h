// Translation: English sentences and their translations into French.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "learn/pair_task.h"
#include "learn/random.h"

namespace headlight {

// A grammar of English sentences and their translations into French, word by word.
//
// Goals: gender, elision and the order of adjectives need other words than the one that is
// translated; every French word knows the English word that it comes from.

/// A French word's English word, and others that are right as well: for an article its noun or the
/// first adjective, which decide its form; for "n'" the verb; for "a" of the past the verb.
struct WordSource {
    Index word = 0;
    std::vector<Index> also = {};
};

struct TranslatedSentence {
    std::vector<std::string> english, french;
    std::vector<WordSource> sources;  // one a French word
};

/// Held: sentences in which something is said of a document and an area that are never trained
/// together. "agreement" and "area" are such a pair.
enum class TranslationPart { Trained, Held };

class TranslationGrammar {
  public:
    /// Reads assets/grammars/translation.grammar, which says what its lines mean. Throws Error if a
    /// line is unknown.
    TranslationGrammar();

    /// Draws a sentence of so many clauses, joined by "and"; 0: mostly one, at most four.
    TranslatedSentence draw(Random& random, TranslationPart part, int n_clauses = 0) const;

    /// Returns kUnknownWord, then every word that a sentence can have, in order. The French ones
    /// also have kStartWord and kEndWord.
    const std::vector<std::string>& english() const { return english_; }
    const std::vector<std::string>& french() const { return french_; }

    static bool is_held(const std::string& document, const std::string& area);

  private:
    using Words = std::vector<std::string>;
    class Writer;  // of one sentence

    struct Noun {
        std::string english, french;
        bool is_feminine = false;
    };
    struct Adjective {
        std::string english, masculine, feminine, before_vowel;
    };
    struct Verb {
        std::string base, past, participle, french;
    };
    struct Determiner {
        std::string english, masculine, feminine, masculine_vowel, feminine_vowel;
    };
    struct Translated {
        std::string english, french;
    };
    struct TimeWords {
        Words english, french;
        std::vector<Index> sources;
    };

    void add_line(const Words& head, std::string_view rest);
    void add_times(std::string_view rest);
    void collect_vocabularies();

    std::vector<Noun> documents_, areas_, agents_;
    std::vector<Adjective> after_, before_;
    std::vector<Verb> verbs_;
    std::vector<Determiner> determiners_;  // one as often as it weighs
    std::vector<Translated> about_, months_;
    std::vector<TimeWords> times_;
    int first_year_ = 0, last_year_ = 0;
    Words english_, french_;
};

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

/// Recipes for a network with attention, for one without it, and for a Transformer.
Recipe translation_recipe();
Recipe blind_translation_recipe();
Recipe transformer_translation_recipe();

}  // namespace headlight
