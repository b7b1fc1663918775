// A line on a terminal: how far work is that takes a while.
#pragma once

#include <chrono>
#include <ostream>
#include <thread>

#include "core/progress.h"

namespace headlight {

/// While it exists, the last line of the terminal shows the progress, after an initial delay. It
/// leaves the line empty. Null: there is no terminal, and it does nothing.
class ProgressLine {
  public:
    explicit ProgressLine(std::ostream* terminal,
                          std::chrono::milliseconds patience = std::chrono::seconds(1));

    /// The progress of the work.
    Progress& progress() { return progress_; }

  private:
    void show_progress(std::ostream& terminal, const std::stop_token& stop,
                       std::chrono::milliseconds patience) const;

    Progress progress_;
    std::jthread worker_;  // ends before the progress that it reads
};

}  // namespace headlight
