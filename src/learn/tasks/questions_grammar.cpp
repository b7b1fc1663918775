#include "learn/tasks/questions_grammar.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/mechanisms/word_table.h"
#include "embedded_grammars.h"
#include "learn/tasks/grammar_text.h"
#include "learn/tasks/questions_tables.h"
#include "learn/tasks/who_source.h"
#include "text/strings.h"

namespace headlight {
namespace {

using Words = std::vector<std::string>;
using Kind = QuestionRole::Kind;
using Is = QuestionSymbol::Is;

constexpr double kBeforeNounShare = 0.25, kSecondBeforeNounShare = 0.15;
/// This share of the adjectives that decide may be said of either noun.
constexpr double kEitherShare = 0.3;
/// This share of the adjectives before a noun are reasons as well.
constexpr double kReasonShare = 0.7;

std::size_t at(int noun) {
    return static_cast<std::size_t>(noun);
}

/// Verbs with one noun are for frames with one; a frame without a verb has room for any noun.
bool fit_each_other(const QuestionFrame& frame, const QuestionPair& pair) {
    return frame.has_second_noun() ? pair.has_second_noun()
                                   : !frame.has_verb() || !pair.has_second_noun();
}

bool fits(const QuestionFrame& frame, int noun, const QuestionNouns& list) {
    return !(list.is_bare && frame.has_adjective_before(noun));
}

/// Nothing is held out of frames with one noun.
bool is_held(const QuestionFrame& frame, const NounPair& nouns) {
    return frame.has_second_noun() && WhoGrammar::is_held(nouns);
}

/// One sentence, as it is drawn.
class QuestionWriter {
  public:
    QuestionWriter(const QuestionTables& tables, Random& random)
        : tables_(tables), random_(random) {}

    /// Returns false if the frame, the pair and the nouns that were drawn do not fit each other.
    bool draw(const QuestionFrame& frame, bool has_held_pair) {
        const QuestionPair& pair = tables_.pairs[random_.one_of(tables_.weighted_pairs)];
        if (!fit_each_other(frame, pair)) return false;
        verb_ = &random_.one_of(pair.verbs);
        if (frame.has_participle() && !verb_->has_passive()) return false;
        NounPair nouns;
        for (std::size_t k = 0; k < 2; ++k) {
            if (pair.nouns[k].empty()) continue;
            lists_[k] = &tables_.nouns[random_.one_of(pair.nouns[k])];
            if (!fits(frame, static_cast<int>(k), *lists_[k])) return false;
            nouns[k] = random_.one_of(lists_[k]->words);
        }
        if (nouns[0] == nouns[1] || is_held(frame, nouns) != has_held_pair) return false;
        nouns_ = std::move(nouns);
        const bool is_for =
            frame.kind == ReasonKind::For || (frame.kind == ReasonKind::Any && random_.chance(0.5));
        reasons_ = is_for ? &pair.in_favour : &pair.against;
        draw_adjectives();
        sentence_.frame = frame.name;
        write(frame.symbols, {});
        set_articles(sentence_.words);
        add_answers(sentence_, roles_, share_);
        return true;
    }

    QuestionSentence take() { return std::move(sentence_); }

  private:
    void draw_adjectives() {
        for (std::size_t k = 0; k < 2; ++k) {
            if (!lists_[k]) continue;
            const bool is_reason = lists_[k]->attributes.empty() || random_.chance(kReasonShare);
            adjectives_[k] = random_.one_of(is_reason ? reasons_->of[k] : lists_[k]->attributes);
        }
        if (!lists_[1]) return;
        if (!reasons_->of_either.empty() && random_.chance(kEitherShare)) {
            std::tie(open_, share_) = random_.one_of(reasons_->of_either);
        } else {
            const auto which = at(static_cast<int>(random_.below(2)));
            open_ = random_.one_of(reasons_->of[which]);
            share_ = which == 0 ? 1 : 0;
        }
        meant_ = random_.chance(share_) ? 0 : 1;
        pronoun_ = random_.one_of(lists_[at(meant_)]->pronouns);
        share_ = share_with_pronoun(share_, pronoun_, *lists_[0], *lists_[1]);
    }

    void put(std::string word, QuestionRole role) {
        sentence_.words.push_back(std::move(word));
        roles_.push_back(role);
    }

    bool is_plural(const QuestionRole& role) const {
        return role.noun == kOpen ? pronoun_ == "they" : lists_[at(role.noun)]->is_plural();
    }

    void write(const QuestionSymbols& symbols, QuestionRole role) {
        for (const QuestionSymbol& symbol : symbols) write(symbol, symbol.role.value_or(role));
    }

    void write(const QuestionSymbol& symbol, QuestionRole role) {
        if (role.kind == Kind::Article && lists_[at(role.noun)]->is_bare) return;
        switch (symbol.is) {
            case Is::Word:
                return put(is_plural(role) ? symbol.plural : symbol.word, role);
            case Is::Group: {
                const QuestionGroup& group = tables_.groups[symbol.group];
                return write(group.entries[random_.one_of(group.weighted)], role);
            }
            case Is::Noun:
                return put(nouns_[at(symbol.noun)], {Kind::Noun, symbol.noun});
            case Is::Attributes:
                if (random_.chance(kBeforeNounShare)) write_attributes(symbol.noun);
                return;
            case Is::Adjective:
                return put(symbol.noun == kOpen ? open_ : adjectives_[at(symbol.noun)], role);
            case Is::Pronoun:
                return write_pronoun(symbol, role);
            case Is::Verb:
                return write_verb(symbol.form);
            case Is::Present:
                return write_verb(lists_[0]->is_plural() ? VerbForm::Base : VerbForm::Third);
        }
    }

    void write_attributes(int noun) {
        const Words& known = lists_[at(noun)]->attributes;
        if (known.empty()) return;
        const std::string& first = random_.one_of(known);
        put(first, {Kind::Attribute, noun});
        if (!random_.chance(kSecondBeforeNounShare)) return;
        if (const std::string& second = random_.one_of(known); second != first)
            put(second, {Kind::Attribute, noun});
    }

    void write_pronoun(const QuestionSymbol& symbol, QuestionRole role) {
        const std::string& word =
            symbol.noun == kOpen ? pronoun_ : random_.one_of(lists_[at(symbol.noun)]->pronouns);
        put(symbol.is_object ? std::string(object_form(word)) : word, role);
    }

    void write_verb(VerbForm form) {
        put(verb_->forms[static_cast<std::size_t>(form)], {Kind::Verb, 0});
        for (const std::string& word : verb_->after) put(word, {Kind::Connective, 0});
    }

    const QuestionTables& tables_;
    Random& random_;
    const QuestionVerb* verb_ = nullptr;
    const QuestionReasons* reasons_ = nullptr;
    std::array<const QuestionNouns*, 2> lists_ = {};
    NounPair nouns_;
    std::array<std::string, 2> adjectives_;  // each said of a known noun
    std::string open_, pronoun_;
    double share_ = 1;
    int meant_ = 0;
    std::vector<QuestionRole> roles_;
    QuestionSentence sentence_;
};

// ---- recognising ----

/// Tries to read a sentence as one of this frame and pair. Each try that fails leaves it as it was.
class QuestionReader {
  public:
    QuestionReader(const QuestionTables& tables, const Words& words,
                   const std::vector<QuestionWord>& known, const QuestionFrame& frame,
                   const QuestionPair& pair)
        : tables_(tables), words_(words), known_(known), frame_(frame), pair_(pair) {}

    bool read() {
        if (pair_.verbs.empty() || !fit_each_other(frame_, pair_)) return false;
        const Rest whole{
            frame_.symbols.data(), frame_.symbols.data() + frame_.symbols.size(), {}, nullptr};
        return read(whole, 0);
    }

    QuestionSentence sentence() const {
        QuestionSentence sentence{
            .words = words_, .answers = {}, .frame = frame_.name, .pronoun = {}};
        add_answers(sentence, roles_, share_);
        return sentence;
    }

  private:
    /// The symbols that are still to come, and those after the group that they belong to.
    struct Rest {
        const QuestionSymbol *begin, *end;
        QuestionRole role;
        const Rest* then;
    };

    bool read(const Rest& rest, std::size_t from) {
        if (rest.begin == rest.end) {
            if (rest.then) return read(*rest.then, from);
            return from == words_.size() && fits_whole();
        }
        const QuestionSymbol& symbol = *rest.begin;
        const Rest then{rest.begin + 1, rest.end, rest.role, rest.then};
        const QuestionRole role = symbol.role.value_or(rest.role);
        if (role.kind == Kind::Article && role != rest.role) {
            is_bare_[at(role.noun)] = true;
            if (read(then, from)) return true;
            is_bare_[at(role.noun)] = false;
        }
        switch (symbol.is) {
            case Is::Group:
                return std::ranges::any_of(
                    tables_.groups[symbol.group].entries, [&](const QuestionSymbols& entry) {
                        return read(Rest{entry.data(), entry.data() + entry.size(), role, &then},
                                    from);
                    });
            case Is::Attributes:
                return read(then, from) || read_attributes(symbol.noun, then, from, 2);
            default:
                return from < words_.size() && read_word(symbol, role, then, from);
        }
    }

    bool go_on(const QuestionRole& role, const Rest& then, std::size_t from) {
        roles_.push_back(role);
        if (read(then, from + 1)) return true;
        roles_.pop_back();
        return false;
    }

    bool read_word(const QuestionSymbol& symbol, const QuestionRole& role, const Rest& then,
                   std::size_t from) {
        const std::string& word = words_[from];
        switch (symbol.is) {
            case Is::Word:
                return read_fixed(symbol, role, then, from);
            case Is::Noun:
                return read_noun(symbol.noun, then, from);
            case Is::Pronoun: {
                if (!known_[from].is_pronoun) return false;
                std::string& mine = symbol.noun == kOpen ? pronoun_ : pronouns_[at(symbol.noun)];
                mine = word;
                is_object_[symbol.noun == kOpen ? 2 : at(symbol.noun)] = symbol.is_object;
                return go_on(role, then, from);
            }
            case Is::Adjective: {
                if (!known_[from].is_reason && !known_[from].is_attribute) return false;
                std::string& mine = symbol.noun == kOpen ? open_ : adjectives_[at(symbol.noun)];
                mine = word;
                return go_on(role, then, from);
            }
            case Is::Verb:
            case Is::Present:
                return read_verb(symbol, then, from);
            default:
                return false;
        }
    }

    /// Reads the singular or the plural of "was~were"; only the end shows whether it fits.
    bool read_fixed(const QuestionSymbol& symbol, const QuestionRole& role, const Rest& then,
                    std::size_t from) {
        const std::string& word = words_[from];
        const bool is_same = symbol.word == symbol.plural;
        if (is_same) return word == symbol.word && go_on(role, then, from);
        if (word != symbol.word && word != symbol.plural) return false;
        numbers_.push_back({role.noun, word == symbol.plural});
        if (go_on(role, then, from)) return true;
        numbers_.pop_back();
        return false;
    }

    bool read_noun(int noun, const Rest& then, std::size_t from) {
        const QuestionNouns* before = lists_[at(noun)];
        for (const std::size_t list : pair_.nouns[at(noun)]) {
            if ((known_[from].lists >> list & 1) == 0) continue;
            const QuestionNouns& nouns = tables_.nouns[list];
            if (nouns.is_bare != is_bare_[at(noun)] || !fits(frame_, noun, nouns)) continue;
            lists_[at(noun)] = &nouns;
            nouns_[at(noun)] = from;
            if (go_on({Kind::Noun, noun}, then, from)) return true;
        }
        lists_[at(noun)] = before;
        return false;
    }

    bool read_attributes(int noun, const Rest& then, std::size_t from, int most) {
        if (from >= words_.size() || !known_[from].is_attribute) return false;
        attributes_.push_back({noun, from});
        roles_.push_back({Kind::Attribute, noun});
        if (read(then, from + 1) || (most > 1 && read_attributes(noun, then, from + 1, most - 1)))
            return true;
        attributes_.pop_back();
        roles_.pop_back();
        return false;
    }

    bool read_verb(const QuestionSymbol& symbol, const Rest& then, std::size_t from) {
        for (const QuestionVerb& verb : pair_.verbs) {
            for (const VerbForm form : {symbol.form, VerbForm::Base}) {
                if (form != symbol.form && symbol.is != Is::Present) continue;
                if (verb.forms[static_cast<std::size_t>(form)] != words_[from]) continue;
                if (frame_.has_participle() && !verb.has_passive()) continue;
                if (read_after_verb(symbol, verb, form, then, from)) return true;
            }
        }
        return false;
    }

    bool read_after_verb(const QuestionSymbol& symbol, const QuestionVerb& verb, VerbForm form,
                         const Rest& then, std::size_t from) {
        const std::size_t n = verb.after.size();
        if (from + n >= words_.size() ||
            !std::equal(verb.after.begin(), verb.after.end(),
                        words_.begin() + static_cast<std::ptrdiff_t>(from + 1)))
            return false;
        const std::size_t n_roles = roles_.size(), n_numbers = numbers_.size();
        roles_.push_back({Kind::Verb, 0});
        roles_.insert(roles_.end(), n, {Kind::Connective, 0});
        if (symbol.is == Is::Present) numbers_.push_back({0, form == VerbForm::Base});
        if (read(then, from + n + 1)) return true;
        roles_.resize(n_roles);
        numbers_.resize(n_numbers);
        return false;
    }

    // ---- at the end ----

    bool fits_whole() {
        for (std::size_t k = 0; k < 2; ++k)
            if (!pronouns_[k].empty() && !fits_pronoun(k)) return false;
        if (lists_[0] && lists_[1] && words_[nouns_[0]] == words_[nouns_[1]]) return false;
        for (const auto& [noun, place] : attributes_)
            if (!is_among(words_[place], lists_[at(noun)]->attributes)) return false;
        if (!fits_known_adjectives()) return false;
        if (open_.empty()) return fits_numbers();
        for (const QuestionReasons* reasons : possible_reasons())
            if (fits_open(*reasons) && fits_numbers()) return true;
        return false;
    }

    std::vector<const QuestionReasons*> possible_reasons() const {
        std::vector<const QuestionReasons*> possible;
        if (frame_.kind != ReasonKind::For) possible.push_back(&pair_.against);
        if (frame_.kind != ReasonKind::Against) possible.push_back(&pair_.in_favour);
        return possible;
    }

    bool fits_pronoun(std::size_t noun) const {
        return std::ranges::any_of(lists_[noun]->pronouns, [&](const std::string& pronoun) {
            return pronouns_[noun] == (is_object_[noun] ? object_form(pronoun) : pronoun);
        });
    }

    bool fits_known_adjectives() const {
        const auto fits = [&](std::size_t noun) {
            if (is_among(adjectives_[noun], lists_[noun]->attributes)) return true;
            return std::ranges::any_of(possible_reasons(), [&](const QuestionReasons* reasons) {
                return is_among(adjectives_[noun], reasons->of[noun]);
            });
        };
        return (adjectives_[0].empty() || fits(0)) && (adjectives_[1].empty() || fits(1));
    }

    /// Sets the share of the first noun.
    bool fits_open(const QuestionReasons& reasons) {
        double share = -1;
        if (is_among(open_, reasons.of[0])) share = 1;
        if (is_among(open_, reasons.of[1])) share = share < 0 ? 0 : 0.5;
        for (const auto& [adjective, of_first] : reasons.of_either)
            if (adjective == open_) share = of_first;
        if (share < 0) return false;
        const auto may_be = [&](std::size_t noun) {
            return is_among(pronoun_, lists_[noun]->pronouns);
        };
        if (!((share > 0 && may_be(0)) || (share < 1 && may_be(1)))) return false;
        share_ = share_with_pronoun(share, pronoun_, *lists_[0], *lists_[1]);
        return true;
    }

    bool fits_numbers() const {
        return std::ranges::all_of(numbers_, [&](const auto& number) {
            const auto& [noun, is_plural] = number;
            const bool should_be =
                noun == kOpen ? pronoun_ == "they" : lists_[at(noun)]->is_plural();
            return is_plural == should_be;
        });
    }

    const QuestionTables& tables_;
    const Words& words_;
    const std::vector<QuestionWord>& known_;  // of each of the words
    const QuestionFrame& frame_;
    const QuestionPair& pair_;
    std::array<const QuestionNouns*, 2> lists_ = {};
    std::array<std::size_t, 2> nouns_ = {};
    std::array<std::string, 2> adjectives_, pronouns_;
    std::array<bool, 3> is_object_ = {};
    std::array<bool, 2> is_bare_ = {};  // no article stands before the noun
    std::string open_, pronoun_;
    double share_ = 1;
    std::vector<std::pair<int, std::size_t>> attributes_;  // noun, place
    std::vector<std::pair<int, bool>> numbers_;            // noun, whether it is a plural
    std::vector<QuestionRole> roles_;
};

/// Returns the words in small letters, with a full stop, and "a" for "an".
Words plain_words(std::span<const std::string> words) {
    Words plain;
    for (const std::string& word : words) {
        plain.push_back(word);
        for (char& c : plain.back())
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        constexpr std::string_view kCurly = "\u2019";  // as text is typeset: didn’t
        if (const auto at = plain.back().find(kCurly); at != std::string::npos)
            plain.back().replace(at, kCurly.size(), "'");
        if (plain.back() == "an") plain.back() = "a";
    }
    return plain;
}

}  // namespace

QuestionsGrammar::QuestionsGrammar()
    : tables_(std::make_shared<const QuestionTables>(embedded_grammars("three-questions.grammar"))),
      vocabulary_(tables_->words()) {
    vocabulary_.insert(vocabulary_.begin(), std::string(kUnknownWord));
}

std::size_t QuestionsGrammar::n_frames() const {
    return tables_->frames.size();
}

QuestionSentence QuestionsGrammar::draw(Random& random, QuestionPart part) const {
    const bool is_held = part == QuestionPart::HeldFrames;
    std::vector<const QuestionFrame*> frames;
    for (const QuestionFrame& frame : tables_->frames)
        if (frame.is_held == is_held) frames.insert(frames.end(), at(frame.weight), &frame);
    for (;;) {
        QuestionWriter writer(*tables_, random);
        if (writer.draw(*random.one_of(frames), part != QuestionPart::Trained))
            return writer.take();
    }
}

std::optional<QuestionSentence> QuestionsGrammar::recognise(
    std::span<const std::string> words) const {
    const Words plain = plain_words(words);
    std::vector<QuestionWord> known;
    for (const std::string& word : plain) known.push_back(tables_->word(word));
    for (const QuestionFrame& frame : tables_->frames)
        for (const QuestionPair& pair : tables_->pairs) {
            QuestionReader reader(*tables_, plain, known, frame, pair);
            if (!reader.read()) continue;
            QuestionSentence sentence = reader.sentence();
            sentence.words.assign(words.begin(), words.end());
            return sentence;
        }
    return std::nullopt;
}

}  // namespace headlight
