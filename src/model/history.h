// HistoryOf: earlier states of what is open (a study, a lecture), each with the name of the change
// that made it.
//
// Goals: the newest states are kept, as many as fit a stated memory. Copying a history costs next
// to nothing, since states are shared.
// Not goals: branches. An edit after undo discards what could be redone.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "model/changes.h"

namespace headlight {

/// The memory limit for the states of a history, without the weights of the last one. The oldest
/// are dropped first. The open state stays, however large it is.
inline constexpr std::size_t kMaxHistoryBytes = std::size_t{256} << 20;

/// Returns the memory that a state takes beyond what it shares with another one (null: all of it).
std::size_t count_bytes(const Document& document, const Document* other);
std::size_t count_bytes(const std::string& text, const std::string* other);

/// Returns the part of a state's memory that does not count while it is the last one.
std::size_t count_free_bytes(const Document& document);  // its weights
std::size_t count_free_bytes(const auto&) {
    return 0;
}

/// A state, and the name of the change that made it; the first one has none.
template <class State>
struct StepOf {
    std::string label;
    std::shared_ptr<const State> state;
    std::size_t own_bytes = 0;  // of the state, without what the next step shares; last: 0
};
using HistoryStep = StepOf<Document>;

template <class State>
class HistoryOf {
  public:
    using Steps = std::deque<StepOf<State>>;

    explicit HistoryOf(State state, std::size_t max_bytes = kMaxHistoryBytes)
        : max_bytes_(max_bytes) {
        put(0, {"", std::make_shared<const State>(std::move(state))});
    }
    /// Takes steps from elsewhere: at least one, and `at` is one of them.
    HistoryOf(const Steps& steps, std::size_t at) : at_(at) {
        for (const StepOf<State>& step : steps) put(steps_.size(), {step.label, step.state});
        drop_oldest();
    }

    const State& state() const { return *steps_[at_].state; }
    /// Returns the same state, with shared ownership.
    const std::shared_ptr<const State>& shared_state() const { return steps_[at_].state; }

    /// Applies the edit. Returns false and adds no step if it changes nothing. A gesture that leads
    /// back to its beginning leaves no step either. Throws what the change throws.
    bool apply(const EditOf<State>& edit) {
        State next = state();
        edit.change(next);
        if (next == state()) return false;
        const bool continues = !edit.gesture.empty() && edit.gesture == gesture_ && can_undo();
        const bool leads_back = continues && next == *previous();
        std::string gesture = leads_back ? "" : edit.gesture;
        if (leads_back)
            cut(at_);
        else
            put(continues ? at_ : at_ + 1,
                {edit.label, std::make_shared<const State>(std::move(next))});
        at_ = steps_.size() - 1;
        gesture_ = std::move(gesture);
        drop_oldest();
        return true;
    }

    /// Changes the open state without a step, for changes that are no edits of the user. The
    /// earlier state is not in the history any more. False if nothing changes.
    bool amend(const std::function<void(State&)>& change) {
        State next = state();
        change(next);
        if (next == state()) return false;
        steps_[at_].state = std::make_shared<const State>(std::move(next));
        if (at_ > 0) count_step(at_ - 1);
        if (can_redo()) count_step(at_);
        drop_oldest();
        return true;
    }

    /// Makes the next edit start a new step even if its gesture is the last one's: the mouse was
    /// released.
    void end_gesture() { gesture_.clear(); }

    bool can_undo() const { return at_ > 0; }
    bool can_redo() const { return at_ + 1 < steps_.size(); }
    /// Returns the state before the last step; null if there is none.
    const State* previous() const { return can_undo() ? steps_[at_ - 1].state.get() : nullptr; }
    std::string undo_label() const { return can_undo() ? steps_[at_].label : ""; }
    std::string redo_label() const { return can_redo() ? steps_[at_ + 1].label : ""; }
    void undo() {
        if (!can_undo()) return;
        end_gesture();
        --at_;
    }
    void redo() {
        if (!can_redo()) return;
        end_gesture();
        ++at_;
    }

    /// Returns all steps, the oldest first; at() is the number of the open one.
    const Steps& steps() const { return steps_; }
    std::size_t at() const { return at_; }

  private:
    /// Puts a step last and forgets the steps after it. If memory runs out, nothing has changed.
    void put(std::size_t place, StepOf<State> step) {
        if (place == steps_.size()) steps_.emplace_back();
        cut(place + 1);
        steps_[place] = std::move(step);
        if (place > 0) count_step(place - 1);
    }

    /// Counts the bytes that only this step holds. It is not the last step.
    void count_step(std::size_t place) {
        StepOf<State>& step = steps_[place];
        bytes_ -= step.own_bytes;
        step.own_bytes = count_bytes(*step.state, steps_[place + 1].state.get());
        bytes_ += step.own_bytes;
    }

    void cut(std::size_t n_steps) {
        while (steps_.size() > n_steps) {
            bytes_ -= steps_.back().own_bytes;
            steps_.pop_back();
        }
        bytes_ -= std::exchange(steps_.back().own_bytes, 0);
    }

    void drop_oldest() {
        const State& last = *steps_.back().state;
        const std::size_t newest = count_bytes(last, nullptr) - count_free_bytes(last);
        while (at_ > 0 && bytes_ + newest > max_bytes_) {
            bytes_ -= steps_.front().own_bytes;
            steps_.pop_front();
            --at_;
        }
    }

    std::size_t max_bytes_ = kMaxHistoryBytes;
    Steps steps_;
    std::size_t bytes_ = 0;  // of all of them but the last
    std::size_t at_ = 0;
    std::string gesture_;
};
using History = HistoryOf<Document>;

}  // namespace headlight
