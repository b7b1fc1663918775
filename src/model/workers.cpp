#include "model/workers.h"

#include <algorithm>
#include <exception>

namespace headlight {
namespace {

/// How often an idle worker looks for the next job before it sleeps: the segments of an evaluation
/// follow each other faster than a thread wakes up.
constexpr int kLooks = 200;

}  // namespace

struct Workers::Job {
    Job(const std::function<void(Index)>& each, int n_tasks) : task(each), count(n_tasks) {}

    const std::function<void(Index)>& task;  // not touched once all tasks are taken
    const int count;
    std::atomic<int> n_taken = 0, n_done = 0;
    std::atomic<bool> has_failed = false;
    std::exception_ptr error = {};

    /// Runs tasks until all are taken.
    void help() {
        for (int i = n_taken++; i < count; i = n_taken++) {
            run_one(i);
            if (++n_done == count) n_done.notify_all();
        }
    }

    /// After a failure the other tasks are skipped.
    void run_one(int i) {
        if (has_failed) return;
        try {
            task(i);
        } catch (...) {
            if (!has_failed.exchange(true)) error = std::current_exception();
        }
    }

    void wait() const {
        for (int done = n_done; done != count; done = n_done) n_done.wait(done);
    }
};

int count_spare_threads() {
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency())) - 1;
}

Workers::Workers(int n_threads) {
    for (int i = 0; i < n_threads; ++i)
        threads_.emplace_back([this](std::stop_token stop) { work(stop); });
}

Workers::~Workers() {
    for (std::jthread& thread : threads_) thread.request_stop();
    ++n_jobs_;
    n_jobs_.notify_all();
}

ForEach Workers::for_each() {
    if (threads_.empty()) return serial();
    return {static_cast<int>(threads_.size()) + 1,
            [this](Index count, const ForEach::Task& task) { run(count, task); }};
}

void Workers::run(Index count, const std::function<void(Index)>& task) {
    if (count == 0) return;
    const auto job = std::make_shared<Job>(task, static_cast<int>(count));
    {
        const std::lock_guard lock(mutex_);
        job_ = job;
    }
    ++n_jobs_;
    n_jobs_.notify_all();
    job->help();
    job->wait();
    if (job->error) std::rethrow_exception(job->error);
}

void Workers::work(std::stop_token stop) {
    for (int seen = 0; !stop.stop_requested();) {
        for (int look = 0; look < kLooks && n_jobs_ == seen; ++look) std::this_thread::yield();
        n_jobs_.wait(seen);
        seen = n_jobs_;
        std::shared_ptr<Job> job;
        {
            const std::lock_guard lock(mutex_);
            job = job_;
        }
        if (job) job->help();
    }
}

}  // namespace headlight
