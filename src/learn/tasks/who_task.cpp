#include "learn/tasks/who_task.h"

#include <algorithm>

#include "core/error.h"
#include "model/weights.h"

namespace headlight {
namespace {

/// Longer sentences of the grammar are drawn again.
constexpr Index kMostWords = 28;
/// How often a word that does not matter is replaced by the unknown one.
constexpr double kUnknownShare = 0.03;
constexpr std::uint64_t kHeldOutSeed = 0xbeef;
constexpr int kHeldOutSentences = 1500;

SharedNames shared_names(const std::vector<std::string>& names) {
    return std::make_shared<const std::vector<std::string>>(names);
}

}  // namespace

StackSettings WhoTask::settings(LastLayer last_layer) {
    StackSettings settings{
        .n_layers = 2, .last_layer = last_layer, .d_model = 64, .positions = Positions::Learned};
    settings.attention.n_heads = 4;
    settings.attention.bias = Switch::On;
    settings.block = {.residual = Switch::On, .norm = Norm::Pre, .mlp = Mlp::Gelu, .d_ff = 128};
    settings.unembedding = Unembedding::Learned;
    settings.readout = Readout::Pronoun;
    return settings;
}

WhoTask::WhoTask(const Recipe& recipe, int shard_size, LastLayer last_layer)
    : batch_(settings(last_layer), shared_names(grammar_.vocabulary()), shard_size, kMostWords,
             recipe.seed) {}

Index WhoTask::row_of(const std::string& word) const {
    const std::vector<std::string>& words = grammar_.vocabulary();
    const auto found = std::lower_bound(words.begin() + 1, words.end(), word);
    return found != words.end() && *found == word ? found - words.begin() : 0;
}

SequenceExample WhoTask::example(const std::vector<std::string>& words,
                                 const std::string& right) const {
    SequenceExample example;
    Index pronoun = -1;
    for (const std::string& word : words) {
        if (word == "it") pronoun = std::ssize(example.words);
        example.words.push_back(row_of(word));
    }
    if (pronoun < 0) throw Error("training", "a sentence without “it” has no answer");
    example.targets = {{pronoun, row_of(right)}};
    return example;
}

Shard WhoTask::draw(Random& random) const {
    std::vector<SequenceExample> examples;
    while (std::ssize(examples) < batch_.size()) {
        const WhoSentence sentence = grammar_.draw(random, WhoPart::Trained);
        if (std::ssize(sentence.words[0]) > kMostWords) continue;
        const auto which = static_cast<std::size_t>(random.below(2));
        std::vector<std::string> words = sentence.words[which];
        for (std::string& word : words)
            if (!grammar_.is_content(word) && random.chance(kUnknownShare)) word = kUnknownWord;
        examples.push_back(example(words, sentence.nouns[which]));
    }
    return batch_.shard(examples);
}

std::vector<Shard> WhoTask::held_out() const {
    Random random(kHeldOutSeed);
    std::vector<Shard> shards;
    std::vector<SequenceExample> examples;
    for (int k = 0; k < kHeldOutSentences;) {
        const WhoSentence sentence = grammar_.draw(random, WhoPart::HeldPairs);
        if (std::ssize(sentence.words[0]) > kMostWords) continue;
        ++k;
        for (std::size_t which = 0; which < 2; ++which) {
            examples.push_back(example(sentence.words[which], sentence.nouns[which]));
            if (std::ssize(examples) < batch_.size()) continue;
            shards.push_back(batch_.shard(examples));
            examples.clear();
        }
    }
    if (!examples.empty()) shards.push_back(batch_.shard(examples));
    return shards;
}

Document WhoTask::study(LastLayer last_layer, SharedWeights weights) {
    return {
        .study = SentenceStudy{.text = "The cat didn't cross the street because it was too tired",
                               .layer = settings(last_layer)},
        .seed = 1,
        .interventions = {},
        .weights = std::move(weights)};
}

}  // namespace headlight
