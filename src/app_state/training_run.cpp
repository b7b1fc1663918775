#include "app_state/training_run.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <new>

#include "core/components.h"
#include "core/error.h"
#include "model/evaluate.h"
#include "views/readout_words.h"
#include "views/selection.h"

namespace headlight {
namespace {

constexpr long kStepsATest = 50, kLeastTests = 6;  // of a run; fewer steps between them if short
constexpr std::size_t kMostTested = 512;           // examples of a test while the training goes on
constexpr std::size_t kMostCheckpoints = 200, kFewestCheckpoints = 8;
constexpr std::size_t kCheckpointBytes = std::size_t{256} << 20;  // of all of them together

/// Returns the share of the answers that are the commonest one.
double share_of_commonest(const std::vector<Shard>& shards) {
    std::map<Index, long> counts;
    long all = 0, most = 0;
    for (const Shard& shard : shards)
        for (const Index c : shard.classes) {
            if (c == kNoClass) continue;
            most = std::max(most, ++counts[c]);
            ++all;
        }
    return all > 0 ? static_cast<double>(most) / static_cast<double>(all) : 0;
}

/// Chooses examples from all over the shards, so that every kind of example is tested.
std::vector<Shard> choose_tested(const std::vector<Shard>& shards) {
    if (shards.empty()) return {};
    const auto in_one = static_cast<std::size_t>(std::max<Index>(1, shards.front().n_targets()));
    const std::size_t n = std::clamp<std::size_t>(kMostTested / in_one, 1, shards.size());
    std::vector<Shard> part;
    for (std::size_t k = 0; k < n; ++k) part.push_back(shards[k * shards.size() / n]);
    return part;
}

long count_targets(const std::vector<Shard>& shards) {
    long count = 0;
    for (const Shard& shard : shards) count += shard.n_targets();
    return count;
}

Interventions ablations_in(const Interventions& interventions) {
    Interventions ablations;
    for (const auto& [path, intervention] : interventions)
        if (intervention.is_on && intervention.ablation != Ablation::None)
            ablations[path] = Intervention{.cells = {}, .ablation = intervention.ablation};
    return ablations;
}

}  // namespace

const TrainingCheckpoint* TrainingSnapshot::find_checkpoint(long at) const {
    const auto after = std::ranges::upper_bound(checkpoints, at, {}, &TrainingCheckpoint::step);
    if (after == checkpoints.begin()) return nullptr;
    return &*std::prev(after);
}

TrainingWorker::TrainingWorker(const TaskEntry& task, const Recipe& recipe, int n_threads)
    : training_(task, recipe, n_threads),
      workers_(n_threads - 1),
      for_each_(workers_.for_each()),
      held_out_(training_.task().held_out()),
      tested_(choose_tested(held_out_)),
      n_held_out_(count_targets(held_out_)),
      commonest_(share_of_commonest(held_out_)),
      study_(training_.recipe().study) {
    study_.weights = nullptr;
    keep_checkpoint();
    test();
}

void TrainingWorker::step() {
    const long before = training_.n_steps();
    const int n_restores = training_.n_restores();
    const auto start = std::chrono::steady_clock::now();
    try {
        training_.step(for_each_, interventions_);
    } catch (const Error& error) {
        failure_ = message_ = error.what();
        return;
    }
    const double secs =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    step_secs_ = step_secs_ > 0 ? 0.95 * step_secs_ + 0.05 * secs : secs;
    const long now = training_.n_steps();
    if (training_.n_restores() > n_restores) {
        forget_after(now);
        message_ = fmt::format(
            "The loss left the numbers at step {}: back to step {}, with half of the learning rate",
            before, now);
        return;
    }
    if (now % stride_ == 0 || training_.is_done()) keep_checkpoint();
    const long between = std::clamp(training_.recipe().steps / kLeastTests, 1L, kStepsATest);
    if (now % between == 0 || training_.is_done()) test();
}

/// Keeps only the first note of each kind.
void TrainingWorker::note(std::string what) {
    const std::string kind = what.substr(0, what.find(" at step"));
    const bool is_known = std::ranges::any_of(
        by_hand_, [&](const std::string& known) { return known.starts_with(kind); });
    if (!is_known) by_hand_.push_back(std::move(what));
}

void TrainingWorker::set_learning_rate(double rate) {
    if (rate == training_.recipe().learning_rate) return;
    training_.set_learning_rate(rate);
    if (training_.n_steps() > 0)
        note(fmt::format("the learning rate was changed at step {}", training_.n_steps()));
}

void TrainingWorker::set_interventions(const Interventions& interventions) {
    if (interventions != shown_interventions_) {
        shown_interventions_ = interventions;
        for (TrainingCheckpoint& checkpoint : checkpoints_) checkpoint.heads = nullptr;
    }
    Interventions ablations = ablations_in(interventions);
    if (ablations == interventions_) return;
    interventions_ = std::move(ablations);
    note("heads were ablated while it trained");
    test();
}

void TrainingWorker::set_cells(const Interventions& cells) {
    const TrainingPlan& plan = training_.task().plan();
    Trainer& trainer = training_.trainer();
    std::vector<MatrixPtr> parameters = trainer.parameters();
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        const auto found = cells.find((*plan.plan)[plan.parameters[k]].path);
        if (found == cells.end()) continue;
        parameters[k] =
            std::make_shared<const Matrix>(apply_intervention(found->second, *parameters[k]));
        note(fmt::format("weights were set by hand at step {}", training_.n_steps()));
    }
    trainer.set_parameters(parameters);
    forget_after(training_.n_steps() - 1);
    keep_checkpoint();
    if (kept_) keep_state();  // it is of the same step, and not of these weights
}

void TrainingWorker::go_on_from(long step) {
    const auto after = std::ranges::upper_bound(checkpoints_, step, {}, &TrainingCheckpoint::step);
    if (after == checkpoints_.begin()) return;
    const TrainingCheckpoint from = *std::prev(after);
    if (from.step == training_.n_steps()) return;
    training_.go_on_at(*from.weights, from.step, *from.optimizer);
    forget_after(from.step);
    failure_.clear();
    message_.clear();
    note(fmt::format("it went on from step {} again", from.step));
}

void TrainingWorker::resume(const TrainingState& state) {
    training_.go_on(state);
    checkpoints_.clear();
    tests_.clear();
    best_step_ = -1, best_accuracy_ = -1;
    keep_checkpoint();
    test();
    note(fmt::format("it was interrupted at step {}", state.step));
    keep_state();
}

void TrainingWorker::keep_state() {
    kept_ = std::make_shared<const InterruptedTraining>(InterruptedTraining{
        training_.recipe(), static_cast<int>(training_.n_shards()), training_.state()});
}

void TrainingWorker::forget_after(long step) {
    std::erase_if(checkpoints_, [&](const TrainingCheckpoint& c) { return c.step > step; });
    std::erase_if(tests_, [&](const HeldOutPoint& point) { return point.step > step; });
    if (best_step_ > step) best_step_ = -1, best_accuracy_ = -1;
    if (without_ && without_->step > step) without_.reset();
}

// ---- tests ----

/// Returns all examples after the last step, a part of them before.
const std::vector<Shard>& TrainingWorker::asked() const {
    return training_.is_done() ? held_out_ : tested_;
}

Loss TrainingWorker::loss_with(const Interventions& interventions) {
    Loss loss;
    for (const Shard& shard : asked()) loss += training_.trainer().test(shard, interventions);
    return loss;
}

void TrainingWorker::test() {
    const bool says_how_good = training_.is_done() && interventions_.empty();
    const Loss loss = says_how_good ? training_.test() : loss_with(interventions_);
    n_tested_ = loss.n_targets;
    if (says_how_good) keep_checkpoint();  // its weights say it
    const long step = training_.n_steps();
    std::erase_if(tests_, [&](const HeldOutPoint& point) { return point.step == step; });
    tests_.push_back({step, loss.mean(), loss.accuracy()});
    if (loss.accuracy() > best_accuracy_) {
        best_accuracy_ = loss.accuracy();
        best_step_ = step;
        keep_checkpoint();
    }
    test_without();
}

void TrainingWorker::measure_without(const std::string& path) {
    if (path == without_path_ && without_ && without_->step == training_.n_steps()) return;
    without_path_ = path;
    without_.reset();
    test_without();
}

void TrainingWorker::test_without() {
    if (without_path_.empty()) return;
    Interventions with = interventions_, without = interventions_;
    with.erase(without_path_);
    without[without_path_] = Intervention{.cells = {}, .ablation = Ablation::Zero};
    const bool is_tested =
        !tests_.empty() && tests_.back().step == training_.n_steps() && with == interventions_;
    without_ = {without_path_, training_.n_steps(),
                is_tested ? tests_.back().accuracy : loss_with(with).accuracy(),
                loss_with(without).accuracy()};
}

// ---- checkpoints ----

TrainingCheckpoint TrainingWorker::checkpoint_of_now() const {
    return {training_.n_steps(), training_.weights(),
            std::make_shared<const Optimizer::State>(training_.trainer().optimizer().state())};
}

void TrainingWorker::keep_checkpoint() {
    TrainingCheckpoint now = checkpoint_of_now();
    if (!checkpoints_.empty() && checkpoints_.back().step == now.step) {
        now.heads = are_same(now.weights, checkpoints_.back().weights) ? checkpoints_.back().heads
                                                                       : nullptr;
        checkpoints_.back() = std::move(now);
        return;
    }
    checkpoints_.push_back(std::move(now));
    thin_out();
}

/// Counts, in bytes, the weights and two moments of each.
std::size_t TrainingWorker::most_checkpoints() const {
    const std::size_t bytes = 3 * count_bytes(checkpoints_.front().weights, nullptr);
    return std::clamp(kCheckpointBytes / std::max<std::size_t>(1, bytes), kFewestCheckpoints,
                      kMostCheckpoints);
}

void TrainingWorker::thin_out() {
    while (checkpoints_.size() > most_checkpoints()) {
        stride_ *= 2;
        const long last = checkpoints_.back().step;
        std::erase_if(checkpoints_, [&](const TrainingCheckpoint& c) {
            return c.step % stride_ != 0 && c.step != best_step_ && c.step != last;
        });
    }
}

// ---- heads ----

void TrainingWorker::measure_on(Document study) {
    study.weights = nullptr;
    study.interventions.clear();
    if (study == study_) return;
    study_ = std::move(study);
    for (TrainingCheckpoint& checkpoint : checkpoints_) checkpoint.heads = nullptr;
}

bool TrainingWorker::measure_next() {
    const auto newest = std::find_if(checkpoints_.rbegin(), checkpoints_.rend(),
                                     [](const TrainingCheckpoint& c) { return !c.heads; });
    if (newest == checkpoints_.rend()) return false;
    newest->heads = heads_at(newest->weights);
    return true;
}

/// Returns an empty list where there is nothing to measure: no word, or another network.
HeadStates TrainingWorker::heads_at(const SharedWeights& weights) {
    auto heads = std::make_shared<std::vector<HeadState>>();
    Document document = study_;
    document.weights = weights;
    try {
        const Watched watched{.everything = false,
                              .globs = {"*.metrics", "*.pattern", kChancePath}};
        measured_ =
            evaluator_.evaluate(plan(document), shown_interventions_, watched, measured_.get());
    } catch (const Error&) {
        return heads;
    }
    const Trace& trace = *measured_;
    const Components components = make_components(trace);
    const std::optional<Index> asked = asked_row(trace);
    const std::vector<const Component*> attentions = all_attentions(components);
    for (std::size_t k = 0; k < attentions.size(); ++k)
        for (int h = 0; h < attentions[k]->n_heads; ++h) {
            HeadState state{attentions[k]->path, static_cast<int>(k), h};
            const Tensor* metrics = find_of_head(trace, *attentions[k], h, Role::Metrics);
            const Tensor* pattern = find_of_head(trace, *attentions[k], h, Role::Pattern);
            if (metrics && metrics->value)
                for (Index m = 0; m < metrics->value->cols(); ++m)
                    state.metrics.push_back((*metrics->value)(0, m));
            state.label = head_label(trace, state.attention, h);
            const std::optional<Index> row = attentions[k]->is_of_class() ? 0 : asked;
            if (row && pattern && pattern->value && *row < pattern->value->rows())
                for (Index j = 0; j < pattern->value->cols(); ++j)
                    state.asked.push_back((*pattern->value)(*row, j));
            heads->push_back(std::move(state));
        }
    return heads;
}

TrainingSnapshot TrainingWorker::snapshot() const {
    TrainingSnapshot now{.phase = !failure_.empty()     ? TrainingSnapshot::Phase::Failed
                                  : training_.is_done() ? TrainingSnapshot::Phase::Done
                                                        : TrainingSnapshot::Phase::Paused,
                         .step = training_.n_steps(),
                         .n_steps = training_.recipe().steps,
                         .learning_rate = training_.recipe().learning_rate,
                         .step_secs = step_secs_,
                         .curve = training_.curve(),
                         .tests = tests_,
                         .n_tested = n_tested_,
                         .n_held_out = n_held_out_,
                         .commonest = commonest_,
                         .checkpoints = checkpoints_,
                         .best_step = best_step_,
                         .without = without_,
                         .kept = kept_,
                         .n_orders = 0,
                         .message = message_,
                         .by_hand = by_hand_};
    if (checkpoints_.back().step != training_.n_steps())
        now.checkpoints.push_back(checkpoint_of_now());
    return now;
}

namespace {

/// While it plays, snapshots are made as often as an eye can follow.
constexpr std::chrono::milliseconds kBetweenSnapshots{50};

}  // namespace

int training_threads(int batch) {
    constexpr int kMost = 8;
    for (int n = std::min(kMost, count_spare_threads()); n > 1; --n)
        if (batch % n == 0) return n;
    return 1;
}

TrainingRun::TrainingRun(const TaskEntry& task, Recipe recipe, int n_threads,
                         std::function<void()> wake, Interrupted from)
    : task_(task),
      recipe_(std::move(recipe)),
      n_threads_(n_threads),
      wake_(std::move(wake)),
      from_(std::move(from)),
      snapshot_(std::make_shared<const TrainingSnapshot>()),
      strand_([this] { return turn(); }) {}

TrainingRun::~TrainingRun() = default;

std::shared_ptr<const TrainingSnapshot> TrainingRun::snapshot() const {
    const std::lock_guard lock(mutex_);
    return snapshot_;
}

long TrainingRun::order(Order order) {
    const std::lock_guard lock(mutex_);
    orders_.push_back(std::move(order));
    call();
    return ++n_ordered_;
}

/// It is not idle from now on.
void TrainingRun::call() {
    is_idle_ = false;
    strand_.call();
}

void TrainingRun::play() {
    const std::lock_guard lock(mutex_);
    is_playing_ = true;
    call();
}

void TrainingRun::pause() {
    const std::lock_guard lock(mutex_);
    is_playing_ = false;
    steps_left_ = 0;
    call();
}

void TrainingRun::make_steps(long count) {
    const std::lock_guard lock(mutex_);
    is_playing_ = false;
    steps_left_ += count;
    call();
}

long TrainingRun::set_learning_rate(double rate) {
    return order([rate](TrainingWorker& worker) { worker.set_learning_rate(rate); });
}

long TrainingRun::set_interventions(const Interventions& interventions) {
    return order([interventions](TrainingWorker& w) { w.set_interventions(interventions); });
}

long TrainingRun::set_cells(const Interventions& cells) {
    return order([cells](TrainingWorker& worker) { worker.set_cells(cells); });
}

long TrainingRun::go_on_from(long step) {
    return order([step](TrainingWorker& worker) { worker.go_on_from(step); });
}

long TrainingRun::keep_state() {
    return order([](TrainingWorker& worker) { worker.keep_state(); });
}

long TrainingRun::measure_on(Document study) {
    return order([study = std::move(study)](TrainingWorker& w) { w.measure_on(study); });
}

long TrainingRun::measure_without(const std::string& head) {
    return order([head](TrainingWorker& worker) { worker.measure_without(head); });
}

bool TrainingRun::is_playing() const {
    const std::lock_guard lock(mutex_);
    return is_playing_ || steps_left_ > 0;
}

bool TrainingRun::is_busy() const {
    const std::lock_guard lock(mutex_);
    return !rests();
}

void TrainingRun::wait() const {
    strand_.wait([this] { return !is_busy(); });
}

// ---- turns ----

double TrainingRun::turn() {
    if (has_ended_) return Strand::kNever;
    try {
        return work();
    } catch (const Error& error) {
        fail(error.what());
    } catch (const std::bad_alloc&) {
        fail("[memory] there is not enough for this network and batch; take less");
    }
    return Strand::kNever;
}

double TrainingRun::work() {
    if (!worker_) {
        worker_.emplace(task_, recipe_, n_threads_);
        if (from_) worker_->resume(from_->state);
        publish();
        published_ = std::chrono::steady_clock::now();
        return 0;
    }
    const bool had_orders = take_orders();
    const bool has_stepped = make_step();
    const auto now = std::chrono::steady_clock::now();
    const bool is_due = now - published_ >= kBetweenSnapshots;
    if (has_stepped && !is_due) return 0;
    const bool has_measured = worker_->measure_next();
    if (has_stepped || had_orders || is_due) publish(), published_ = now;
    if (has_stepped || has_measured || had_orders) return 0;
    publish();
    return rest();
}

bool TrainingRun::take_orders() {
    std::deque<Order> orders;
    {
        const std::lock_guard lock(mutex_);
        orders.swap(orders_);
    }
    for (const Order& order : orders) order(*worker_);
    const std::lock_guard lock(mutex_);
    n_done_ += std::ssize(orders);
    return !orders.empty();
}

/// Returns false if none is due.
bool TrainingRun::make_step() {
    {
        const std::lock_guard lock(mutex_);
        if (!is_playing_ && steps_left_ == 0) return false;
    }
    if (worker_->can_step()) worker_->step();
    const std::lock_guard lock(mutex_);
    if (steps_left_ > 0) --steps_left_;
    if (!worker_->can_step()) is_playing_ = false, steps_left_ = 0;
    const bool rests = !is_playing_ && steps_left_ == 0;
    if (rests) worker_->keep_checkpoint();
    return true;
}

/// Returns when the next turn is due.
double TrainingRun::rest() {
    {
        const std::lock_guard lock(mutex_);
        if (!orders_.empty() || is_playing_ || steps_left_ > 0) return 0;
        is_idle_ = true;  // until somebody calls
    }
    if (wake_) wake_();
    return Strand::kNever;
}

void TrainingRun::publish() {
    auto next = std::make_shared<TrainingSnapshot>(worker_->snapshot());
    {
        const std::lock_guard lock(mutex_);
        next->n_orders = n_done_;
        if ((is_playing_ || steps_left_ > 0) && worker_->can_step())
            next->phase = TrainingSnapshot::Phase::Running;
        snapshot_ = std::move(next);
    }
    if (wake_) wake_();
}

void TrainingRun::fail(const std::string& why) {
    {
        const std::lock_guard lock(mutex_);
        auto failed = std::make_shared<TrainingSnapshot>(*snapshot_);
        failed->phase = TrainingSnapshot::Phase::Failed;
        failed->message = why;
        failed->n_orders = n_ordered_;
        snapshot_ = std::move(failed);
        is_playing_ = false;
        has_ended_ = true;
    }
    if (wake_) wake_();
}

}  // namespace headlight
