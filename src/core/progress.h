// Progress of work: the share of a computation that is done, a request to cancel it, and the pieces
// that several threads may do.
//
// Goals: another thread than the computing ones may read a progress and cancel it.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "core/scalar.h"

namespace headlight {

/// Thrown by cancelled work. It is not an Error, because nothing is wrong.
struct Cancelled {};

/// The share of a computation that is done, and a request to cancel it.
class Progress {
  public:
    // These are for the waiting side.
    double share() const;    // the share of the work that is done, 0 … 1
    std::string at() const;  // the path of the tensor being computed; "" before the first
    void cancel() { is_cancelled_ = true; }
    bool is_cancelled() const { return is_cancelled_; }

    // These are for the computing side. Work is counted in estimated multiply-adds, or in any other
    // unit.
    void begin(double work);
    void enter(std::string what);  // throws Cancelled
    void advance(double work);     // throws Cancelled

  private:
    void check() const;

    std::atomic<double> total_ = 0, done_ = 0;
    std::atomic<bool> is_cancelled_ = false;
    mutable std::mutex mutex_;  // guards the next line
    std::string at_;
};

/// A share of a Progress, passed down to the code that does that part of the work.
class Steps {
  public:
    Steps() = default;  // reports to nobody
    Steps(Progress& progress, double work) : progress_(&progress), work_(work) {}

    /// Returns a share of these steps, from 0 to 1.
    Steps part(double share) const {
        Steps steps = *this;
        steps.work_ *= share;
        return steps;
    }

    /// Reports that share as done. Throws Cancelled.
    void advance(double share) const {
        if (progress_) progress_->advance(work_ * share);
    }

  private:
    Progress* progress_ = nullptr;
    double work_ = 0;
};

/// Runs independent pieces of work: one by one, or by a caller's threads.
class ForEach {
  public:
    using Task = std::function<void(Index)>;
    using Run = std::function<void(Index count, const Task& task)>;

    /// Calls task(0) … task(count − 1), in any order and up to n_threads at once, and returns when
    /// all are done. If tasks throw, it rethrows one of their exceptions.
    ForEach(int n_threads, Run run) : n_threads_(n_threads), run_(std::move(run)) {}

    int n_threads() const { return n_threads_; }
    void operator()(Index count, const Task& task) const { run_(count, task); }

    /// Returns a copy that reports progress to `progress`, which must outlive the work.
    ForEach followed_by(Progress& progress) const {
        ForEach followed = *this;
        followed.progress_ = &progress;
        return followed;
    }
    Progress* progress() const { return progress_; }  // null: nobody follows it

  private:
    int n_threads_;
    Run run_;
    Progress* progress_ = nullptr;
};

/// Runs the tasks one after another in the calling thread.
inline ForEach serial() {
    return {1, [](Index count, const ForEach::Task& task) {
                for (Index i = 0; i < count; ++i) task(i);
            }};
}

}  // namespace headlight
