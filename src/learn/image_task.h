// Image task: pictures of a source, told apart by the network of an image study.
#pragma once

#include "learn/image_batch.h"
#include "learn/task.h"

namespace headlight {

/// Where pictures come from, and what they can show.
class ImageSource {
  public:
    virtual ~ImageSource() = default;

    virtual const std::vector<std::string>& classes() const = 0;
    virtual ImageExample draw(Random& random) const = 0;
    /// Drawn from another seed. The same ones every time.
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

    const ImageBatch& batch() const { return batch_; }

  private:
    std::unique_ptr<const ImageSource> source_;
    Document study_;
    ImageBatch batch_;
};

/// Throws Error if the recipe's study is not about a picture.
const ImageStudy& image_study_in(const Recipe& recipe);

}  // namespace headlight
