#include "learn/tasks/who_source.h"

#include <algorithm>

#include "core/error.h"

namespace headlight {
namespace {

/// Longer sentences of the grammar are drawn again.
constexpr Index kMostWords = 28;
/// How often a word that does not matter is replaced by the unknown one.
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
