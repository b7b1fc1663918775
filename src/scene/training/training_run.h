// Training run: a training on a thread of its own, which takes orders and shows snapshots.
//
// Goals: the window never waits for it; orders are carried out between two steps, in their order.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "scene/training/training_snapshot.h"

namespace headlight {

class TrainingWorker;

/// How many threads a batch of that size is parted among, leaving one for the window.
int training_threads(int batch);

class TrainingRun {
  public:
    /// Begins without a step. `wake` is called from the run's thread when there is a new snapshot.
    TrainingRun(const TaskEntry& task, Recipe recipe, int n_threads, std::function<void()> wake);
    ~TrainingRun();
    TrainingRun(const TrainingRun&) = delete;
    TrainingRun& operator=(const TrainingRun&) = delete;

    const TaskEntry& task() const { return task_; }
    const Recipe& recipe() const { return recipe_; }  // that it began with
    int n_threads() const { return n_threads_; }
    std::shared_ptr<const TrainingSnapshot> snapshot() const;

    void play();
    void pause();
    /// As many steps; then it rests.
    void make_steps(long count);

    // Orders as in training_worker.h. Each returns its number; the snapshot says how many of them
    // have been carried out.
    long set_learning_rate(double rate);
    long set_interventions(const Interventions& interventions);
    long set_cells(const Interventions& cells);
    long go_on_from(long step);
    long measure_on(Document study);
    long measure_without(const std::string& head);

    /// Steps are to be made.
    bool is_playing() const;
    /// Something goes on that ends by itself soon: an order, or steps that were counted.
    bool is_busy() const;
    /// Until nothing of that kind goes on.
    void wait() const;

  private:
    using Order = std::function<void(TrainingWorker&)>;

    long order(Order order);
    void call();
    bool rests() const { return has_ended_ || is_playing_ || is_idle_; }
    void run(std::stop_token stop);
    void work(TrainingWorker& worker, std::stop_token stop);
    bool take_orders(TrainingWorker& worker);
    bool make_step(TrainingWorker& worker);
    void wait_for_orders(std::stop_token stop);
    void publish(const TrainingWorker& worker);
    void fail(const std::string& why);

    const TaskEntry& task_;
    const Recipe recipe_;
    const int n_threads_;
    std::function<void()> wake_;

    mutable std::mutex mutex_;  // guards what follows
    mutable std::condition_variable_any changed_;
    std::deque<Order> orders_;
    long n_ordered_ = 0, n_done_ = 0;
    bool is_playing_ = false;
    bool is_idle_ = false;    // the thread waits for orders
    bool has_ended_ = false;  // it takes no orders any more
    long steps_left_ = 0;     // of those that were counted
    std::shared_ptr<const TrainingSnapshot> snapshot_;

    std::jthread thread_;  // joined first
};

}  // namespace headlight
