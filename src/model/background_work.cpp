// Background work: one turn of a strand.
#include <chrono>
#include <future>
#include <utility>

#include "core/error.h"
#include "model/strand.h"
#include "model/workers.h"

namespace headlight {

struct BackgroundWork::State {
    using Clock = std::chrono::steady_clock;

    bool has_ended() const {
        return end.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    }

    std::shared_ptr<Progress> progress;
    bool is_cancelled = false;
    Clock::time_point started_at;
    std::future<void> end;
    std::optional<Strand> strand;  // ends first
};

BackgroundWork::BackgroundWork() : state_(std::make_unique<State>()) {}

BackgroundWork::~BackgroundWork() {
    cancel();
}

void BackgroundWork::start(std::function<void(Progress&)> work, std::function<void()> wake) {
    state_->progress = std::make_shared<Progress>();
    state_->started_at = State::Clock::now();
    state_->is_cancelled = false;
    const auto task = std::make_shared<std::packaged_task<void()>>(
        [work = std::move(work), progress = state_->progress] {
            need_memory_for("this", [&] { work(*progress); });
        });
    state_->end = task->get_future();
    state_->strand.emplace([task, wake = std::move(wake), has_run = false]() mutable {
        if (!std::exchange(has_run, true)) {
            (*task)();
            if (wake) wake();
        }
        return Strand::kNever;
    });
}

bool BackgroundWork::is_running() const {
    return state_->end.valid();
}

bool BackgroundWork::is_ready() const {
    return is_running() && state_->has_ended();
}

void BackgroundWork::wait() const {
    state_->strand->wait([this] { return state_->has_ended(); });
}

void BackgroundWork::finish() {
    wait();
    state_->strand.reset();  // its thread would take signals that are somebody else's
    state_->end.get();
    if (state_->is_cancelled) throw Cancelled{};
}

void BackgroundWork::cancel() {
    if (!is_running()) return;
    state_->is_cancelled = true;
    state_->progress->cancel();
}

const Progress& BackgroundWork::progress() const {
    return *state_->progress;
}

double BackgroundWork::elapsed_secs() const {
    return std::chrono::duration<double>(State::Clock::now() - state_->started_at).count();
}

}  // namespace headlight
