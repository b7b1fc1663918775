#include "learn/sequence_task.h"

#include "core/error.h"

namespace headlight {
namespace {

const StackSettings& settings_of(const Recipe& recipe) {
    const SentenceStudy* sentence = recipe.study.sentence();
    if (!sentence) throw Error("training", recipe.task + " needs the study of a sentence");
    return sentence->layer;
}

}  // namespace

SequenceTask::SequenceTask(std::unique_ptr<const SequenceSource> source, const Recipe& recipe,
                           int shard_size)
    : source_(std::move(source)),
      study_(recipe.study),
      batch_(settings_of(recipe),
             std::make_shared<const std::vector<std::string>>(source_->vocabulary()), shard_size,
             source_->most_words(), recipe.seed) {}

Shard SequenceTask::draw(Random& random) const {
    std::vector<SequenceExample> examples;
    while (std::ssize(examples) < batch_.size()) examples.push_back(source_->draw(random));
    return batch_.shard(examples);
}

std::vector<Shard> SequenceTask::held_out() const {
    return fill_shards(batch_, source_->held_out());
}

}  // namespace headlight
