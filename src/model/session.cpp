#include "model/session.h"

#include <chrono>

#include "core/error.h"
#include "core/segment.h"

namespace headlight {
namespace {

/// Multiply-adds of a full evaluation that fit a frame with room to spare.
constexpr double kFrameBudget = 3e7;

double total_work(const Trace& plan) {
    double work = 0;
    for (const Tensor& tensor : plan.tensors()) work += estimate_work(plan, tensor);
    return work;
}

}  // namespace

Session::Session(Document document, std::function<void()> wake)
    : history_(std::move(document)),
      wake_(std::move(wake)),
      workers_(std::make_unique<Workers>(count_spare_threads())) {}

void Session::apply(const Edit& edit) {
    history_.apply(edit);
    changed_ = true;
}

void Session::undo() {
    history_.undo();
    changed_ = true;
}

void Session::redo() {
    history_.redo();
    changed_ = true;
}

void Session::replace(Document document) {
    history_ = History(std::move(document));
    trace_.reset();
    problem_.clear();
    changed_ = true;
    if (!running_.valid()) return;
    running_.wait();  // what it computes is of no use any more
    running_ = {};
}

void Session::watch(Watched watched) {
    if (watched.everything == watched_.everything && watched.globs == watched_.globs) return;
    watched_ = std::move(watched);
    changed_ = true;
}

void Session::update() {
    if (running_.valid()) {
        if (running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
        take(running_.get());
    }
    if (changed_) start();
}

void Session::wait() {
    update();
    while (running_.valid()) {
        running_.wait();
        update();
    }
}

void Session::start() {
    changed_ = false;
    std::shared_ptr<Trace> planned;
    try {
        planned = std::make_shared<Trace>(plan(document()));
    } catch (const Error& error) {
        return take({nullptr, error.what()});
    }
    auto run = [planned, holds = document().holds, watched = watched_, previous = last_good_,
                for_each = workers_->for_each()] {
        return Result{std::make_shared<const Trace>(
                          compute(std::move(*planned), holds, watched, previous.get(), for_each)),
                      ""};
    };
    if (total_work(*planned) <= kFrameBudget) return take(run());
    std::packaged_task<Result()> task(std::move(run));
    running_ = task.get_future();
    worker_ = std::jthread([task = std::move(task), wake = wake_]() mutable {
        task();
        if (wake) wake();
    });
}

void Session::take(Result result) {
    trace_ = std::move(result.trace);
    problem_ = std::move(result.problem);
    if (trace_) last_good_ = trace_;
}

}  // namespace headlight
