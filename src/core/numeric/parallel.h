// Runs independent pieces of work: one by one, or by a caller's threads.
#pragma once

#include <functional>
#include <utility>

#include "core/matrix.h"
#include "core/progress.h"

namespace headlight {

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
