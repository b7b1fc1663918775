#include "learn/tasks/who_source.h"

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

constexpr double kAttributeShare = 0.3;
constexpr const char* kDecides = "$adj";

}  // namespace

WhoGrammar::WhoGrammar() {
    const std::string_view text = embedded_grammars("who.grammar");
    std::string extra;
    for (const GrammarLine& line : grammar_lines(text)) {
        if (line.head[0] == "words")
            extra = line.rest;
        else
            add_line(line.head, line.rest);
    }
    content_.push_back("it");
    std::ranges::sort(content_);
    collect_vocabulary(extra);
}

/// Reads a line; `head` is the part before the colon.
void WhoGrammar::add_line(const Words& head, std::string_view rest) {
    const std::string& kind = head[0];
    const Words words = words_between_blanks(rest);
    if (kind == "nouns" || kind == "adjectives") {
        std::vector<Words> entries;
        for (const std::string& word : words) entries.push_back({word});
        content_.insert(content_.end(), words.begin(), words.end());
        groups_.emplace_back(head.at(1), std::move(entries));
    } else if (kind == "group") {
        groups_.emplace_back(head.at(1), weighted_entries(rest));
    } else if (kind == "pair") {
        pairs_.emplace_back(head.at(1),
                            Pair{{words.at(0), words.at(1)}, {words.at(2), words.at(3)}});
    } else if (kind == "frame") {
        const auto weight = static_cast<std::size_t>(std::stoi(head.at(2)));
        trained_.insert(trained_.end(), weight, Frame{head.at(3), words});
    } else if (kind == "held") {
        held_.push_back({head.at(2), words});
    } else {
        throw Error("grammar", "there is no line of the kind '{}'", kind);
    }
}

const std::vector<std::vector<std::string>>& WhoGrammar::group(std::string_view name) const {
    for (const auto& [known, entries] : groups_)
        if (known == name) return entries;
    throw Error("grammar", "there is no group '{}'", name);
}

void WhoGrammar::collect_vocabulary(std::string_view extra) {
    std::set<std::string> words{"it", "an"};
    const auto add = [&](const Words& those) {
        for (const std::string& word : those)
            if (word.front() != '$')
                words.insert(word);
            else if (word != kDecides && word != "$1" && word != "$2" && word != "$of1" &&
                     word != "$of2")
                group(std::string_view(word).substr(1));  // it is there
    };
    add(words_between_blanks(extra));
    for (const auto& [name, entries] : groups_)
        for (const Words& entry : entries) add(entry);
    for (const auto* frames : {&trained_, &held_})
        for (const Frame& frame : *frames) add(frame.text);
    vocabulary_.assign(words.begin(), words.end());
    vocabulary_.insert(vocabulary_.begin(), std::string(kUnknownWord));
}

bool WhoGrammar::is_content(const std::string& word) const {
    return std::ranges::binary_search(content_, word);
}

bool WhoGrammar::is_held(const NounPair& nouns) {
    if (nouns == NounPair{"cat", "street"} || nouns == NounPair{"trophy", "suitcase"}) return true;
    return mix_bits(fnv1a(fmt::format("{} {}", nouns[0], nouns[1]))) % 5 == 0;
}

WhoSentence WhoGrammar::draw(Random& random, WhoPart part) const {
    const Frame& frame = random.one_of(part == WhoPart::HeldFrames ? held_ : trained_);
    const auto found = std::ranges::find(pairs_, frame.pair, [](const auto& p) { return p.first; });
    if (found == pairs_.end()) throw Error("grammar", "there is no pair '{}'", frame.pair);
    const Pair& pair = found->second;
    WhoSentence sentence;
    std::array<std::string, 2> adjectives;
    do {
        for (std::size_t k = 0; k < 2; ++k) {
            sentence.nouns[k] = random.one_of(group(pair.nouns[k])).front();
            adjectives[k] = random.one_of(group(pair.adjectives[k])).front();
        }
    } while (sentence.nouns[0] == sentence.nouns[1] || adjectives[0] == adjectives[1] ||
             is_held(sentence.nouns) != (part != WhoPart::Trained));
    expand(random, frame.text, pair, sentence);
    Words& words = sentence.words[0];
    set_articles(words);
    sentence.words[1] = words;
    for (std::size_t k = 0; k < 2; ++k)
        std::ranges::replace(sentence.words[k], std::string(kDecides), adjectives[k]);
    return sentence;
}

/// Writes into the first of the sentence's two versions, with the adjective still open.
void WhoGrammar::expand(Random& random, const Words& text, const Pair& pair,
                        WhoSentence& sentence) const {
    Words& words = sentence.words[0];
    for (const std::string& word : text) {
        if (word == "$1" || word == "$2") {
            words.push_back(sentence.nouns[word == "$2"]);
        } else if (word == "$of1" || word == "$of2") {
            if (random.chance(kAttributeShare))
                words.push_back(
                    random.one_of(group("attribute_" + pair.nouns[word == "$of2"])).front());
        } else if (word.front() == '$' && word != kDecides) {
            expand(random, random.one_of(group(std::string_view(word).substr(1))), pair, sentence);
        } else {
            words.push_back(word);
        }
    }
}

namespace {

/// Longer sentences of the grammar are drawn again.
constexpr Index kMostWords = 28;
/// This share of the words that do not matter is replaced by the unknown one.
constexpr double kUnknownShare = 0.03;
constexpr int kHeldOutSentences = 1500;

StackSettings who_settings(LastLayer last_layer) {
    StackSettings settings{
        .n_layers = 2, .last_layer = last_layer, .d_model = 64, .positions = Positions::Learned};
    settings.attention.n_heads = 4;
    settings.attention.bias = Switch::On;
    settings.block = {.residual = Switch::On, .norm = Norm::Pre, .mlp = Mlp::Gelu, .d_ff = 128};
    settings.unembedding = Unembedding::Learned;
    settings.readout = Readout::Pronoun;
    return settings;
}

}  // namespace

Index WhoSource::find_row(const std::string& word) const {
    const std::vector<std::string>& words = grammar_.vocabulary();
    const auto found = std::lower_bound(words.begin() + 1, words.end(), word);
    return found != words.end() && *found == word ? found - words.begin() : 0;
}

SequenceExample WhoSource::example(const std::vector<std::string>& words,
                                   const std::string& right) const {
    SequenceExample example;
    Index pronoun = -1;
    for (const std::string& word : words) {
        if (word == "it") pronoun = std::ssize(example.words);
        example.words.push_back(find_row(word));
    }
    if (pronoun < 0) throw Error("training", "a sentence without “it” has no answer");
    example.targets = {{pronoun, find_row(right)}};
    return example;
}

Index WhoSource::most_words() const {
    return kMostWords;
}

WhoSentence WhoSource::draw_short(Random& random, WhoPart part) const {
    WhoSentence sentence = grammar_.draw(random, part);
    while (std::ssize(sentence.words[0]) > kMostWords) sentence = grammar_.draw(random, part);
    return sentence;
}

SequenceExample WhoSource::draw(Random& random) const {
    const WhoSentence sentence = draw_short(random, WhoPart::Trained);
    const auto which = static_cast<std::size_t>(random.below(2));
    std::vector<std::string> words = sentence.words[which];
    for (std::string& word : words)
        if (!grammar_.is_content(word) && random.chance(kUnknownShare)) word = kUnknownWord;
    return example(words, sentence.nouns[which]);
}

std::vector<SequenceExample> WhoSource::held_out() const {
    Random random(kHeldOutSeed);
    std::vector<SequenceExample> examples;
    for (int k = 0; k < kHeldOutSentences; ++k) {
        const WhoSentence sentence = draw_short(random, WhoPart::HeldPairs);
        for (std::size_t which = 0; which < 2; ++which)
            examples.push_back(example(sentence.words[which], sentence.nouns[which]));
    }
    return examples;
}

Document who_study(LastLayer last_layer) {
    return {
        .study = SentenceStudy{.text = "The cat didn't cross the street because it was too tired",
                               .layer = who_settings(last_layer)},
        .seed = 1,
        .interventions = {}};
}

}  // namespace headlight
