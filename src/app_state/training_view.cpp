#include "app_state/training_view.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <utility>

#include "app_state/training_run.h"
#include "app_state/workspace.h"
#include "io/studies/recipe_file.h"
#include "io/text/json_text.h"
#include "model/changes.h"

namespace headlight {
namespace {

Document without_values(Document document) {
    document.weights = nullptr;
    document.interventions.clear();
    return document;
}

/// Keeps the step of the history, with another content. What was opened or saved stays so.
void amend(Workspace& space, const std::function<void(Document&)>& change, bool stays_saved) {
    const std::shared_ptr<const Document> was = space.session.history().shared_state();
    space.session.amend(change);
    const std::shared_ptr<const Document>& is = space.session.history().shared_state();
    if (space.opened == was) space.opened = is;
    if (space.saved == was && stays_saved) space.saved = is;
    for (auto* steps : {&space.before, &space.after})
        for (StudyBefore& step : *steps)
            if (step.next == was) step.next = is;
}

/// Returns the options that a command needs for a recipe besides the task.
std::string options_beside(const Recipe& recipe, const Recipe& own) {
    std::string options;
    if (recipe.seed != own.seed) options += fmt::format(" --seed {}", recipe.seed);
    if (recipe.steps != own.steps) options += fmt::format(" --steps {}", recipe.steps);
    if (recipe.learning_rate != own.learning_rate)
        options += " --learning-rate " + number_text(recipe.learning_rate);
    return options;
}

}  // namespace

TrainingView::TrainingView(std::function<void()> wake)
    : wake_(std::move(wake)),
      task_(&tasks().front()),
      recipe_(task_->recipe()),
      snapshot_(std::make_shared<const TrainingSnapshot>()) {}

TrainingView::~TrainingView() = default;

bool TrainingView::has_begun() const {
    return snapshot_->step > 0 || snapshot_->curve.size() > 0 || is_running();
}

const TrainingCheckpoint* TrainingView::shown() const {
    if (snapshot_->checkpoints.empty()) return nullptr;
    const TrainingCheckpoint* found =
        shown_step_ ? snapshot_->find_checkpoint(*shown_step_) : nullptr;
    return found ? found : &snapshot_->checkpoints.back();
}

// ---- once a frame ----

void TrainingView::follow(Workspace& space) {
    const Document& document = space.session.document();
    fits_ = have_same_network(document, recipe_.study);
    if (!fits_ && !has_begun()) must_begin_ = true;
    if (must_begin_) begin(space);
    snapshot_ = run_->snapshot();
    if (!fits_) return run_->pause();
    if (sent_ && snapshot_->n_orders >= sent_->order) {
        const Interventions done = std::exchange(sent_, {})->cells;
        take_weights(space);
        amend(
            space,
            [&](Document& changed) {
                std::erase_if(changed.interventions, [&](const auto& entry) {
                    const auto it = done.find(entry.first);
                    return it != done.end() && it->second == entry.second;
                });
            },
            false);
    }
    send_changes(space);
    take_weights(space);
}

void TrainingView::begin(const Workspace& space) {
    recipe_.study = without_values(space.session.document());
    run_.reset();  // its thread ends first
    const auto from = std::exchange(resumes_, {});
    run_ = std::make_unique<TrainingRun>(
        *task_, recipe_, from ? from->n_threads : training_threads(recipe_.batch), wake_, from);
    snapshot_ = run_->snapshot();
    must_begin_ = false;
    fits_ = true;
    shown_step_.reset();
    measured_on_ = recipe_.study;
    told_.clear();
    asked_head_.clear();
    sent_.reset();
}

/// Sends the text, the ablations, and the head that is asked about.
void TrainingView::send_changes(Workspace& space) {
    const Document& document = space.session.document();
    if (snapshot_->checkpoints.empty()) return;
    if (Document study = without_values(document); !(study == measured_on_)) {
        measured_on_ = study;
        run_->measure_on(std::move(study));
    }
    const WeightMatrices& learned = snapshot_->checkpoints.back().weights->matrices;
    Interventions of_computed;
    for (const auto& [path, intervention] : document.interventions)
        if (!learned.contains(path)) of_computed.emplace(path, intervention);
    if (of_computed != told_) {
        told_ = of_computed;
        run_->set_interventions(of_computed);
    }
    if (shows_newest()) send_cells(document);
    if (!space.trace) return;
    const Component* attention = shown_attention(space.components, space.selection);
    const Tensor* z =
        attention ? ablated_tensor(*space.trace, *attention, space.selection.head) : nullptr;
    if (z && z->path() != asked_head_) run_->measure_without(asked_head_ = z->path());
}

/// Sets weights of the study in the parameters, once.
void TrainingView::send_cells(const Document& document) {
    if (sent_) return;
    const WeightMatrices& learned = snapshot_->checkpoints.back().weights->matrices;
    Interventions cells;
    for (const auto& [path, intervention] : document.interventions)
        if (intervention.is_on && learned.contains(path)) cells.emplace(path, intervention);
    if (!cells.empty()) sent_ = SentCells{run_->set_cells(cells), cells};
}

void TrainingView::take_weights(Workspace& space) {
    const TrainingCheckpoint* checkpoint = shown();
    if (!checkpoint || are_same(space.session.document().weights, checkpoint->weights)) return;
    const bool is_of_nobody = snapshot_->step == 0 && snapshot_->by_hand.empty();
    amend(
        space, [&](Document& document) { document.weights = checkpoint->weights; }, is_of_nobody);
}

// ---- what can be asked for ----

void TrainingView::choose_task(Workspace& space, const TaskEntry& task) {
    task_ = &task;
    recipe_ = task.recipe();
    start_study(space, task.study(nullptr), std::string("Train: ") + task.title);
    forget_run();
}

void TrainingView::forget_run() {
    if (run_ && has_begun() && !snapshot_->tests.empty())
        keep_earlier(
            {fmt::format("run {}: {}", ++n_tested_runs_, run_->task().title), snapshot_->tests});
    run_.reset();  // its thread ends first
    snapshot_ = std::make_shared<const TrainingSnapshot>();
    resumes_.reset();
    must_begin_ = true;
}

void TrainingView::keep_earlier(EarlierRun run) {
    earlier_.push_back(std::move(run));
    if (earlier_.size() > kMostEarlier) earlier_.erase(earlier_.begin());
}

/// Keeps the abandoned way of the run, from the step where it is left.
void TrainingView::keep_branch(long from) {
    const std::vector<HeldOutPoint>& tests = snapshot_->tests;
    auto first = std::ranges::upper_bound(tests, from, {}, &HeldOutPoint::step);
    if (first == tests.end()) return;
    if (first != tests.begin()) --first;  // it begins on the curve that goes on
    keep_earlier({fmt::format("before: steps {} to {}", from, tests.back().step),
                  std::vector(first, tests.end())});
}

void TrainingView::change_recipe(const std::function<void(Recipe&)>& change) {
    if (has_begun()) return;
    change(recipe_);
    must_begin_ = true;
}

void TrainingView::begin_anew(Workspace& space) {
    const Document study = without_values(space.session.document());
    start_study(space, study, "Begin the training anew");
    forget_run();
}

void TrainingView::play() {
    show_step({});
    if (run_) run_->play();
}

void TrainingView::pause() {
    if (run_) run_->pause();
}

void TrainingView::make_steps(long count) {
    show_step({});
    if (run_) run_->make_steps(count);
}

void TrainingView::set_learning_rate(double rate) {
    recipe_.learning_rate = rate;
    if (run_) run_->set_learning_rate(rate);
}

void TrainingView::show_step(std::optional<long> step) {
    shown_step_ = step;
    if (shown() == &snapshot_->checkpoints.back() && !is_running()) shown_step_.reset();
}

void TrainingView::go_on_from_shown() {
    const TrainingCheckpoint* checkpoint = shown();
    if (!checkpoint || !run_) return;
    keep_branch(checkpoint->step);
    run_->go_on_from(checkpoint->step);
    shown_step_.reset();
}

// ---- for a window that may be killed ----

std::shared_ptr<const InterruptedTraining> TrainingView::kept() const {
    if (resumes_ || !run_) return resumes_;
    return run_->snapshot()->kept;
}

bool TrainingView::is_ahead_of_kept() const {
    if (resumes_ || !run_) return false;
    const auto now = run_->snapshot();
    if (now->phase == TrainingSnapshot::Phase::Failed) return false;  // it may take no orders
    if (!now->kept) return now->step > 0;
    return now->kept->state.step != now->step ||
           now->kept->recipe.learning_rate != now->learning_rate;
}

void TrainingView::keep() {
    if (run_ && !resumes_) run_->keep_state();
}

void TrainingView::resume(std::shared_ptr<const InterruptedTraining> from) {
    forget_run();
    task_ = &task_named(from->recipe.task);
    recipe_ = from->recipe;
    resumes_ = std::move(from);
}

Document TrainingView::study_for_use(const Workspace& space) const {
    Document study = space.session.document();
    if (!study.weights || !find_task(recipe_.task)) return study;
    Weights named = *study.weights;
    named.recipe = write_recipe_changes(recipe_);
    study.weights = std::make_shared<const Weights>(std::move(named));
    return study;
}

TrainingView::Reproduction TrainingView::reproduction() const {
    Reproduction made;
    const TrainingCheckpoint* checkpoint = shown();
    if (!checkpoint || !run_) return made;
    made.reasons = snapshot_->by_hand;
    if (checkpoint->step == 0) made.reasons.emplace_back("no step has been made yet");
    if (!made.reasons.empty()) return made;
    const Recipe own = task_->recipe();
    made.is_of_saved = !have_same_network(recipe_.study, own.study) || recipe_.batch != own.batch ||
                       !(recipe_.optimizer == own.optimizer) || recipe_.warm_up != own.warm_up ||
                       recipe_.known != own.known;
    const std::string name = task_->name;
    made.command = "headlight train " + name;
    if (made.is_of_saved)
        made.command += ".safetensors";
    else
        made.command += options_beside(recipe_, own);
    made.command += fmt::format(" --stop-at {} --threads {} -o {}{}.safetensors", checkpoint->step,
                                run_->n_threads(), name, made.is_of_saved ? "-again" : "");
    return made;
}

bool TrainingView::is_running() const {
    return run_ && run_->is_playing();
}

bool TrainingView::is_busy() const {
    return run_ && run_->is_busy();
}

void TrainingView::wait() const {
    if (run_) run_->wait();
}

// ---- heads over time ----

std::string training_title(const TrainingView& training) {
    return fmt::format("Training: {}", training.task().title);
}

}  // namespace headlight
