// Training film: the heads of a network as they form, frame by frame, over the curves.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "views/training_snapshot.h"

namespace headlight {

class TrainingFilm {
  public:
    /// Films the steps 0 … last. There are more frames of the first steps, in which most happens.
    TrainingFilm(std::string title, long last_step, std::size_t n_frames = 60);

    /// True if the next frame is due at that step.
    bool is_due(long step) const { return next_ < steps_.size() && step >= steps_[next_]; }
    void add(long step, SharedWeights weights);

    /// Returns the bytes of a .gif or an animated .png. The study shows the heads; the snapshot has
    /// the curves. Throws Error if the file is neither, or if the study has no head.
    std::string bytes(const std::filesystem::path& file, const Document& study,
                      const TrainingSnapshot& snapshot) const;

  private:
    struct Frame {
        long step = 0;
        SharedWeights weights;
    };

    std::string title_;
    std::vector<long> steps_;  // at which frames are due, ascending
    std::size_t next_ = 0;
    std::vector<Frame> frames_;
};

}  // namespace headlight
