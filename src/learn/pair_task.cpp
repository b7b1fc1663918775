#include "learn/pair_task.h"

#include <algorithm>

#include "core/error.h"
#include "core/mechanisms/recurrent.h"
#include "core/mechanisms/transformer.h"
#include "model/vocabulary.h"

namespace headlight {
namespace {

Plan plan_batch(const AlignmentStudy& study, const WordTables& tables, const PairSizes& sizes,
                std::uint64_t seed) {
    const auto words = [](const WordTable& table, Index n) {
        return Words(static_cast<std::size_t>(n), table.words->front());
    };
    const std::vector<SourceTarget> pairs(
        static_cast<std::size_t>(sizes.n_pairs),
        {words(tables.source, sizes.n_source), words(tables.target, sizes.n_target)});
    if (study.mechanism == AlignmentMechanism::Recurrent)
        return plan_recurrent_pairs(pairs, study.recurrent, seed, tables);
    const bool writes = study.mechanism == AlignmentMechanism::Transformer &&
                        study.layer.unembedding != Unembedding::None;
    if (!writes)
        throw Error("training",
                    "these settings write no target; choose a recurrent network, or a Transformer "
                    "with the next word");
    return plan_encoder_decoder_pairs(pairs, study.layer, seed, tables);
}

std::optional<TensorId> leaf_at(const Plan& plan, const char* path) {
    if (!plan.find(path)) return std::nullopt;
    return plan.id_at(path);
}

}  // namespace

PairBatch::PairBatch(const AlignmentStudy& study, const SharedNames& source,
                     const SharedNames& target, const PairSizes& sizes, std::uint64_t seed)
    : sizes_(sizes) {
    const WordTables tables{word_table(source), word_table(target)};
    start_ = tables.target.find_row(kStartWord), end_ = tables.target.find_row(kEndWord);
    plan_ = training_plan(plan_batch(study, tables, sizes, seed), "logits");
    const Plan& plan = *plan_.plan;
    source_tokens_ = plan.id_at("encoder.tokens");
    target_tokens_ = plan.id_at("decoder.tokens");
    source_mask_ = leaf_at(plan, "encoder.mask");
    cross_mask_ = leaf_at(plan, "cross_mask");
}

void PairBatch::check(std::span<const PairExample> examples) const {
    if (std::ssize(examples) > sizes_.n_pairs)
        throw Error("training", "a batch has room for {} pairs, not {}", sizes_.n_pairs,
                    examples.size());
    for (const PairExample& example : examples)
        if (std::ssize(example.source) > sizes_.n_source ||
            std::ssize(example.target) > sizes_.n_target)
            throw Error("training", "a pair has {} and {} words, there is room for {} and {}",
                        example.source.size(), example.target.size(), sizes_.n_source,
                        sizes_.n_target);
}

Shard PairBatch::shard(std::span<const PairExample> examples) const {
    check(examples);
    const Index m = n_steps(), n_rows = sizes_.n_pairs * m;
    auto source = std::make_shared<Matrix>(sizes_.n_pairs * sizes_.n_source, 1);
    auto target = std::make_shared<Matrix>(n_rows, 1);
    source->setConstant(Scalar(kNoRow)), target->setConstant(Scalar(kNoRow));
    Shard shard{{}, std::vector<Index>(static_cast<std::size_t>(n_rows), kNoClass)};
    for (Index p = 0; p < std::ssize(examples); ++p) {
        const PairExample& example = examples[static_cast<std::size_t>(p)];
        for (Index i = 0; i < std::ssize(example.source); ++i)
            (*source)(p * sizes_.n_source + i, 0) =
                static_cast<Scalar>(example.source[static_cast<std::size_t>(i)]);
        Index before = start_;
        for (Index i = 0; i <= std::ssize(example.target); ++i) {
            const bool is_last = i == std::ssize(example.target);
            const Index word = is_last ? end_ : example.target[static_cast<std::size_t>(i)];
            (*target)(p * m + i, 0) = static_cast<Scalar>(before);
            shard.classes[static_cast<std::size_t>(p * m + i)] = word;
            before = word;
        }
    }
    shard.inputs = {{source_tokens_, source}, {target_tokens_, target}};
    // No query of a pair reads a key at its number of words or after it.
    const auto give_mask = [&](std::optional<TensorId> leaf, Index n_query) {
        if (!leaf) return;
        const auto mask = std::make_shared<Matrix>(
            Matrix::Constant(sizes_.n_pairs * n_query, sizes_.n_source, kMasked));
        for (Index p = 0; p < std::ssize(examples); ++p) {
            const auto& words = examples[static_cast<std::size_t>(p)].source;
            mask->block(p * n_query, 0, n_query, std::ssize(words)).setZero();
        }
        shard.inputs.push_back({*leaf, mask});
    };
    give_mask(source_mask_, sizes_.n_source);
    give_mask(cross_mask_, m);
    return shard;
}

namespace {

const AlignmentStudy& alignment_study(const Recipe& recipe) {
    const AlignmentStudy* study = recipe.study.alignment();
    if (!study) throw Error("training", "{} needs the study of a pair of texts", recipe.task);
    return *study;
}

SharedNames shared(const std::vector<std::string>& words) {
    return std::make_shared<const std::vector<std::string>>(words);
}

}  // namespace

PairTask::PairTask(std::unique_ptr<const PairSource> source, const Recipe& recipe, int shard_size)
    : source_(std::move(source)),
      study_(recipe.study),
      batch_(alignment_study(recipe), shared(source_->source_vocabulary()),
             shared(source_->target_vocabulary()),
             {shard_size, source_->most_source_words(), source_->most_target_words()},
             recipe.seed) {}

Shard PairTask::draw(Random& random) const {
    std::vector<PairExample> examples;
    while (std::ssize(examples) < batch_.size()) examples.push_back(source_->draw(random));
    return batch_.shard(examples);
}

std::vector<Shard> PairTask::held_out() const {
    return fill_shards(batch_, source_->held_out());
}

}  // namespace headlight
