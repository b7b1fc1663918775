// SweepRun: a sweep over all components, in the background of the window, and its result.
#pragma once

#include <functional>
#include <optional>

#include "model/workers.h"
#include "views/finished_sweep.h"

namespace headlight {

class SweepRun {
  public:
    /// `wake` is called from another thread when the sweep is done.
    explicit SweepRun(std::function<void()> wake) : wake_(std::move(wake)) {}

    /// Takes the place of a sweep that runs.
    void start(SweepJob order);
    void cancel();
    /// Takes over a finished sweep, once a frame. Throws Error if the sweep did.
    void update();
    void wait();

    bool is_running() const { return running_.is_running(); }
    const Progress& progress() const { return running_.progress(); }
    /// Returns the last sweep that was done; null if there is none.
    const FinishedSweep* done() const { return done_ ? &*done_ : nullptr; }

  private:
    std::function<void()> wake_;
    SweepJob order_;
    std::optional<FinishedSweep> done_;
    bool is_wanted_ = false;
    Background<SweepResult> running_;  // ends before what it reads
};

}  // namespace headlight
