#include "learn/sequence_batch.h"

#include <optional>

#include "core/error.h"

namespace headlight {
namespace {

/// Every sentence is words of the table; which ones is said by each shard.
Plan plan_batch(const StackSettings& settings, const SharedNames& vocabulary, Index n_sentences,
                Index n_words, std::uint64_t seed) {
    const Words words(static_cast<std::size_t>(n_words), vocabulary->front());
    return plan_sentences(std::vector<Words>(static_cast<std::size_t>(n_sentences), words),
                          settings, seed,
                          {vocabulary, [](const std::string&) { return Index(0); }});
}

}  // namespace

SequenceBatch::SequenceBatch(const StackSettings& settings, const SharedNames& vocabulary,
                             Index n_sentences, Index n_words, std::uint64_t seed)
    : n_sentences_(n_sentences), n_words_(n_words) {
    if (settings.unembedding == Unembedding::None)
        throw Error("training", "without W_U no word is right or wrong; set the next word");
    plan_ = training_plan(plan_batch(settings, vocabulary, n_sentences, n_words, seed), "logits");
    const Plan& plan = *plan_.plan;
    tokens_ = plan.id_at("tokens");
    mask_ = plan.id_at("mask");
    if (plan.find("asked")) asked_ = plan.id_at("asked");
    const Trace trace = compute(plan_.plan, {}, {}, nullptr);
    open_ = trace[mask_].value->topRows(n_words);
}

Shard SequenceBatch::shard(std::span<const SequenceExample> examples) const {
    if (std::ssize(examples) > n_sentences_)
        throw Error("training", "a batch has room for " + std::to_string(n_sentences_) +
                                    " sentences, not " + std::to_string(examples.size()));
    const Index n_rows = n_sentences_ * n_words_;
    auto tokens = std::make_shared<Matrix>(Matrix::Constant(n_rows, 1, Scalar(kNoRow)));
    auto mask = std::make_shared<Matrix>(open_.replicate(n_sentences_, 1));
    auto asked = std::make_shared<Matrix>(Matrix::Constant(n_sentences_, 1, Scalar(kNoRow)));
    Shard shard{
        {}, std::vector<Index>(static_cast<std::size_t>(asked_ ? n_sentences_ : n_rows), kNoClass)};
    for (Index s = 0; s < n_sentences_; ++s) {
        const bool is_there = s < std::ssize(examples);
        const SequenceExample* example =
            is_there ? &examples[static_cast<std::size_t>(s)] : nullptr;
        const Index n = example ? std::ssize(example->words) : 0;
        if (n > n_words_)
            throw Error("training", "a sentence has " + std::to_string(n) +
                                        " words, there is room for " + std::to_string(n_words_));
        mask->block(s * n_words_, n, n_words_, n_words_ - n).setConstant(kMasked);
        for (Index i = 0; i < n; ++i)
            (*tokens)(s * n_words_ + i, 0) =
                static_cast<Scalar>(example->words[static_cast<std::size_t>(i)]);
        if (!example) continue;
        for (const PlaceTarget& target : example->targets) {
            const Index row = s * n_words_ + target.place;
            if (asked_) (*asked)(s, 0) = static_cast<Scalar>(target.place);
            shard.classes[static_cast<std::size_t>(asked_ ? s : row)] = target.word;
        }
    }
    shard.inputs = {{tokens_, tokens}, {mask_, mask}};
    if (asked_) shard.inputs.push_back({*asked_, asked});
    return shard;
}

}  // namespace headlight
