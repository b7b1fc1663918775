// Pieces: a function that pauses between pieces of its work, so that something else can be done
// meanwhile, or the work be given up.
//
// Goals: the same lines do the work in a thread, between the frames of a page, or at once. Such a
// function is a coroutine: it says co_await kPause; where it may pause, co_await other(…); to do
// other such work, and co_return for its result.
// GCC 12 does not understand co_await of a choice, as in co_await (a ? f() : g()), or of a call
// with a list in braces: give them names, and move them.
//
// Not goals: threads. All pieces are done one after another, by whoever calls next().
//
//     Pieces<int> count_in_pieces(const Trees& trees) {   // what it refers to must outlive it …
//         int n = 0;
//         for (const Tree& tree : trees) {
//             n += count(tree);
//             co_await kPause;
//         }
//         co_return n;
//     }
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace headlight {

struct Pause {};
inline constexpr Pause kPause;

template <typename Result>
class Pieces;

/// The state that all works have: where they are, and what they threw.
class PiecesState {
  public:
    /// Works until the next pause or the end, of this work or of one that it waits for. True if
    /// there is more to do.
    bool next(std::coroutine_handle<> itself) {
        if (!whole_) begin(*this, {}, itself);
        has_paused_ = false;
        while (current_ && !has_paused_) current_.resume();
        return static_cast<bool>(current_);
    }
    /// Lets `whole` go on with this work, after which `caller` goes on.
    void begin(PiecesState& whole, std::coroutine_handle<> caller, std::coroutine_handle<> itself) {
        whole_ = &whole;
        caller_ = caller;
        whole.current_ = itself;
    }
    void rethrow() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

    // These are asked by the compiler.

    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() noexcept {
        whole_->current_ = caller_;
        return {};
    }
    void unhandled_exception() noexcept { thrown_ = std::current_exception(); }
    std::suspend_always await_transform(Pause) noexcept {
        whole_->has_paused_ = true;
        return {};
    }
    template <typename Result>
    auto await_transform(Pieces<Result>&& part) noexcept {
        struct Wait {
            Pieces<Result>& part;
            PiecesState& whole;

            bool await_ready() const noexcept { return false; }
            void await_suspend(std::coroutine_handle<> caller) const noexcept {
                part.handle_.promise().begin(whole, caller, part.handle_);
            }
            Result await_resume() const { return part.take(); }
        };
        return Wait{part, *whole_};
    }

  private:
    PiecesState* whole_ = nullptr;     // of the work that waits for this one, or itself
    std::coroutine_handle<> caller_;   // goes on when this one has ended
    std::coroutine_handle<> current_;  // of the whole: who goes on next; null: it has ended
    bool has_paused_ = false;          // of the whole
    std::exception_ptr thrown_;
};

template <typename Result>
struct PiecesPromise : PiecesState {
    Pieces<Result> get_return_object();
    void return_value(Result value) { result.emplace(std::move(value)); }
    Result take() {
        rethrow();
        return std::move(*result);
    }

    std::optional<Result> result;
};

template <>
struct PiecesPromise<void> : PiecesState {
    Pieces<void> get_return_object();
    void return_void() const noexcept {}
    void take() const { rethrow(); }
};

/// Work that has not begun, is between two pieces, or is done. Without its end it is given up: all
/// that it had is freed.
template <typename Result = void>
class [[nodiscard]] Pieces {
  public:
    using promise_type = PiecesPromise<Result>;

    explicit Pieces(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
    Pieces(Pieces&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Pieces& operator=(Pieces&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Pieces() {
        if (handle_) handle_.destroy();
    }

    /// Does the next piece. True if others follow. It throws nothing: `take` does.
    bool next() { return handle_.promise().next(handle_); }
    /// Returns the result after the last piece. Throws what the work has thrown.
    Result take() { return handle_.promise().take(); }

  private:
    friend PiecesState;
    std::coroutine_handle<promise_type> handle_;
};

template <typename Result>
Pieces<Result> PiecesPromise<Result>::get_return_object() {
    return Pieces<Result>(std::coroutine_handle<PiecesPromise>::from_promise(*this));
}

inline Pieces<void> PiecesPromise<void>::get_return_object() {
    return Pieces<void>(std::coroutine_handle<PiecesPromise>::from_promise(*this));
}

/// Does all of the work, and returns its result.
template <typename Result>
Result at_once(Pieces<Result> work) {
    while (work.next()) {
    }
    return work.take();
}

}  // namespace headlight
