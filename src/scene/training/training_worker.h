// Training worker: a training that is looked at, without a thread of its own.
//
// Goals: the bits of `headlight train` with the same recipe and number of threads, as long as
// nobody interferes; memory stays bounded however many steps there are.
// Not goals: when steps are made (training_run.h).
#pragma once

#include "model/workers.h"
#include "scene/training/training_snapshot.h"

namespace headlight {

class TrainingWorker {
  public:
    /// Throws Error if the recipe cannot be trained.
    TrainingWorker(const TaskEntry& task, const Recipe& recipe, int n_threads);

    /// Takes a step, and looks where it has led. A run that fails says why in its snapshot.
    void step();
    /// True until the last step is made or the run has failed.
    bool can_step() const { return failure_.empty() && !training_.is_done(); }

    void set_learning_rate(double rate);
    /// For every later step and test. Those of computed tensors only; cells are left out, since the
    /// places of a batch are others than those of a study. Heads are measured with all of them.
    void set_interventions(const Interventions& interventions);
    /// Cells of parameters, once: later steps change them again.
    void set_cells(const Interventions& cells);
    /// Takes up the newest checkpoint at or before that step. What came after it is dropped.
    void go_on_from(long step);

    /// The study on which heads are measured, without its weights.
    void measure_on(Document study);
    /// Measures heads at one checkpoint where they are not known, the newest first. False if all
    /// are known.
    bool measure_next();
    /// The head that WithoutHead speaks of, by its z; empty: none. It is measured with every test.
    void measure_without(const std::string& path);

    /// On a part of what was never trained; after the last step on all of it.
    void test();
    /// Keeps the weights of now, as often as it is asked.
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
    Interventions interventions_, shown_interventions_;  // ablations alone; all of the study's
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
};

}  // namespace headlight
