// The files of one training: those that are read, those that are written, and the moments of
// writing.
//
// Goals: nothing that is read is lost; a full disk costs no training.
#pragma once

#include <filesystem>

#include "cli/commands.h"
#include "learn/training.h"

namespace headlight {

struct TrainTask;

class TrainingFiles {
  public:
    /// Throws Error, before anything is trained, unless all outputs differ from each other and from
    /// the files that are read, and have a folder.
    TrainingFiles(const TrainTask& options, const Streams& streams);

    /// Writes the state from which the training can go on, beside the weights. Where it cannot, a
    /// note says so, the first time; the training goes on.
    void keep(const Training& training);
    /// True if it was written the last time.
    bool is_kept() const { return !has_failed_; }
    /// Removes the kept state.
    void forget();
    /// Writes the weights; if there is no room for them where they belong, among temporary files,
    /// and throws Error, which says where they are.
    void write(const Weights& weights, const Recipe& recipe) const;

  private:
    std::filesystem::path output_;
    const Streams& streams_;
    bool has_failed_ = false;
};

}  // namespace headlight
