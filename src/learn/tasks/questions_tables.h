// The lines of assets/grammars/three-questions.grammar as tables, and the answers of a sentence.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "learn/tasks/questions_grammar.h"

namespace headlight {

/// The role of a word, by which it asks. `noun`: 0 or 1; kOpen where an adjective decides.
struct QuestionRole {
    enum class Kind {
        Nothing,
        Article,
        Noun,
        Attribute,  // an adjective before its noun
        Auxiliary,  // of the verb, with a negation; it agrees with `noun`
        Verb,
        Connective,  // asks only for the action
        Pronoun,
        Copula,    // "was"
        Degree,    // "too"
        Adjective  // said of a noun
    } kind = Kind::Nothing;
    int noun = 0;

    bool operator==(const QuestionRole&) const = default;
};
inline constexpr int kOpen = -1;

enum class VerbForm { Base, Third, Past, Participle, Ing };
inline constexpr std::size_t kVerbForms = 5;

/// An element of a frame or of an entry of a group.
struct QuestionSymbol {
    enum class Is {
        Word,
        Group,
        Noun,
        Attributes,
        Adjective,
        Pronoun,
        Verb,
        Present
    } is = Is::Word;
    std::optional<QuestionRole> role = {};  // absent in entries: that of the group
    std::string word = {}, plural = {};     // of a word
    std::size_t group = 0;
    int noun = 0;  // of nouns and adjectives; kOpen
    VerbForm form = VerbForm::Base;
    bool is_object = false;  // "him" for "he"
};
using QuestionSymbols = std::vector<QuestionSymbol>;

struct QuestionGroup {
    std::string name;
    std::vector<QuestionSymbols> entries;  // each once
    std::vector<std::size_t> weighted;     // an entry as often as it weighs
};

struct QuestionNouns {
    std::string name;
    std::vector<std::string> pronouns, words, attributes = {};
    bool is_bare = false;  // a name, without an article

    bool is_plural() const { return pronouns == std::vector<std::string>{"they"}; }
};

struct QuestionVerb {
    std::array<std::string, kVerbForms> forms;  // a participle "-": there is no passive
    std::vector<std::string> after;

    bool has_passive() const {
        return forms[static_cast<std::size_t>(VerbForm::Participle)] != "-";
    }
};

/// Adjectives that are reasons: those said of one noun, of the other, and of either with the first
/// one's share.
struct QuestionReasons {
    std::array<std::vector<std::string>, 2> of;
    std::vector<std::pair<std::string, double>> of_either;
};

struct QuestionPair {
    std::string name;
    std::array<std::vector<std::size_t>, 2> nouns;  // lists; of the second maybe none
    std::vector<QuestionVerb> verbs = {};
    QuestionReasons against = {}, in_favour = {};

    bool has_second_noun() const { return !nouns[1].empty(); }
};

enum class ReasonKind { Against, For, Any };

struct QuestionFrame {
    std::string name;
    ReasonKind kind;
    QuestionSymbols symbols;
    bool is_held = false;
    int weight = 1;

    bool has_verb() const;
    bool has_participle() const;
    bool has_second_noun() const;
    /// True if an adjective always stands before the noun, as in "the tired cat".
    bool has_adjective_before(int noun) const;
};

/// The parts that a word can play, whatever the pair.
struct QuestionWord {
    std::uint64_t lists = 0;  // of nouns, one bit each
    bool is_attribute = false, is_reason = false, is_pronoun = false;
};

struct QuestionTables {
    /// Throws Error if a line or a name is unknown.
    explicit QuestionTables(std::string_view text);

    std::vector<QuestionNouns> nouns;
    std::vector<QuestionPair> pairs;
    std::vector<std::size_t> weighted_pairs = {};  // a pair as often as it is drawn
    std::vector<QuestionGroup> groups;
    std::vector<QuestionFrame> frames;

    std::vector<std::string> words() const;  // in order, each once
    QuestionWord word(const std::string& word) const;

  private:
    void add_line(const std::vector<std::string>& head, std::string_view rest);
    std::vector<std::size_t> lists_named(const std::string& name) const;
    QuestionSymbols read_symbols(const std::vector<std::string>& words) const;
    QuestionSymbol read_symbol(std::string_view word) const;
    void index_words();

    std::vector<std::pair<std::string, std::vector<std::string>>> kinds_;
    std::unordered_map<std::string, QuestionWord> index_;
};

/// Returns "him" for "he".
std::string_view object_form(std::string_view pronoun);

/// Returns the probability that a pronoun means the first noun, where only an adjective would say
/// `share`.
double share_with_pronoun(double share, std::string_view pronoun, const QuestionNouns& first,
                          const QuestionNouns& second);

/// Adds the answers. `share` is that of the first noun, where the sentence leaves open which one an
/// adjective is said of.
void add_answers(QuestionSentence& sentence, const std::vector<QuestionRole>& roles, double share);

}  // namespace headlight
