// Autosave: writes the journal of a window on a thread of its own, so that no frame waits for the
// disk.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "io/studies/journal.h"

namespace headlight {

/// What a crash can cost at most, besides the time of writing it.
inline constexpr double kAutosave_secs = 1;

class Autosave {
  public:
    explicit Autosave(std::filesystem::path journal);
    ~Autosave();  // when all is written
    Autosave(const Autosave&) = delete;
    Autosave& operator=(const Autosave&) = delete;

    /// Is written soon, unless there is something newer by then; again and again while it cannot
    /// be.
    void post(OpenWorks works);
    /// When all that was posted is written, true; false if it cannot be.
    bool flush();
    /// Why the journal cannot be written now; empty: it can.
    std::string problem() const;

  private:
    void run(const std::stop_token& stop);
    void write(std::unique_lock<std::mutex>& lock);

    Journal journal_;
    mutable std::mutex mutex_;  // of what follows
    std::condition_variable_any changed_;
    std::optional<OpenWorks> pending_;
    bool is_hurried_ = false;
    std::string problem_;
    std::jthread thread_;  // ends first
};

}  // namespace headlight
