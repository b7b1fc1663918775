// SweepRun: a sweep over all components, in the background of the window, and its result.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "model/background.h"
#include "model/sweep/sweep.h"

namespace headlight {

/// What a sweep was asked for, and of what.
struct SweepOrder {
    SweepSettings settings = {};
    LogitQuestion question = {};
    std::string asked = {};  // "␣Mary − ␣John after ␣to", for pictures
    std::shared_ptr<const Document> document = {};
    std::shared_ptr<const Trace> base = {};  // of the document
    std::shared_ptr<const Trace> from = {};  // of SweepKind::Patch
};

class SweepRun {
  public:
    /// `wake` is called from another thread when the sweep is done.
    explicit SweepRun(std::function<void()> wake) : wake_(std::move(wake)) {}

    /// Takes the place of a sweep that runs.
    void start(SweepOrder order);
    void cancel();
    /// Once a frame: takes what is done. Throws Error if the sweep did.
    void update();
    void wait();

    bool is_running() const { return running_.is_running(); }
    const Progress& progress() const { return running_.progress(); }
    /// The last one that was done; its order says of what. Null: there is none.
    const SweepResult* result() const { return result_ ? &*result_ : nullptr; }
    const SweepOrder& order() const { return done_; }

  private:
    std::function<void()> wake_;
    SweepOrder order_, done_;
    std::optional<SweepResult> result_;
    bool is_wanted_ = false;
    Background<SweepResult> running_;  // ends before what it reads
};

}  // namespace headlight
