// Image task: pictures of a source, told apart by the network of an image study.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "learn/task.h"
#include "learn/trainer.h"
#include "model/document.h"

namespace headlight {

struct ImageExample {
    std::vector<float> pixels;  // row by row, channels last, 0 … 1
    Index shown = 0;            // a class
};

class ImageBatch {
  public:
    /// All pictures are as large as the study's. Throws Error if it does not have as many classes
    /// as there are names.
    ImageBatch(const ImageStudy& study, const std::vector<std::string>& classes, Index n_images,
               std::uint64_t seed);

    const TrainingPlan& plan() const { return plan_; }
    Index size() const { return n_images_; }

    /// Fills a shard with at most as many pictures as there is room for; the rest is black.
    Shard shard(std::span<const ImageExample> examples) const;

  private:
    TrainingPlan plan_;
    Index n_images_;
    Index n_pixels_, n_channels_;  // of one picture
    TensorId image_ = 0;
};

/// A source of pictures, and the classes that they can show.
class ImageSource {
  public:
    virtual ~ImageSource() = default;

    virtual const std::vector<std::string>& classes() const = 0;
    virtual ImageExample draw(Random& random) const = 0;
    /// Returns pictures drawn from another seed, the same ones every time.
    virtual std::vector<ImageExample> held_out() const = 0;
};

class ImageTask : public Task {
  public:
    /// Throws Error if the recipe's study is not about a picture, or tells no classes.
    ImageTask(std::unique_ptr<const ImageSource> source, const Recipe& recipe, int shard_size);

    const TrainingPlan& plan() const override { return batch_.plan(); }
    Document study() const override { return study_; }
    Shard draw(Random& random) const override;
    std::vector<Shard> held_out() const override;
    const char* target_noun() const override { return "pictures"; }

    const ImageBatch& batch() const { return batch_; }

  private:
    std::unique_ptr<const ImageSource> source_;
    Document study_;
    ImageBatch batch_;
};

/// Throws Error if the recipe's study is not about a picture.
const ImageStudy& image_study_in(const Recipe& recipe);

}  // namespace headlight
