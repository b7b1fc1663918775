// Strands and workers without threads: turns are made between two frames, and all pieces of a
// computation by the one who asks.
#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "model/strand.h"
#include "model/workers.h"

namespace headlight {
namespace {

double seconds_now() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

}  // namespace

struct Strand::State {
    explicit State(Turn of_work) : turn(std::move(of_work)) {}

    void make_turn() {
        is_making = true;
        due_at = kNever;
        const double secs = turn();
        due_at = std::min(due_at, secs == kNever ? kNever : seconds_now() + secs);
        is_making = false;
    }

    const Turn turn;
    double due_at = 0;  // on the clock of seconds_now()
    bool is_making = false;

    static std::vector<std::shared_ptr<State>>& all() {
        static std::vector<std::shared_ptr<State>> states;
        return states;
    }
};

Strand::Strand(Turn turn) : state_(std::make_shared<State>(std::move(turn))) {
    State::all().push_back(state_);
}

Strand::~Strand() {
    std::erase(State::all(), state_);
}

void Strand::call() {
    state_->due_at = 0;
}

void Strand::wait(const std::function<bool()>& until) const {
    while (!until()) state_->make_turn();
}

double make_turns(double secs) {
    const double end = seconds_now() + secs;
    while (true) {
        const std::vector<std::shared_ptr<Strand::State>> states = Strand::State::all();
        double next = Strand::kNever;
        for (const auto& state : states) {
            if (state.use_count() > 2 && !state->is_making && state->due_at <= seconds_now())
                state->make_turn();
            next = std::min(next, state->due_at);
        }
        const double left = next - seconds_now();
        if (left > 0) return left;
        if (seconds_now() >= end) return 0;
    }
}

int count_spare_threads() {
    return 0;
}

struct Workers::Threads {};

Workers::Workers(int) {}

Workers::~Workers() = default;

ForEach Workers::for_each() {
    return serial();
}

}  // namespace headlight
