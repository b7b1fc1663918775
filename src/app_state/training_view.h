// Training view: the study of a training run in its workspace, which follows the weights.
//
// Goals: panels read an ordinary study; what they change in it (a head ablated, a weight set, the
// text) reaches the training. Undo knows what a hand has changed, and no step of the training.
// Not goals: drawing; files.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "views/training_curves.h"
#include "views/training_snapshot.h"

namespace headlight {

class TrainingRun;
struct Workspace;

class TrainingView {
  public:
    static constexpr std::size_t kMostEarlier = 3;

    /// `wake` is called from another thread when something new is to be seen.
    explicit TrainingView(std::function<void()> wake);
    ~TrainingView();

    /// Follows the run once a frame while the workspace is shown: the weights of the shown
    /// checkpoint go into the study, changes of the study go to the run. A run begins where there
    /// is none.
    void follow(Workspace& space);

    const TaskEntry& task() const { return *task_; }
    const Recipe& recipe() const { return recipe_; }  // of the run, or of the next one
    const TrainingSnapshot& snapshot() const { return *snapshot_; }
    bool is_running() const;
    /// True if steps were made: what a run begins with stays as it is until it begins anew.
    bool has_begun() const;
    /// True if the study's network is the run's. It is not after somebody has changed it in the
    /// middle.
    bool fits() const { return fits_; }

    /// Returns the checkpoint that is shown; null before the first.
    const TrainingCheckpoint* shown() const;
    bool shows_newest() const { return !shown_step_; }
    /// Returns the runs of this window that were tested, the oldest first; the latest kMostEarlier
    /// ones.
    const std::vector<EarlierRun>& earlier() const { return earlier_; }

    // ---- what can be asked for ----

    void choose_task(Workspace& space, const TaskEntry& task);
    /// Changes the recipe, only before the first step; the run begins with it.
    void change_recipe(const std::function<void(Recipe&)>& change);
    /// Begins from new weights; the old ones are one step of undo back.
    void begin_anew(Workspace& space);
    void forget_earlier() { earlier_.clear(); }
    void play();
    void pause();
    void make_steps(long count);
    void set_learning_rate(double rate);
    /// Shows the newest checkpoint at or before that step; without a step, always the newest.
    void show_step(std::optional<long> step);
    void go_on_from_shown();

    // ---- for a window that may be killed ----

    /// Returns all that it takes to go on in another window, as it was kept last; null if nothing
    /// was.
    std::shared_ptr<const InterruptedTraining> kept() const;
    /// True if steps or changes came after that.
    bool is_ahead_of_kept() const;
    void keep();
    /// Goes on from there, in a study of that network.
    void resume(std::shared_ptr<const InterruptedTraining> from);

    /// Returns the study as it is shown, to be opened elsewhere; its weights name the recipe.
    Document study_for_use(const Workspace& space) const;
    /// "headlight train who-is-it --seed 1 …": repeats the shown weights bit by bit.
    struct Reproduction {
        std::string command;               // empty: none does …
        bool is_of_saved = false;          // it needs these weights saved, for their recipe
        std::vector<std::string> reasons;  // … for these reasons
    };
    Reproduction reproduction() const;

    /// True while something goes on that ends by itself.
    bool is_busy() const;
    void wait() const;

  private:
    void begin(const Workspace& space);
    void forget_run();
    void keep_earlier(EarlierRun run);
    void keep_branch(long from);
    void send_changes(Workspace& space);
    void send_cells(const Document& document);
    void take_weights(Workspace& space);

    std::function<void()> wake_;
    const TaskEntry* task_;
    Recipe recipe_;
    std::unique_ptr<TrainingRun> run_;
    std::shared_ptr<const TrainingSnapshot> snapshot_;
    std::vector<EarlierRun> earlier_;  // and ways of this one that were given up
    long n_tested_runs_ = 0;
    bool fits_ = true;
    bool must_begin_ = true;
    std::shared_ptr<const InterruptedTraining> resumes_;  // the next run begins there
    std::optional<long> shown_step_;

    // The last orders that the run was given.
    Document measured_on_;
    Interventions told_;
    std::string asked_head_;
    struct SentCells {
        long order = 0;
        Interventions cells;
    };
    std::optional<SentCells> sent_;
};

/// "Training: Who is it?"
std::string training_title(const TrainingView& training);

}  // namespace headlight
