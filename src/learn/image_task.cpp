#include "learn/image_task.h"

#include <algorithm>

#include "core/error.h"
#include "core/mechanisms/image_attention.h"

namespace headlight {

ImageBatch::ImageBatch(const ImageStudy& study, const std::vector<std::string>& classes,
                       Index n_images, std::uint64_t seed)
    : n_images_(n_images), n_pixels_(study.rows * study.columns), n_channels_(study.channels) {
    const bool tells = study.layer.mechanism == ImageMechanism::Attention &&
                       study.layer.n_classes == std::ssize(classes);
    if (!tells)
        throw Error(
            "training",
            "there are {} classes to tell apart; set the mechanism \"attention\" and n_classes",
            classes.size());
    const Image images{study.columns, Matrix::Zero(n_images * n_pixels_, n_channels_), n_images};
    plan_ = training_plan(plan_image(images, study.layer, seed, classes), "logits");
    image_ = plan_.plan->id_at("image");
}

Shard ImageBatch::shard(std::span<const ImageExample> examples) const {
    if (std::ssize(examples) > n_images_)
        throw Error("training", "a batch has room for {} pictures, not {}", n_images_,
                    examples.size());
    auto pixels = std::make_shared<Matrix>(Matrix::Zero(n_images_ * n_pixels_, n_channels_));
    Shard shard{{}, std::vector<Index>(static_cast<std::size_t>(n_images_), kNoClass)};
    for (std::size_t k = 0; k < examples.size(); ++k) {
        const ImageExample& example = examples[k];
        if (std::ssize(example.pixels) != n_pixels_ * n_channels_)
            throw Error("training", "a picture of another size than the study's");
        std::ranges::copy(example.pixels, pixels->row(Index(k) * n_pixels_).data());
        shard.classes[k] = example.shown;
    }
    shard.inputs = {{image_, std::move(pixels)}};
    return shard;
}

const ImageStudy& image_study_in(const Recipe& recipe) {
    const ImageStudy* image = recipe.study.image();
    if (!image) throw Error("training", "{} needs the study of a picture", recipe.task);
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
