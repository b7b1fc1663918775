#include "model/strand.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace headlight {

struct Strand::State {
    explicit State(Turn of_work) : turn(std::move(of_work)) {}

    void run(const std::stop_token& stop);

    const Turn turn;
    std::mutex mutex;  // guards the next two lines
    bool is_called = true;
    long n_turns = 0;
    std::condition_variable_any changed;
    std::jthread thread;  // joined first
};

void Strand::State::run(const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
        is_called = false;
        lock.unlock();
        const double secs = turn();
        lock.lock();
        ++n_turns;
        changed.notify_all();
        const auto is_due = [this] { return is_called; };
        if (secs == kNever)
            changed.wait(lock, stop, is_due);
        else if (secs > 0)
            changed.wait_for(lock, stop, std::chrono::duration<double>(secs), is_due);
    }
}

Strand::Strand(Turn turn) : state_(std::make_shared<State>(std::move(turn))) {
    state_->thread =
        std::jthread([state = state_.get()](const std::stop_token& stop) { state->run(stop); });
}

Strand::~Strand() {
    state_->thread.request_stop();
    state_->thread.join();
}

void Strand::call() {
    const std::lock_guard lock(state_->mutex);
    state_->is_called = true;
    state_->changed.notify_all();
}

void Strand::wait(const std::function<bool()>& until) const {
    while (true) {
        std::unique_lock lock(state_->mutex);
        const long seen = state_->n_turns;
        lock.unlock();
        if (until()) return;
        lock.lock();
        state_->changed.wait(lock, [&] { return state_->n_turns != seen; });
    }
}

double make_turns(double) {
    return Strand::kNever;
}

}  // namespace headlight
