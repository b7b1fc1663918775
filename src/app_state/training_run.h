// Training run: a training beside the window, which takes orders and shows snapshots.
//
// Goals: the window never waits for it; orders are carried out between two steps, in their order.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "model/strand.h"
#include "model/workers.h"
#include "views/training_snapshot.h"

namespace headlight {

/// A training that is looked at, without a thread of its own.
///
/// Goals: the bits of `headlight train` with the same recipe and number of threads, as long as
/// nobody interferes; memory stays bounded however many steps there are.
/// Not goals: when steps are made (TrainingRun).
class TrainingWorker {
  public:
    /// Throws Error if the recipe cannot be trained.
    TrainingWorker(const TaskEntry& task, const Recipe& recipe, int n_threads);

    /// Takes a step, and looks where it has led. A run that fails says why in its snapshot.
    void step();
    /// True until the last step is made or the run has failed.
    bool can_step() const { return failure_.empty() && !training_.is_done(); }

    void set_learning_rate(double rate);
    /// Sets the interventions for every later step and test: only those on computed tensors. Cells
    /// are left out, since the places of a batch are others than those of a study. Heads are
    /// measured with all of them.
    void set_interventions(const Interventions& interventions);
    /// Sets cells of parameters once; later steps change them again.
    void set_cells(const Interventions& cells);
    /// Takes up the newest checkpoint at or before that step. Everything after it is dropped.
    void go_on_from(long step);

    /// Goes on where a training of the same recipe was interrupted. The curve is there again; tests
    /// and checkpoints begin there. Throws Error if it belongs to another network.
    void resume(const TrainingState& state);
    /// From now on the snapshot has all that resume() needs.
    void keep_state();

    /// Sets the study on which heads are measured, without its weights.
    void measure_on(Document study);
    /// Measures heads at one checkpoint where they are not known, the newest first. Returns false
    /// if all are known.
    bool measure_next();
    /// Sets the head that WithoutHead speaks of, by its z; empty: none. It is measured with every
    /// test.
    void measure_without(const std::string& path);

    /// Tests on a part of the examples that were never trained; after the last step on all of them.
    void test();
    /// Keeps the present weights, as often as it is asked.
    void keep_checkpoint();
    TrainingSnapshot snapshot() const;

  private:
    const std::vector<Shard>& asked() const;
    Loss loss_with(const Interventions& interventions);
    void test_without();
    void thin_out();
    void forget_after(long step);
    TrainingCheckpoint checkpoint_of_now() const;
    HeadStates heads_at(const SharedWeights& weights);
    std::size_t most_checkpoints() const;
    void note(std::string what);

    Training training_;
    Workers workers_;
    ForEach for_each_;
    Interventions interventions_, shown_interventions_;  // only ablations; all of the study's
    std::vector<Shard> held_out_, tested_;  // all, and the part that is tested now and then
    long n_held_out_ = 0, n_tested_ = 0;
    double commonest_ = 0;
    std::vector<TrainingCheckpoint> checkpoints_;
    long stride_ = 10;  // steps between two checkpoints
    std::vector<HeldOutPoint> tests_;
    long best_step_ = -1;
    double best_accuracy_ = -1;
    double step_secs_ = 0;
    Document study_;
    Evaluator evaluator_;
    std::shared_ptr<const Trace> measured_;
    std::string without_path_;
    std::optional<WithoutHead> without_;
    std::string message_, failure_;
    std::vector<std::string> by_hand_;
    std::shared_ptr<const InterruptedTraining> kept_;
};

/// Returns the number of threads that a batch of that size is divided among, leaving one for the
/// window.
int training_threads(int batch);

class TrainingRun {
  public:
    using Interrupted = std::shared_ptr<const InterruptedTraining>;

    /// Begins without a step, or where one was interrupted, if `from` is not null. `wake` is called
    /// from a turn of the run when there is a new snapshot.
    TrainingRun(const TaskEntry& task, Recipe recipe, int n_threads, std::function<void()> wake,
                Interrupted from = nullptr);
    ~TrainingRun();
    TrainingRun(const TrainingRun&) = delete;
    TrainingRun& operator=(const TrainingRun&) = delete;

    const TaskEntry& task() const { return task_; }
    const Recipe& recipe() const { return recipe_; }  // as it was at the beginning
    int n_threads() const { return n_threads_; }
    std::shared_ptr<const TrainingSnapshot> snapshot() const;

    void play();
    void pause();
    /// Makes that many steps, then rests.
    void make_steps(long count);

    // Orders as in TrainingWorker. Each returns its number; the snapshot says how many of them have
    // been carried out.
    long set_learning_rate(double rate);
    long set_interventions(const Interventions& interventions);
    long set_cells(const Interventions& cells);
    long go_on_from(long step);
    long keep_state();
    long measure_on(Document study);
    long measure_without(const std::string& head);

    /// True while steps are to be made.
    bool is_playing() const;
    /// True while something goes on that ends by itself soon: an order, or steps that were counted.
    bool is_busy() const;
    /// Waits until nothing of that kind goes on.
    void wait() const;

  private:
    using Order = std::function<void(TrainingWorker&)>;

    long order(Order order);
    void call();
    bool rests() const { return has_ended_ || is_playing_ || is_idle_; }
    double turn();
    double work();
    bool take_orders();
    bool make_step();
    double rest();
    void publish();
    void fail(const std::string& why);

    const TaskEntry& task_;
    const Recipe recipe_;
    const int n_threads_;
    std::function<void()> wake_;
    const Interrupted from_;

    mutable std::mutex mutex_;  // guards what follows
    std::deque<Order> orders_;
    long n_ordered_ = 0, n_done_ = 0;
    bool is_playing_ = false;
    bool is_idle_ = false;    // it waits for orders
    bool has_ended_ = false;  // it takes no orders any more
    long steps_left_ = 0;     // of those that were counted
    std::shared_ptr<const TrainingSnapshot> snapshot_;

    // These two are of the turns alone.
    std::optional<TrainingWorker> worker_;
    std::chrono::steady_clock::time_point published_;
    Strand strand_;  // ends first
};

}  // namespace headlight
