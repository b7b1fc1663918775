#include "learn/image_task.h"

#include "core/error.h"

namespace headlight {

const ImageStudy& image_study_in(const Recipe& recipe) {
    const ImageStudy* image = recipe.study.image();
    if (!image) throw Error("training", recipe.task + " needs the study of a picture");
    return *image;
}

ImageTask::ImageTask(std::unique_ptr<const ImageSource> source, const Recipe& recipe,
                     int shard_size)
    : source_(std::move(source)),
      study_(recipe.study),
      batch_(image_study_in(recipe), source_->classes(), shard_size, recipe.seed) {}

Shard ImageTask::draw(Random& random) const {
    std::vector<ImageExample> examples;
    while (std::ssize(examples) < batch_.size()) examples.push_back(source_->draw(random));
    return batch_.shard(examples);
}

std::vector<Shard> ImageTask::held_out() const {
    return fill_shards(batch_, source_->held_out());
}

}  // namespace headlight
