// Strand: work that goes on beside the window, turn by turn: on a thread of its own or, where a
// program has none, between the frames of the window.
#pragma once

#include <functional>
#include <limits>
#include <memory>

namespace headlight {

class Strand {
  public:
    /// Does a piece of the work. Returns in how many seconds the next turn is due: 0, at once;
    /// kNever, when it is called. Throws nothing.
    using Turn = std::function<double()>;
    static constexpr double kNever = std::numeric_limits<double>::infinity();

    /// Makes the first turn soon. There are never two turns at once.
    explicit Strand(Turn turn);
    ~Strand();  // waits for the end of a turn that has begun; no other follows
    Strand(const Strand&) = delete;
    Strand& operator=(const Strand&) = delete;

    /// Another turn is due at once. May be called by anybody, also during a turn.
    void call();

    /// Returns when `until` is true, which is asked at once and after every turn. To be called from
    /// outside the turns.
    void wait(const std::function<bool()>& until) const;

    struct State;

  private:
    std::shared_ptr<State> state_;
};

/// Makes turns that are due for about so long. Returns in how many seconds the next one is due. It
/// has nothing to do where strands have threads.
double make_turns(double secs);

}  // namespace headlight
