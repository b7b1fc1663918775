// Workers: threads that share the pieces of one computation with the thread that asks for it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/pieces.h"
#include "core/progress.h"

namespace headlight {

/// Returns how many threads a computation can use besides the one that asks for it.
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
    struct Threads;

    std::unique_ptr<Threads> threads_;
};

/// Work beside the window: in a thread of its own or, where a program has none, piece by piece
/// between the frames. All functions but the work itself are for the thread that owns it.
class BackgroundWork {
  public:
    BackgroundWork();
    ~BackgroundWork();  // gives the work up after the piece that is being done

    /// Starts the work. None may be running. Between two pieces it can be cancelled. `wake` is
    /// called from the other thread when it has ended.
    void start(std::function<Pieces<>(Progress&)> work, std::function<void()> wake);

    bool is_running() const;  // until `finish` was called
    bool is_ready() const;
    void wait() const;
    /// Waits for the end. Throws what the work throws. Throws Cancelled even if the work was done
    /// before it could be cancelled.
    void finish();

    void cancel();
    const Progress& progress() const;  // of the running work
    double elapsed_secs() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Background work with a result, which `take` returns as it finishes the work.
template <typename Result>
class Background {
  public:
    /// Starts the work as BackgroundWork::start does.
    void start(std::function<Pieces<Result>(Progress&)> work, std::function<void()> wake) {
        result_ = std::make_shared<std::optional<Result>>();
        work_.start([result = result_, work = std::move(work)](
                        Progress& progress) -> Pieces<> { *result = co_await work(progress); },
                    std::move(wake));
    }
    /// Finishes the work as BackgroundWork::finish does, and returns its result.
    Result take() {
        const std::shared_ptr<std::optional<Result>> result = std::move(result_);
        work_.finish();
        return std::move(**result);
    }

    bool is_running() const { return work_.is_running(); }  // until the result was taken
    bool is_ready() const { return work_.is_ready(); }
    void wait() const { work_.wait(); }
    void cancel() { work_.cancel(); }
    const Progress& progress() const { return work_.progress(); }
    double elapsed_secs() const { return work_.elapsed_secs(); }

  private:
    std::shared_ptr<std::optional<Result>> result_;
    BackgroundWork work_;
};

}  // namespace headlight
