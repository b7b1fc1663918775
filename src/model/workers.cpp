#include "model/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace headlight {
namespace {

/// The number of times that an idle worker looks for the next job before it sleeps: the segments of
/// an evaluation follow each other faster than a thread wakes up.
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

    /// Runs a task; after a failure the other tasks are skipped.
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

struct Workers::Threads {
    std::mutex mutex;          // guards the next line
    std::shared_ptr<Job> job;  // the newest
    std::atomic<int> n_jobs = 0;
    std::vector<std::jthread> threads;

    void run(Index count, const std::function<void(Index)>& task);
    void work(std::stop_token stop);
};

Workers::Workers(int n_threads) : threads_(std::make_unique<Threads>()) {
    try {
        for (int i = 0; i < n_threads; ++i)
            threads_->threads.emplace_back(
                [all = threads_.get()](std::stop_token stop) { all->work(stop); });
    } catch (const std::system_error&) {  // no memory for one more: the others do the work
    }
}

Workers::~Workers() {
    for (std::jthread& thread : threads_->threads) thread.request_stop();
    ++threads_->n_jobs;
    threads_->n_jobs.notify_all();
}

ForEach Workers::for_each() {
    Threads& all = *threads_;
    if (all.threads.empty()) return serial();
    return {static_cast<int>(all.threads.size()) + 1,
            [&all](Index count, const ForEach::Task& task) { all.run(count, task); }};
}

void Workers::Threads::run(Index count, const std::function<void(Index)>& task) {
    if (count == 0) return;
    const auto new_job = std::make_shared<Job>(task, static_cast<int>(count));
    {
        const std::lock_guard lock(mutex);
        job = new_job;
    }
    ++n_jobs;
    n_jobs.notify_all();
    new_job->help();
    new_job->wait();
    if (new_job->error) std::rethrow_exception(new_job->error);
}

void Workers::Threads::work(std::stop_token stop) {
    for (int seen = 0; !stop.stop_requested();) {
        for (int look = 0; look < kLooks && n_jobs == seen; ++look) std::this_thread::yield();
        n_jobs.wait(seen);
        seen = n_jobs;
        std::shared_ptr<Job> newest;
        {
            const std::lock_guard lock(mutex);
            newest = job;
        }
        if (newest) newest->help();
    }
}

}  // namespace headlight
