#include "scene/training/training_run.h"

#include <algorithm>
#include <chrono>
#include <new>

#include "core/error.h"
#include "scene/training/training_worker.h"

namespace headlight {
namespace {

/// Snapshots while it plays: as often as an eye can follow.
constexpr std::chrono::milliseconds kBetweenSnapshots{50};

}  // namespace

int training_threads(int batch) {
    constexpr int kMost = 8;
    for (int n = std::min(kMost, count_spare_threads()); n > 1; --n)
        if (batch % n == 0) return n;
    return 1;
}

TrainingRun::TrainingRun(const TaskEntry& task, Recipe recipe, int n_threads,
                         std::function<void()> wake)
    : task_(task),
      recipe_(std::move(recipe)),
      n_threads_(n_threads),
      wake_(std::move(wake)),
      snapshot_(std::make_shared<const TrainingSnapshot>()),
      thread_([this](std::stop_token stop) { run(stop); }) {}

TrainingRun::~TrainingRun() {
    thread_.request_stop();
    changed_.notify_all();
}

std::shared_ptr<const TrainingSnapshot> TrainingRun::snapshot() const {
    const std::lock_guard lock(mutex_);
    return snapshot_;
}

long TrainingRun::order(Order order) {
    const std::lock_guard lock(mutex_);
    orders_.push_back(std::move(order));
    call();
    return ++n_ordered_;
}

/// Wakes the thread; it is not idle from now on.
void TrainingRun::call() {
    is_idle_ = false;
    changed_.notify_all();
}

void TrainingRun::play() {
    const std::lock_guard lock(mutex_);
    is_playing_ = true;
    call();
}

void TrainingRun::pause() {
    const std::lock_guard lock(mutex_);
    is_playing_ = false;
    steps_left_ = 0;
    call();
}

void TrainingRun::make_steps(long count) {
    const std::lock_guard lock(mutex_);
    is_playing_ = false;
    steps_left_ += count;
    call();
}

long TrainingRun::set_learning_rate(double rate) {
    return order([rate](TrainingWorker& worker) { worker.set_learning_rate(rate); });
}

long TrainingRun::set_interventions(const Interventions& interventions) {
    return order([interventions](TrainingWorker& w) { w.set_interventions(interventions); });
}

long TrainingRun::set_cells(const Interventions& cells) {
    return order([cells](TrainingWorker& worker) { worker.set_cells(cells); });
}

long TrainingRun::go_on_from(long step) {
    return order([step](TrainingWorker& worker) { worker.go_on_from(step); });
}

long TrainingRun::measure_on(Document study) {
    return order([study = std::move(study)](TrainingWorker& w) { w.measure_on(study); });
}

long TrainingRun::measure_without(const std::string& head) {
    return order([head](TrainingWorker& worker) { worker.measure_without(head); });
}

bool TrainingRun::is_playing() const {
    const std::lock_guard lock(mutex_);
    return is_playing_ || steps_left_ > 0;
}

bool TrainingRun::is_busy() const {
    const std::lock_guard lock(mutex_);
    return !rests();
}

void TrainingRun::wait() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return rests(); });
}

// ---- on the run's thread ----

void TrainingRun::run(std::stop_token stop) {
    try {
        TrainingWorker worker(task_, recipe_, n_threads_);
        publish(worker);
        work(worker, stop);
    } catch (const Error& error) {
        fail(error.what());
    } catch (const std::bad_alloc&) {
        fail("[memory] there is not enough for this network and batch; take less");
    }
}

void TrainingRun::work(TrainingWorker& worker, std::stop_token stop) {
    auto published = std::chrono::steady_clock::now();
    while (!stop.stop_requested()) {
        const bool had_orders = take_orders(worker);
        const bool has_stepped = make_step(worker);
        const auto now = std::chrono::steady_clock::now();
        const bool is_due = now - published >= kBetweenSnapshots;
        if (!has_stepped || is_due) {
            const bool has_measured = worker.measure_next();
            if (has_stepped || had_orders || is_due) publish(worker), published = now;
            if (has_stepped || has_measured || had_orders) continue;
            publish(worker);
            wait_for_orders(stop);
        }
    }
}

bool TrainingRun::take_orders(TrainingWorker& worker) {
    std::deque<Order> orders;
    {
        const std::lock_guard lock(mutex_);
        orders.swap(orders_);
    }
    for (const Order& order : orders) order(worker);
    const std::lock_guard lock(mutex_);
    n_done_ += std::ssize(orders);
    return !orders.empty();
}

/// False if none is due.
bool TrainingRun::make_step(TrainingWorker& worker) {
    {
        const std::lock_guard lock(mutex_);
        if (!is_playing_ && steps_left_ == 0) return false;
    }
    if (worker.can_step()) worker.step();
    const std::lock_guard lock(mutex_);
    if (steps_left_ > 0) --steps_left_;
    if (!worker.can_step()) is_playing_ = false, steps_left_ = 0;
    const bool rests = !is_playing_ && steps_left_ == 0;
    if (rests) worker.keep_checkpoint();
    return true;
}

void TrainingRun::wait_for_orders(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    const auto is_wanted = [this] { return !orders_.empty() || is_playing_ || steps_left_ > 0; };
    if (is_wanted()) return;
    is_idle_ = true;  // until somebody calls
    changed_.notify_all();
    lock.unlock();
    if (wake_) wake_();
    lock.lock();
    changed_.wait(lock, stop, [&] { return !is_idle_ || is_wanted(); });
    is_idle_ = false;
}

void TrainingRun::publish(const TrainingWorker& worker) {
    auto next = std::make_shared<TrainingSnapshot>(worker.snapshot());
    {
        const std::lock_guard lock(mutex_);
        next->n_orders = n_done_;
        if ((is_playing_ || steps_left_ > 0) && worker.can_step())
            next->phase = TrainingSnapshot::Phase::Running;
        snapshot_ = std::move(next);
    }
    if (wake_) wake_();
}

void TrainingRun::fail(const std::string& why) {
    {
        const std::lock_guard lock(mutex_);
        auto failed = std::make_shared<TrainingSnapshot>(*snapshot_);
        failed->phase = TrainingSnapshot::Phase::Failed;
        failed->message = why;
        failed->n_orders = n_ordered_;
        snapshot_ = std::move(failed);
        is_playing_ = false;
        has_ended_ = true;
        changed_.notify_all();
    }
    if (wake_) wake_();
}

}  // namespace headlight
