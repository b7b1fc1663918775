// Image batch: pictures and what they show, as many at a time as a plan has room for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "learn/trainer.h"
#include "model/document.h"

namespace headlight {

struct ImageExample {
    std::vector<float> pixels;  // row by row, channels last, 0 … 1
    Index shown = 0;            // a class
};

class ImageBatch {
  public:
    /// All pictures are as large as the study's. Throws Error if it has not as many classes as
    /// there are names.
    ImageBatch(const ImageStudy& study, const std::vector<std::string>& classes, Index n_images,
               std::uint64_t seed);

    const TrainingPlan& plan() const { return plan_; }
    Index size() const { return n_images_; }

    /// At most as many as there is room for; what is left is black.
    Shard shard(std::span<const ImageExample> examples) const;

  private:
    TrainingPlan plan_;
    Index n_images_;
    Index n_pixels_, n_channels_;  // of one picture
    TensorId image_ = 0;
};

}  // namespace headlight
