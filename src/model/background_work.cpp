// Background work: each piece is a turn of a strand.
#include <chrono>
#include <exception>
#include <future>
#include <utility>

#include "core/error.h"
#include "model/strand.h"
#include "model/workers.h"

namespace headlight {

struct BackgroundWork::State {
    using Clock = std::chrono::steady_clock;

    double turn();
    bool do_piece();
    bool has_ended() const {
        return end.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    }

    std::optional<Progress> progress;
    Clock::time_point started_at;
    std::function<void()> wake;
    std::function<Pieces<>(Progress&)> work;  // its pieces refer to it
    std::optional<Pieces<>> pieces;           // from the first turn to the end
    bool is_done = false;                     // as the turns know it
    std::promise<void> ending;
    std::future<void> end;
    std::optional<Strand> strand;  // ends first
};

/// Does a piece. True if others follow. Throws what the work throws.
bool BackgroundWork::State::do_piece() {
    if (progress->is_cancelled()) throw Cancelled{};
    if (!pieces) pieces.emplace(work(*progress));
    if (pieces->next()) return true;
    pieces->take();
    return false;
}

double BackgroundWork::State::turn() {
    if (is_done) return Strand::kNever;
    std::exception_ptr thrown;
    try {
        if (need_memory_for("this", [this] { return do_piece(); })) return 0;
    } catch (...) {
        thrown = std::current_exception();
    }
    is_done = true;
    pieces.reset();  // all that the work had is free when it has ended
    thrown ? ending.set_exception(thrown) : ending.set_value();
    if (wake) wake();
    return Strand::kNever;
}

BackgroundWork::BackgroundWork() : state_(std::make_unique<State>()) {}

BackgroundWork::~BackgroundWork() {
    cancel();
}

void BackgroundWork::start(std::function<Pieces<>(Progress&)> work, std::function<void()> wake) {
    state_->progress.emplace();
    state_->started_at = State::Clock::now();
    state_->work = std::move(work);
    state_->wake = std::move(wake);
    state_->is_done = false;
    state_->ending = {};
    state_->end = state_->ending.get_future();
    state_->strand.emplace([state = state_.get()] { return state->turn(); });
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
    state_->work = nullptr;
    state_->end.get();
    if (state_->progress->is_cancelled()) throw Cancelled{};
}

void BackgroundWork::cancel() {
    if (is_running()) state_->progress->cancel();
}

const Progress& BackgroundWork::progress() const {
    return *state_->progress;
}

double BackgroundWork::elapsed_secs() const {
    return std::chrono::duration<double>(State::Clock::now() - state_->started_at).count();
}

}  // namespace headlight
