// Session: one open study, its history, and the trace of its document, computed beside the window
// when that would take longer than a frame.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "model/evaluate.h"
#include "model/history.h"
#include "model/workers.h"

namespace headlight {

class Session {
  public:
    /// `wake` is called from another thread when a background evaluation is ready.
    explicit Session(Document document, std::function<void()> wake = {});

    const Document& document() const { return history_.document(); }
    const History& history() const { return history_; }

    /// The newest trace; of an earlier document while `is_busy()`. Null when the document has none:
    /// then `problem()` says why.
    const std::shared_ptr<const Trace>& trace() const { return trace_; }
    const std::string& problem() const { return problem_; }
    bool is_busy() const { return running_.valid(); }

    void apply(const Edit& edit);  // throws what the change throws; then nothing has happened
    void end_gesture() { history_.end_gesture(); }
    void undo();
    void redo();
    void replace(Document document);  // another study, with a new history

    void watch(Watched watched);

    /// Takes a finished evaluation and starts the next one if the document has changed. Once a
    /// frame.
    void update();
    /// Returns when the trace is that of the document.
    void wait();

  private:
    struct Result {
        std::shared_ptr<const Trace> trace;
        std::string problem;
    };

    void start();
    void take(Result result);

    History history_;
    std::function<void()> wake_;
    Watched watched_;
    bool changed_ = true;
    std::shared_ptr<const Trace> trace_;
    std::shared_ptr<const Trace> last_good_;  // what the next evaluation shares with
    std::string problem_;
    std::unique_ptr<Workers> workers_;
    std::future<Result> running_;
    std::jthread worker_;
};

}  // namespace headlight
