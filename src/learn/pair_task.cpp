#include "learn/pair_task.h"

#include "core/error.h"

namespace headlight {
namespace {

const AlignmentStudy& alignment_study(const Recipe& recipe) {
    const AlignmentStudy* study = recipe.study.alignment();
    if (!study) throw Error("training", recipe.task + " needs the study of a pair of texts");
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
