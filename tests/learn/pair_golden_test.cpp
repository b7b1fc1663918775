// Training on pairs against PyTorch, from the same parameters and the same batches.
#include <doctest/doctest.h>

#include "core/mechanisms/word_table.h"
#include "golden/golden_file.h"
#include "learn/pair_task.h"
#include "source_folder.h"

namespace headlight::pair_golden_test {
namespace {

constexpr Index kPairs = 3, kSource = 5, kTarget = 4;
constexpr double kRate = 5e-3;

SharedNames words(int count) {
    auto names = std::make_shared<std::vector<std::string>>(
        std::vector<std::string>{std::string(kUnknownWord), kStartWord, kEndWord});
    for (int k = 3; k < count; ++k) names->push_back(std::string(1, static_cast<char>('a' + k)));
    return names;
}

AlignmentStudy recurrent(Switch attention) {
    AlignmentStudy study;
    study.mechanism = AlignmentMechanism::Recurrent;
    study.recurrent = {.attention = attention, .d_model = 6, .d_state = 5, .d_hidden = 4};
    return study;
}

AlignmentStudy transformer() {
    AlignmentStudy study;
    study.mechanism = AlignmentMechanism::Transformer;
    study.layer = {.n_layers = 1, .d_model = 8, .positions = Positions::Learned};
    study.layer.attention.n_heads = 2;
    study.layer.attention.bias = Switch::On;
    study.layer.block = {.residual = Switch::On, .norm = Norm::Pre, .mlp = Mlp::Relu, .d_ff = 10};
    study.layer.final_norm = Switch::On;
    study.layer.unembedding = Unembedding::Learned;
    return study;
}

/// The words of one pair in a row of a step, up to the padding.
std::vector<Index> words_in(const Matrix& steps, Index step, Index pair, Index most) {
    std::vector<Index> found;
    for (Index i = 0; i < most && steps(step, pair * most + i) >= 0; ++i)
        found.push_back(static_cast<Index>(steps(step, pair * most + i)));
    return found;
}

void train_as(const std::string& name, const AlignmentStudy& study) {
    CAPTURE(name);
    const GoldenFile golden = read_golden_file(golden_folder("training") / (name + ".safetensors"));
    const PairBatch batch(study, words(7), words(9), {kPairs, kSource, kTarget}, 1);
    Trainer trainer(batch.plan(), {.rule = Rule::Adam}, 1);
    std::vector<MatrixPtr> begin;
    for (const TensorId id : batch.plan().parameters) {
        const std::string& path = (*batch.plan().plan)[id].path;
        REQUIRE_MESSAGE(golden.held.contains(path), path);
        begin.push_back(std::make_shared<const Matrix>(golden.held.at(path)));
    }
    CHECK(begin.size() == golden.held.size());
    trainer.set_parameters(begin);
    const Matrix &source = golden.tensors.at("source"), &target = golden.tensors.at("target");
    Matrix losses(source.rows(), 1);
    for (Index step = 0; step < source.rows(); ++step) {
        std::vector<PairExample> examples;
        for (Index pair = 0; pair < kPairs; ++pair)
            examples.push_back(
                {words_in(source, step, pair, kSource), words_in(target, step, pair, kTarget)});
        const Shard shards[] = {batch.shard(examples)};
        losses(step, 0) = static_cast<Scalar>(trainer.step(shards, kRate).loss.mean());
    }
    CHECK(find_difference("losses", losses, golden.tensors.at("losses"), 1e-4) == "");
    for (std::size_t k = 0; k < begin.size(); ++k) {
        const std::string& path = (*batch.plan().plan)[batch.plan().parameters[k]].path;
        // A key's bias changes no softmax: its gradient is rounding, which Adam makes large.
        if (path.ends_with(".b_K")) continue;
        CHECK(find_difference(path, *trainer.parameters()[k], golden.tensors.at(path), 1e-3, 1) ==
              "");
    }
}

}  // namespace

TEST_CASE("pairs: forty steps end where PyTorch's do, with attention and without") {
    train_as("pairs-recurrent", recurrent(Switch::On));
    train_as("pairs-without-attention", recurrent(Switch::Off));
    train_as("pairs-transformer", transformer());
}

TEST_CASE("pairs: what makes no logits, or is too long, is refused") {
    AlignmentStudy cross = transformer();
    cross.mechanism = AlignmentMechanism::Cross;
    CHECK_THROWS_WITH(PairBatch(cross, words(7), words(9), {1, 2, 2}, 1),
                      doctest::Contains("these settings write no target"));
    const PairBatch batch(recurrent(Switch::On), words(7), words(9), {1, 2, 2}, 1);
    const PairExample long_one[] = {{{1, 2, 3}, {4}}};
    CHECK_THROWS_WITH(batch.shard(long_one), doctest::Contains("there is room for 2 and 2"));
    const PairExample two[] = {{{1}, {4}}, {{1}, {4}}};
    CHECK_THROWS_WITH(batch.shard(two), doctest::Contains("room for 1 pairs, not 2"));
}

}  // namespace headlight::pair_golden_test
