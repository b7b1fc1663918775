#include "learn/sequence_task.h"

#include <algorithm>

#include "core/error.h"

namespace headlight {
namespace {

const StackSettings& sentence_settings(const Recipe& recipe) {
    const SentenceStudy* sentence = recipe.study.sentence();
    if (!sentence) throw Error("training", recipe.task + " needs the study of a sentence");
    return sentence->layer;
}

/// How many answers are the next word of the text itself.
long count_that_follow(const SequenceExample& example) {
    return std::ranges::count_if(example.targets, [&](const PlaceTarget& target) {
        const auto next = static_cast<std::size_t>(target.place + 1);
        return next < example.words.size() && example.words[next] == target.word;
    });
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
        throw Error("training", recipe.task +
                                    " asks for words that stand next in the text; without "
                                    "mask.causal the network would read them there");
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
        n_that_follow += count_that_follow(example);
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
