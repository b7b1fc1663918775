// Session: one open study, its history, and the trace of its document, computed beside the window
// when that would take longer than a frame.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/trace.h"
#include "model/evaluate.h"
#include "model/history.h"
#include "model/workers.h"

namespace headlight {

/// True if an evaluation should be finished although its document has changed since. That is worth
/// it if the evaluation is nearly done, or if nothing new has been shown for as long as it still
/// takes. So typing is answered soon, and a long drag still shows a picture now and then.
bool is_worth_finishing(double remaining_secs, double waited_secs);

class Session {
  public:
    /// `wake` is called from another thread when a background evaluation is ready.
    explicit Session(Document document, std::function<void()> wake = {});

    /// Sets the memory that a trace may take. By default it is all memory of the machine.
    void set_memory_bytes(double most) { memory_bytes_ = most; }
    /// Sets bounds: a document that needs more has no trace. By default there are none.
    void set_bounds(std::optional<StudyBounds> bounds) { bounds_ = bounds; }

    const Document& document() const { return history_.state(); }
    const History& history() const { return history_; }

    /// Returns the newest trace; it is of an earlier document while `is_busy()`. Null when the
    /// document has none: then `error()` says why.
    const TracePtr& trace() const { return trace_; }
    const std::optional<Error>& error() const { return error_; }
    /// Returns the reason in words, for callers that need a trace.
    std::string why_no_trace() const;
    bool is_busy() const { return running_.is_running(); }
    const Progress& progress() const { return running_.progress(); }  // while busy

    /// Ends the running evaluation. The trace stays that of an earlier document, until the document
    /// changes or `resume()` asks for it.
    void cancel();
    void resume() { is_stopped_ = false; }
    /// Stops, and frees all results.
    void give_up();
    bool is_stopped() const { return is_stopped_; }

    /// Throws Error if the change does, or there is no memory for it; then nothing has happened.
    void apply(const Edit& edit);
    /// Changes the document without a step of the history, for changes that are no edits of the
    /// user.
    void amend(const std::function<void(Document&)>& change);
    void end_gesture() { history_.end_gesture(); }
    void undo();
    void redo();
    void replace(History history);  // another study

    void watch(Watched watched);

    /// Takes a finished evaluation and starts the next one if the document has changed, or if
    /// matrices have come that were not there. Call it once a frame.
    void update();
    /// Returns when the trace is that of the document.
    void wait();

  private:
    struct Result {
        std::shared_ptr<const Trace> trace;
        std::optional<Error> error;
    };

    using Clock = std::chrono::steady_clock;

    void change();
    bool has_come() const;
    void make_plan();
    void check_needs() const;
    void give_way();
    void finish();
    void start();
    void take(Result result);

    History history_;
    double memory_bytes_ = headlight::memory_bytes();
    std::optional<StudyBounds> bounds_;
    std::function<void()> wake_;
    Watched watched_;
    bool changed_ = true;       // something to compute that is not being computed
    bool is_outdated_ = false;  // the running evaluation is of an earlier document
    bool is_stopped_ = false;   // by the user
    bool has_given_way_ = false;
    Clock::time_point waiting_since_;          // for a new trace
    std::shared_ptr<const Document> planned_;  // the document that the plan was made for
    std::shared_ptr<const Plan> plan_;
    std::shared_ptr<Evaluator> evaluator_ = std::make_shared<Evaluator>();
    double work_ = 0;      // of the whole plan, in multiply-adds
    std::string largest_;  // its largest matrix, named if memory runs out
    TracePtr trace_;
    std::shared_ptr<const Trace> last_good_;  // the next evaluation reuses its values
    std::optional<Error> error_;
    std::unique_ptr<Workers> workers_;
    Background<Result> running_;  // ends before the workers do
};

}  // namespace headlight
