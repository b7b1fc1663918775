// The outputs of a command, among them a terminal that shows its progress.
#pragma once

#include <chrono>
#include <istream>
#include <ostream>
#include <thread>

#include "core/progress.h"

namespace headlight {

/// The outputs of a command: results, notes, and progress while the user waits at a terminal.
struct Streams {
    std::ostream& out;
    std::ostream& err;
    std::ostream* terminal = nullptr;  // null: there is none
    std::istream* answers = nullptr;   // the typed answers; null: nobody can be asked
};

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
