// Workers: threads that share the pieces of one computation with the thread that asks for it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/numeric/parallel.h"

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

}  // namespace headlight
