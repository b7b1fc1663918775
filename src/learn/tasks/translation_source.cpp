#include "learn/tasks/translation_source.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "core/bits.h"
#include "core/error.h"
#include "core/mechanisms/word_table.h"
#include "embedded_grammars.h"
#include "learn/tasks/grammar_text.h"

namespace headlight {
namespace {

bool begins_with_vowel(std::string_view french) {
    for (const char* vowel : {"a", "e", "i", "o", "u", "é", "è", "ê", "h", "â", "î", "ô"})
        if (french.starts_with(vowel)) return true;
    return false;
}

/// "an agreement", but "a european union": those begin with a consonant's sound.
bool takes_an(std::string_view english) {
    if (english.starts_with("eu") || english.starts_with("un")) return false;
    return std::string_view("aeiou").find(english.front()) != std::string_view::npos;
}

constexpr int kMostClauses = 4;

}  // namespace

/// Writes both languages at once.
class TranslationGrammar::Writer {
  public:
    Writer(const TranslationGrammar& grammar, Random& random, TranslationPart part)
        : grammar_(grammar), random_(random), part_(part) {}

    TranslatedSentence write(int n_clauses) {
        is_long_ = n_clauses > 1;
        for (int k = 0; k < n_clauses; ++k) {
            if (k > 0)
                french("et", english("and"));
            else if (random_.chance(0.06))
                write_speaker();
            write_clause();
        }
        if (!random_.chance(0.1)) french(".", english("."));
        return std::move(sentence_);
    }

  private:
    struct Phrase {
        const Noun& noun;
        const Determiner& determiner;
        std::vector<const Adjective*> before = {}, after = {};
    };

    Index english(const std::string& word) {
        sentence_.english.push_back(word);
        return std::ssize(sentence_.english) - 1;
    }
    void french(const std::string& word, Index source, std::vector<Index> also = {}) {
        sentence_.french.push_back(word);
        sentence_.sources.push_back({source, std::move(also)});
    }

    // ---- noun phrases ----

    Phrase draw_phrase(const Noun& noun) {
        Phrase phrase{noun, random_.one_of(grammar_.determiners_)};
        const double share = random_.share();
        for (int n = share < 0.4 ? 0 : share < 0.75 ? 1 : 2; std::ssize(phrase.after) < n;) {
            const Adjective* adjective = &random_.one_of(grammar_.after_);
            if (std::ranges::find(phrase.after, adjective) == phrase.after.end())
                phrase.after.push_back(adjective);
        }
        if (random_.chance(0.2)) phrase.before.push_back(&random_.one_of(grammar_.before_));
        return phrase;
    }

    /// Writes "the new economic agreement"; returns the place of its determiner.
    Index write_english(const Phrase& phrase) {
        std::vector<std::string> words;
        for (const auto* adjectives : {&phrase.before, &phrase.after})
            for (const Adjective* adjective : *adjectives) words.push_back(adjective->english);
        words.push_back(phrase.noun.english);
        const bool is_an = phrase.determiner.english == "a" && takes_an(words.front());
        const Index first = english(is_an ? "an" : phrase.determiner.english);
        for (const std::string& word : words) english(word);
        return first;
    }

    static std::string agreeing_form(const Adjective& adjective, const Noun& noun,
                                     std::string_view next) {
        if (noun.is_feminine) return adjective.feminine;
        const bool is_special = !adjective.before_vowel.empty() && begins_with_vowel(next);
        return is_special ? adjective.before_vowel : adjective.masculine;
    }

    static std::string first_form(const Phrase& phrase) {
        return phrase.before.empty()
                   ? phrase.noun.french
                   : agreeing_form(*phrase.before[0], phrase.noun, phrase.noun.french);
    }
    static std::string determiner_form(const Phrase& phrase) {
        const Determiner& d = phrase.determiner;
        const bool is_vowel = begins_with_vowel(first_form(phrase));
        if (phrase.noun.is_feminine) return is_vowel ? d.feminine_vowel : d.feminine;
        return is_vowel ? d.masculine_vowel : d.masculine;
    }

    /// Writes "nouvel accord économique", without the determiner.
    void write_french_noun(const Phrase& phrase, Index first) {
        const auto n_before = static_cast<Index>(phrase.before.size()),
                   n_after = static_cast<Index>(phrase.after.size());
        if (n_before > 0) french(first_form(phrase), first + 1);
        french(phrase.noun.french, first + 1 + n_before + n_after);
        for (Index k = n_after; k-- > 0;)
            french(agreeing_form(*phrase.after[static_cast<std::size_t>(k)], phrase.noun, ""),
                   first + 1 + n_before + k);
    }

    void write_french(const Phrase& phrase, Index first) {
        // The noun and the word after the determiner decide the determiner's form.
        const Index noun =
            first + 1 + static_cast<Index>(phrase.before.size() + phrase.after.size());
        french(determiner_form(phrase), first, {noun, first + 1});
        write_french_noun(phrase, first);
    }

    void write_phrase(const Phrase& phrase) { write_french(phrase, write_english(phrase)); }

    /// Writes the topic of a document: "of the market", "du marché".
    void write_about(const Noun& area) {
        const Translated& about = random_.one_of(grammar_.about_);
        const Index at = english(about.english);
        const Phrase phrase = draw_phrase(area);
        const Index first = write_english(phrase);
        const std::string form = determiner_form(phrase);
        if (about.french == "de" && form == "le") {
            french("du", at, {first});
            return write_french_noun(phrase, first);
        }
        const bool is_elided = about.french == "de" && begins_with_vowel(form);
        french(is_elided ? "d'" : about.french, at);
        write_french(phrase, first);
    }

    // ---- clauses ----

    struct Subject {
        const Noun &document, &area;
    };
    Subject draw_subject() {
        while (true) {
            const Noun& document = random_.one_of(grammar_.documents_);
            const Noun& area = random_.one_of(grammar_.areas_);
            if (is_held(document.english, area.english) == (part_ == TranslationPart::Held))
                return {document, area};
        }
    }

    void write_document(const Subject& subject) {
        write_phrase(draw_phrase(subject.document));
        if (part_ == TranslationPart::Held || random_.chance(is_long_ ? 0.15 : 0.5))
            write_about(subject.area);
    }

    void write_speaker() {
        const auto& determiner = grammar_.determiners_.front();
        write_phrase({random_.one_of(grammar_.agents_), determiner});
        const Index said = english("said");
        french("a", said), french("dit", said);
        french("que", english("that"));
    }

    void write_clause() {
        const Subject subject = draw_subject();
        const double share = random_.share();
        if (share < 0.45)
            write_passive(subject);
        else if (share < 0.8)
            write_active(subject);
        else
            write_property(subject);
    }

    /// Writes "was not signed", "n' a pas été signé".
    void write_passive(const Subject& subject) {
        const Verb& verb = random_.one_of(grammar_.verbs_);
        write_document(subject);
        const bool is_not = random_.chance(0.25), is_past = random_.chance(0.8);
        const Index auxiliary = english(is_past ? "was" : "will");
        const Index negation = is_not ? english("not") : 0;
        const Index be = is_past ? auxiliary : english("be");
        const Index participle = english(verb.participle);
        if (is_not) french(is_past ? "n'" : "ne", negation, {auxiliary});
        if (is_past)
            french("a", auxiliary);
        else
            french("sera", auxiliary, {be});
        if (is_not) french("pas", negation);
        if (is_past) french("été", auxiliary);
        french(verb.french + (subject.document.is_feminine ? "e" : ""), participle);
        if (random_.chance(0.35)) {
            french("par", english("by"));
            write_phrase(draw_phrase(random_.one_of(grammar_.agents_)));
        }
        write_date();
    }

    /// Writes "did not sign", "n' a pas signé".
    void write_active(const Subject& subject) {
        const Verb& verb = random_.one_of(grammar_.verbs_);
        write_phrase(draw_phrase(random_.one_of(grammar_.agents_)));
        if (random_.chance(0.3)) {
            const Index did = english("did"), negation = english("not"), base = english(verb.base);
            french("n'", negation, {did});
            french("a", did, {base});
            french("pas", negation);
            french(verb.french, base);
        } else {
            const Index past = english(verb.past);
            french("a", past), french(verb.french, past);
        }
        write_document(subject);
        write_date();
    }

    /// Writes "is not new", "n' est pas nouveau".
    void write_property(const Subject& subject) {
        write_document(subject);
        const auto n_after = std::ssize(grammar_.after_);
        const Index k = random_.below(n_after + 2);  // and the first two of the others
        const Adjective& adjective = k < n_after
                                         ? grammar_.after_[static_cast<std::size_t>(k)]
                                         : grammar_.before_[static_cast<std::size_t>(k - n_after)];
        const bool is_not = random_.chance(0.3);
        const Index is = english("is");
        const Index negation = is_not ? english("not") : 0;
        const Index property = english(adjective.english);
        if (is_not) french("n'", negation, {is});
        french("est", is);
        if (is_not) french("pas", negation);
        french(subject.document.is_feminine ? adjective.feminine : adjective.masculine, property);
    }

    void write_date() {
        const double share = random_.share();
        if (share < 0.35) return;
        if (share < 0.75) {
            french("en", english("in"));
            if (share < 0.6) {
                const Translated& month = random_.one_of(grammar_.months_);
                french(month.french, english(month.english));
            }
            const std::string year =
                std::to_string(grammar_.first_year_ +
                               random_.below(grammar_.last_year_ - grammar_.first_year_ + 1));
            return french(year, english(year));
        }
        const TimeWords& time = random_.one_of(grammar_.times_);
        const Index first = std::ssize(sentence_.english);
        for (const std::string& word : time.english) english(word);
        for (std::size_t k = 0; k < time.french.size(); ++k)
            french(time.french[k], first + time.sources[k]);
    }

    const TranslationGrammar& grammar_;
    Random& random_;
    TranslationPart part_;
    bool is_long_ = false;
    TranslatedSentence sentence_;
};

TranslationGrammar::TranslationGrammar() {
    for (const GrammarLine& line : grammar_lines(embedded_grammars("translation.grammar")))
        add_line(line.head, line.rest);
    collect_vocabularies();
}

/// Reads a line; `head` is the part before the colon.
void TranslationGrammar::add_line(const Words& head, std::string_view rest) {
    const std::string& kind = head[0];
    if (kind == "times") return add_times(rest);
    if (kind == "words") {
        Words& words = head.at(1) == "english" ? english_ : french_;
        const Words those = words_between_blanks(rest);
        words.insert(words.end(), those.begin(), those.end());
        return;
    }
    for (const Words& entry : weighted_entries(rest)) {
        if (kind == "nouns")
            (head.at(1) == "document" ? documents_
             : head.at(1) == "area"   ? areas_
                                      : agents_)
                .push_back({entry.at(0), entry.at(1), entry.at(2) == "f"});
        else if (kind == "adjectives")
            (head.at(1) == "after" ? after_ : before_)
                .push_back({entry.at(0), entry.at(1), entry.at(2),
                            entry.size() > 3 ? entry[3] : std::string()});
        else if (kind == "verbs")
            verbs_.push_back({entry.at(0), entry.at(1), entry.at(2), entry.at(3)});
        else if (kind == "determiners")
            determiners_.push_back(
                {entry.at(0), entry.at(1), entry.at(2), entry.at(3), entry.at(4)});
        else if (kind == "about" || kind == "months")
            (kind == "about" ? about_ : months_).push_back({entry.at(0), entry.at(1)});
        else if (kind == "years")
            first_year_ = std::stoi(entry.at(0)), last_year_ = std::stoi(entry.at(1));
        else
            throw Error("grammar", "there is no line of the kind '{}'", kind);
    }
}

void TranslationGrammar::add_times(std::string_view rest) {
    for (const Words& entry : weighted_entries(rest)) {
        TimeWords time;
        const auto equal = std::ranges::find(entry, "=");
        time.english.assign(entry.begin(), equal);
        for (auto word = equal + 1; word < entry.end(); ++word) {
            time.french.push_back(word->substr(0, word->size() - 1));
            time.sources.push_back(word->back() - '1');
        }
        times_.push_back(std::move(time));
    }
}

void TranslationGrammar::collect_vocabularies() {
    std::set<std::string> english(english_.begin(), english_.end()),
        french(french_.begin(), french_.end());
    for (const auto* nouns : {&documents_, &areas_, &agents_})
        for (const Noun& noun : *nouns) english.insert(noun.english), french.insert(noun.french);
    for (const auto* adjectives : {&after_, &before_})
        for (const Adjective& a : *adjectives) {
            english.insert(a.english);
            french.insert({a.masculine, a.feminine});
            if (!a.before_vowel.empty()) french.insert(a.before_vowel);
        }
    for (const Verb& verb : verbs_) {
        english.insert({verb.base, verb.past, verb.participle});
        french.insert({verb.french, verb.french + "e"});
    }
    for (const Determiner& d : determiners_) {
        english.insert(d.english);
        french.insert({d.masculine, d.feminine, d.masculine_vowel, d.feminine_vowel});
    }
    for (const auto* translated : {&about_, &months_})
        for (const Translated& t : *translated) english.insert(t.english), french.insert(t.french);
    for (const TimeWords& time : times_) {
        english.insert(time.english.begin(), time.english.end());
        french.insert(time.french.begin(), time.french.end());
    }
    for (int year = first_year_; year <= last_year_; ++year)
        english.insert(std::to_string(year)), french.insert(std::to_string(year));
    english_ = {std::string(kUnknownWord)};
    english_.insert(english_.end(), english.begin(), english.end());
    french_ = {std::string(kUnknownWord), kStartWord, kEndWord};
    french_.insert(french_.end(), french.begin(), french.end());
}

bool TranslationGrammar::is_held(const std::string& document, const std::string& area) {
    if (document == "agreement" && area == "area") return true;
    return mix_bits(fnv1a(fmt::format("{} {}", document, area))) % 10 == 0;
}

TranslatedSentence TranslationGrammar::draw(Random& random, TranslationPart part,
                                            int n_clauses) const {
    if (n_clauses == 0) {
        const double share = random.share();
        n_clauses = share < 0.6 ? 1 : share < 0.8 ? 2 : share < 0.9 ? 3 : kMostClauses;
    }
    return Writer(*this, random, part).write(n_clauses);
}

namespace {

/// Longer sentences of the grammar are drawn again.
constexpr Index kMostEnglishWords = 44, kMostFrenchWords = 47;
constexpr int kHeldTranslations = 480;

/// The words are in order, except the first ones.
std::vector<Index> rows_among(const std::vector<std::string>& vocabulary, std::ptrdiff_t n_special,
                              const std::vector<std::string>& words) {
    std::vector<Index> rows;
    for (const std::string& word : words) {
        const auto found = std::lower_bound(vocabulary.begin() + n_special, vocabulary.end(), word);
        rows.push_back(found != vocabulary.end() && *found == word ? found - vocabulary.begin()
                                                                   : 0);
    }
    return rows;
}

AlignmentStudy famous_pair(AlignmentMechanism mechanism) {
    return {.source = "The agreement on the European Economic Area was signed in August 1992.",
            .target = "L'accord sur la zone économique européenne a été signé en août 1992.",
            .mechanism = mechanism,
            .layer = {},
            .recurrent = {}};
}

}  // namespace

Index TranslationSource::most_source_words() const {
    return kMostEnglishWords;
}

Index TranslationSource::most_target_words() const {
    return kMostFrenchWords;
}

PairExample TranslationSource::example(const TranslatedSentence& sentence) const {
    constexpr std::ptrdiff_t kSpecialEnglish = 1, kSpecialFrench = 3;
    return {rows_among(grammar_.english(), kSpecialEnglish, sentence.english),
            rows_among(grammar_.french(), kSpecialFrench, sentence.french)};
}

PairExample TranslationSource::draw(Random& random) const {
    while (true) {
        const TranslatedSentence sentence = grammar_.draw(random, TranslationPart::Trained);
        if (std::ssize(sentence.english) <= kMostEnglishWords &&
            std::ssize(sentence.french) <= kMostFrenchWords)
            return example(sentence);
    }
}

std::vector<PairExample> TranslationSource::held_out() const {
    Random random(kHeldOutSeed);
    std::vector<PairExample> examples;
    for (int k = 0; k < kHeldTranslations; ++k)
        examples.push_back(example(grammar_.draw(random, TranslationPart::Held, 1)));
    return examples;
}

Document recurrent_translation_study(Switch attention) {
    AlignmentStudy study = famous_pair(AlignmentMechanism::Recurrent);
    study.recurrent = {.cell_type = RecurrentCellType::Gru,
                       .bidirectional = Switch::On,
                       .attention = attention,
                       .feeding = Feeding::Teacher,
                       .d_model = 48,
                       .d_state = 48,
                       .d_hidden = 48};
    return {.study = std::move(study), .seed = 1, .interventions = {}};
}

Document transformer_translation_study() {
    AlignmentStudy study = famous_pair(AlignmentMechanism::Transformer);
    StackSettings& layer = study.layer;
    layer = {.n_layers = 2, .d_model = 64, .positions = Positions::Learned};
    layer.attention.n_heads = 4;
    layer.attention.bias = Switch::On;
    layer.block = {.residual = Switch::On, .norm = Norm::Pre, .mlp = Mlp::Relu, .d_ff = 128};
    layer.final_norm = Switch::On;
    layer.unembedding = Unembedding::Learned;
    return {.study = std::move(study), .seed = 1, .interventions = {}};
}

Recipe translation_recipe() {
    return {.task = "translation",
            .study = recurrent_translation_study(Switch::On),
            .steps = 1200,
            .batch = 48,
            .learning_rate = 4e-3,
            .warm_up = 30,
            .seed = 1,
            .optimizer = {.rule = Rule::Adam, .clip_norm = 1}};
}

Recipe blind_translation_recipe() {
    Recipe recipe = translation_recipe();
    recipe.task = "translation-without-attention";
    recipe.study = recurrent_translation_study(Switch::Off);
    return recipe;
}

Recipe transformer_translation_recipe() {
    Recipe recipe = translation_recipe();
    recipe.task = "translation-transformer";
    recipe.study = transformer_translation_study();
    recipe.steps = 2400;
    recipe.learning_rate = 2e-3;
    return recipe;
}

}  // namespace headlight
