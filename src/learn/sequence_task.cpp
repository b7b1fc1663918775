#include "learn/sequence_task.h"

#include <optional>

#include "core/error.h"

namespace headlight {
SequenceBatch::SequenceBatch(const StackSettings& settings, const SharedNames& vocabulary,
                             Index n_sentences, Index n_words, std::uint64_t seed)
    : n_sentences_(n_sentences), n_words_(n_words) {
    if (settings.unembedding == Unembedding::None)
        throw Error("training", "without W_U no word is right or wrong; set the next word");
    // Every sentence of the plan is words of the table; each shard says which ones.
    const Words words(static_cast<std::size_t>(n_words), vocabulary->front());
    const std::vector<Words> sentences(static_cast<std::size_t>(n_sentences), words);
    const WordTable table{vocabulary, [](const std::string&) { return Index(0); }};
    plan_ = training_plan(plan_sentences(sentences, settings, seed, table), "logits");
    const Plan& plan = *plan_.plan;
    tokens_ = plan.id_at("tokens");
    mask_ = plan.id_at("mask");
    if (plan.find("asked")) asked_ = plan.id_at("asked");
    const Trace trace = compute(plan_.plan, {}, {}, nullptr);
    open_ = trace[mask_].value->topRows(n_words);
}

Shard SequenceBatch::shard(std::span<const SequenceExample> examples) const {
    if (std::ssize(examples) > n_sentences_)
        throw Error("training", "a batch has room for {} sentences, not {}", n_sentences_,
                    examples.size());
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
            throw Error("training", "a sentence has {} words, there is room for {}", n, n_words_);
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

namespace {

const StackSettings& sentence_settings(const Recipe& recipe) {
    const SentenceStudy* sentence = recipe.study.sentence();
    if (!sentence) throw Error("training", "{} needs the study of a sentence", recipe.task);
    return sentence->layer;
}

void check_settings(const Recipe& recipe, Readout readout, bool do_answers_follow) {
    const StackSettings& layer = sentence_settings(recipe);
    if (layer.readout != readout)
        throw Error("training", recipe.task + (readout == Readout::Pronoun
                                                   ? " asks which noun “it” stands for: its "
                                                     "readout is \"pronoun\""
                                                   : " asks for the next word, not for a pronoun: "
                                                     "its readout is \"next-word\""));
    if (do_answers_follow && layer.mask.causal != Switch::On)
        throw Error("training",
                    "{} asks for words that stand next in the text; without mask.causal the "
                    "network would read them there",
                    recipe.task);
}

}  // namespace

SequenceTask::SequenceTask(std::unique_ptr<const SequenceSource> source, const Recipe& recipe,
                           int shard_size)
    : source_(std::move(source)),
      study_(recipe.study),
      batch_(sentence_settings(recipe),
             std::make_shared<const std::vector<std::string>>(source_->vocabulary()), shard_size,
             source_->most_words(), recipe.seed) {
    constexpr int kLooked = 8;  // a drawn example may have one target by chance
    Random random(kHeldOutSeed);
    long n_targets = 0, n_that_follow = 0;
    for (int k = 0; k < kLooked; ++k) {
        const SequenceExample example = source_->draw(random);
        has_many_targets_ = has_many_targets_ || example.targets.size() > 1;
        n_targets += std::ssize(example.targets);
        for (const PlaceTarget& target : example.targets) {
            const auto next = static_cast<std::size_t>(target.place + 1);
            if (next < example.words.size() && example.words[next] == target.word) ++n_that_follow;
        }
    }
    check_settings(recipe, source_->readout(), 2 * n_that_follow > n_targets);
}

Shard SequenceTask::draw(Random& random) const {
    std::vector<SequenceExample> examples;
    while (std::ssize(examples) < batch_.size()) examples.push_back(source_->draw(random));
    return batch_.shard(examples);
}

std::vector<Shard> SequenceTask::held_out() const {
    return fill_shards(batch_, source_->held_out());
}

}  // namespace headlight
