// Shifts: nine heads that look anywhere near, and learn to look at the neighbours of a pixel, so
// that together they are a convolution.                            [Cordonnier 2020, theorem 1]
#pragma once

#include "learn/task.h"

namespace headlight {

/// The task learns the centers of the nine heads, and the width of their look; the kernel stays as
/// it is. The loss is the squared error beside the convolution of the same picture, pixel by pixel.
/// Pictures are of random pixels, as large as the study's.
class ShiftsTask : public Task {
  public:
    /// Throws Error if the recipe's study is no convolution.
    ShiftsTask(const Recipe& recipe, int shard_size);

    const TrainingPlan& plan() const override { return plan_; }
    Document study() const override { return study_; }
    Shard draw(Random& random) const override;
    std::vector<Shard> held_out() const override;
    const char* target_noun() const override { return "pixels"; }
    std::string tested_noun() const override { return "pixels of held-out pictures"; }

  private:
    Document study_;
    TrainingPlan plan_, convolution_;
    TensorId image_ = 0, convolved_image_ = 0;
};

Recipe shifts_recipe();

}  // namespace headlight
