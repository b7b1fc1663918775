// Autosave: writes the journal of a window on a thread of its own, so that no frame waits for the
// disk.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "io/studies/journal.h"

namespace headlight {

/// The most that a crash can cost, besides the time of writing it.
inline constexpr double kAutosave_secs = 1;

class Autosave {
  public:
    explicit Autosave(std::filesystem::path journal);
    ~Autosave();  // when all is written
    Autosave(const Autosave&) = delete;
    Autosave& operator=(const Autosave&) = delete;

    /// Schedules the works to be written soon, unless newer ones follow. A failed write is
    /// repeated.
    void post(OpenWorks works);
    /// When all that was posted is written, true; false if it cannot be.
    bool flush();
    /// Why the journal cannot be written now; empty: it can.
    std::string problem() const;

  private:
    void run(const std::stop_token& stop);
    void write(std::unique_lock<std::mutex>& lock);

    Journal journal_;
    mutable std::mutex mutex_;  // guards the members below
    std::condition_variable_any changed_;
    std::optional<OpenWorks> pending_;
    bool is_hurried_ = false;
    std::string problem_;
    std::jthread thread_;  // ends first
};

}  // namespace headlight
