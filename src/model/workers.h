// Workers: threads that share the pieces of one computation with the thread that asks for it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/error.h"
#include "core/numeric/parallel.h"
#include "core/progress.h"

namespace headlight {

/// How many threads a computation can use besides the one that asks for it.
int count_spare_threads();

class Workers {
  public:
    explicit Workers(int n_threads);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    /// Shares the tasks among idle workers. The caller takes part, and waits only for tasks that
    /// have begun. The workers must outlive it.
    ForEach for_each();

  private:
    struct Job;

    void run(Index count, const std::function<void(Index)>& task);
    void work(std::stop_token stop);

    std::mutex mutex_;          // guards job_
    std::shared_ptr<Job> job_;  // the newest
    std::atomic<int> n_jobs_ = 0;
    std::vector<std::jthread> threads_;
};

/// All but the work itself is for the thread that owns it.
template <typename Result>
class Background {
  public:
    Background() = default;
    ~Background() { cancel(); }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    /// Nothing may be running. `wake` is called from the other thread when the result is there.
    void start(std::function<Result(Progress&)> work, std::function<void()> wake) {
        progress_ = std::make_shared<Progress>();
        started_at_ = Clock::now();
        is_cancelled_ = false;
        std::packaged_task<Result()> task([work = std::move(work), progress = progress_] {
            return need_memory_for("this", [&] { return work(*progress); });
        });
        result_ = task.get_future();
        thread_ = std::jthread([task = std::move(task), wake = std::move(wake)]() mutable {
            task();
            if (wake) wake();
        });
    }

    bool is_running() const { return result_.valid(); }  // until the result was taken
    bool is_ready() const {
        return is_running() && result_.wait_for(std::chrono::seconds(0)) == kReady;
    }
    void wait() const { result_.wait(); }
    /// Throws what the work throws. Throws Cancelled even if the work was done before it could be
    /// cancelled.
    Result take() {
        Result result = result_.get();
        if (is_cancelled_) throw Cancelled{};
        return result;
    }

    void cancel() {
        if (!is_running()) return;
        is_cancelled_ = true;
        progress_->cancel();
    }
    const Progress& progress() const { return *progress_; }  // of what is running
    double elapsed_secs() const {
        return std::chrono::duration<double>(Clock::now() - started_at_).count();
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr auto kReady = std::future_status::ready;

    std::shared_ptr<Progress> progress_;
    bool is_cancelled_ = false;
    Clock::time_point started_at_;
    std::future<Result> result_;
    std::jthread thread_;  // joined first
};

}  // namespace headlight
