#include "model/session.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/error.h"
#include "core/evaluation/segment.h"

namespace headlight {
namespace {

/// The multiply-adds of a full evaluation that fit a frame with room to spare.
constexpr double kFrameBudget = 3e7;

constexpr const char* kAdvice = ". Undo the last step, or take less";

}  // namespace

bool is_worth_finishing(double remaining_secs, double waited_secs) {
    constexpr double kSoon_secs = 0.1;
    return remaining_secs <= std::max(kSoon_secs, waited_secs);
}

Session::Session(Document document, std::function<void()> wake)
    : history_(std::move(document)),
      wake_(std::move(wake)),
      workers_(std::make_unique<Workers>(count_spare_threads())) {}

void Session::apply(const Edit& edit) {
    const bool has_changed = need_memory_for(fmt::format("the step “{}”", edit.label),
                                             [&] { return history_.apply(edit); });
    if (has_changed) change();
}

void Session::amend(const std::function<void(Document&)>& change) {
    if (history_.amend(change)) this->change();
}

void Session::undo() {
    history_.undo();
    change();
}

void Session::redo() {
    history_.redo();
    change();
}

void Session::replace(History history) {
    if (running_.is_running()) {
        running_.cancel();  // its result is of no use any more
        running_.wait();
        finish();
    }
    history_ = std::move(history);
    trace_ = nullptr;
    error_.reset();
    change();
}

std::string Session::why_no_trace() const {
    return error_ ? error_->without_name() : "it is still being computed";
}

void Session::change() {
    changed_ = is_outdated_ = true;
    is_stopped_ = false;
}

void Session::watch(Watched watched) {
    if (watched == watched_) return;
    watched_ = std::move(watched);
    // An evaluation for other watched tensors gives way.
    is_outdated_ = is_outdated_ || running_.is_running();
    changed_ = true;
}

void Session::cancel() {
    if (!is_busy()) return;
    running_.cancel();
    is_stopped_ = true;
}

void Session::give_up() {
    running_.cancel();
    trace_ = nullptr;
    last_good_ = nullptr;
    evaluator_ = std::make_shared<Evaluator>();
    changed_ = is_stopped_ = true;
}

void Session::update() {
    if (running_.is_running()) {
        if (is_outdated_) give_way();
        if (!running_.is_ready()) return;
        finish();
    }
    if ((changed_ || has_come()) && !is_stopped_) start();
}

/// True if something watched that the trace lacks can be computed now.
bool Session::has_come() const {
    if (!trace_ || !plan_ || trace_->shared_plan() != plan_ || !has_later(*plan_)) return false;
    return std::ranges::any_of(watched_so_far(*plan_, watched_).globs,
                               [&](const std::string& path) { return !trace_->at(path).value; });
}

void Session::wait() {
    update();
    while (running_.is_running()) {
        running_.wait();
        update();
    }
}

/// Ends the running evaluation, at once or soon, in favour of that of the newer document.
void Session::give_way() {
    const double elapsed = running_.elapsed_secs(), share = running_.progress().share();
    const double remaining = elapsed * (1 - share) / std::max(share, 1e-3);
    const std::chrono::duration<double> waited = Clock::now() - waiting_since_;
    if (!is_worth_finishing(remaining, waited.count())) running_.cancel();
}

void Session::finish() {
    try {
        take(running_.take());
    } catch (const Cancelled&) {
        changed_ = true;
        has_given_way_ = !is_stopped_;
    }
}

/// Makes the plan. It stays the same one while only cells set by hand change.
void Session::make_plan() {
    const std::shared_ptr<const Document> now = history_.shared_state();
    if (planned_ && have_same_plan(*planned_, *now)) return;
    planned_.reset();
    plan_ = plan(*now);
    work_ = total_work(*plan_);
    largest_ = largest_matrix(*plan_);
    planned_ = now;
}

/// Throws Error, with advice for the user, if the study needs too much.
void Session::check_needs() const {
    try {
        check_memory_need(*plan_, watched_, memory_bytes_);
        if (bounds_) check_bounds(*plan_, *bounds_);
    } catch (const Error& error) {
        throw Error(error.place(), error.problem() + kAdvice);
    }
}

void Session::start() {
    if (!std::exchange(has_given_way_, false)) waiting_since_ = Clock::now();
    changed_ = is_outdated_ = false;
    try {
        need_memory_for("this study", [&] { make_plan(); });
        check_needs();
    } catch (const Error& error) {
        return take({nullptr, error});
    }
    auto run = [plan = plan_, interventions = interventions_in(document(), *plan_),
                watched = watched_so_far(*plan_, watched_), previous = last_good_,
                largest = largest_, evaluator = evaluator_,
                for_each = workers_->for_each()](Progress& progress) {
        try {
            const ForEach followed = for_each.followed_by(progress);
            return Result{
                evaluator->evaluate(plan, interventions, watched, previous.get(), followed), {}};
        } catch (const Error& error) {
            return Result{nullptr, error};
        } catch (const std::bad_alloc&) {
            return Result{nullptr, Error("memory", "there is not enough for this study; {}{}",
                                         largest, kAdvice)};
        }
    };
    if (work_ > kFrameBudget) return running_.start(std::move(run), wake_);
    Progress unseen;
    take(run(unseen));
}

void Session::take(Result result) {
    trace_ = std::move(result.trace);
    error_ = std::move(result.error);
    if (trace_) last_good_ = trace_.shared();
}

}  // namespace headlight
