// Training against PyTorch's optimizers, from the same parameters and the same batches.
#include <doctest/doctest.h>

#include "golden/golden_file.h"
#include "learn/sequence_task.h"
#include "source_folder.h"

namespace headlight::training_golden_test {

constexpr Index kSentences = 4, kWords = 6;

StackSettings settings_of_golden() {
    StackSettings settings{.n_layers = 2, .d_model = 16, .positions = Positions::Learned};
    settings.attention.n_heads = 2;
    settings.mask.causal = Switch::On;
    settings.block = {.residual = Switch::On, .norm = Norm::Pre, .mlp = Mlp::Gelu, .d_ff = 24};
    settings.final_norm = Switch::On;
    settings.unembedding = Unembedding::Learned;
    return settings;
}

SharedNames letters(int count) {
    auto names = std::make_shared<std::vector<std::string>>();
    for (int k = 0; k < count; ++k) names->push_back(std::string(1, static_cast<char>('a' + k)));
    return names;
}

/// The sentences of one step; each word is to be followed by the next one.
std::vector<SequenceExample> examples_of(const Matrix& batches, Index step) {
    std::vector<SequenceExample> examples(kSentences);
    for (Index s = 0; s < kSentences; ++s)
        for (Index i = 0; i < kWords; ++i) {
            SequenceExample& example = examples[static_cast<std::size_t>(s)];
            const auto word = static_cast<Index>(batches(step, s * kWords + i));
            if (word < 0) break;
            if (i > 0) example.targets.push_back({i - 1, word});
            example.words.push_back(word);
        }
    return examples;
}

void train_as(const std::string& name, const OptimizerSettings& settings, double rate,
              std::size_t n_shards) {
    CAPTURE(name);
    CAPTURE(n_shards);
    const GoldenFile golden = read_golden_file(golden_folder("training") / (name + ".safetensors"));
    const auto n = static_cast<Index>(kSentences / n_shards);
    const SequenceBatch batch(settings_of_golden(), letters(11), n, kWords, 1);
    Trainer trainer(batch.plan(), settings, n_shards);
    std::vector<MatrixPtr> begin;
    std::vector<std::string> paths;
    for (const TensorId id : batch.plan().parameters) {
        paths.push_back((*batch.plan().plan)[id].path);
        REQUIRE_MESSAGE(golden.held.contains(paths.back()), paths.back());
        begin.push_back(std::make_shared<const Matrix>(golden.held.at(paths.back())));
    }
    CHECK(paths.size() == golden.held.size());
    trainer.set_parameters(begin);

    const Matrix& batches = golden.tensors.at("batches");
    Matrix losses(batches.rows(), 1);
    for (Index step = 0; step < batches.rows(); ++step) {
        const std::vector<SequenceExample> examples = examples_of(batches, step);
        std::vector<Shard> shards;
        for (std::size_t s = 0; s < n_shards; ++s)
            shards.push_back(batch.shard(std::span(examples).subspan(
                s * static_cast<std::size_t>(n), static_cast<std::size_t>(n))));
        losses(step, 0) = static_cast<Scalar>(trainer.step(shards, rate).loss.mean());
    }
    CHECK(find_difference("losses", losses, golden.tensors.at("losses"), 1e-4) == "");
    for (std::size_t k = 0; k < paths.size(); ++k)
        CHECK(find_difference(paths[k], *trainer.parameters()[k], golden.tensors.at(paths[k]), 1e-4,
                              1) == "");
}

TEST_CASE("training: a hundred steps end where PyTorch's do, however a batch is shared out") {
    for (const std::size_t n_shards : {1, 2, 4}) {
        train_as("sgd", {.rule = Rule::Sgd, .momentum = 0.9, .weight_decay = 1e-3}, 0.1, n_shards);
        train_as("adam", {.rule = Rule::Adam}, 3e-3, n_shards);
        train_as("adamw", {.rule = Rule::AdamW, .beta2 = 0.99, .weight_decay = 0.1}, 3e-3,
                 n_shards);
        train_as("clipped", {.rule = Rule::Adam, .clip_norm = 0.5}, 1e-2, n_shards);
    }
}

}  // namespace headlight::training_golden_test
