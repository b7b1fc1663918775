// headlight train makes weights from a recipe; headlight test measures them on held-out examples.
#pragma once

#include <filesystem>

#include "cli/commands.h"
#include "cli/options.h"
#include "learn/training.h"

namespace headlight {

/// Lists one task a line: its name, a tab, and what is learned.
void list_tasks(const Streams& streams);

/// Trains a task's network; writes the weights that were best on held-out examples. Ctrl+C ends the
/// training, and the best so far is written.
struct TrainTask {
    bool lists = false;                       // only print the tasks
    std::optional<std::string> task, output;  // or a recipe's file; .safetensors, to be trained
    bool prints = false;                      // only print the recipe
    std::optional<long> steps;
    std::optional<std::uint64_t> seed;
    std::optional<double> learning_rate;
    std::optional<long> stop_at;            // the weights of that step, whatever was better
    std::optional<std::string> film;        // the heads as they form, .gif or .png
    bool in_window = false;                 // shown in the window, to be watched
    std::optional<std::string> begin, log;  // weights to begin at; a CSV file of the curve
    std::optional<int> n_threads;           // the numbers depend on it in their last digits
};
void train(const TrainTask& options, const Streams& streams);

/// Prints how many of the held-out targets are right, and their mean loss.
struct TestWeights {
    std::string what;                  // weights that name their recipe, or a task: its own
    std::vector<std::string> without;  // globs of computed matrices that are zero meanwhile
    bool each_head = false;            // also without each single head, one line a head
};
void test_weights(const TestWeights& options, const Streams& streams);

void add_train_options(Options command, TrainTask& train);
void add_test_options(Options command, TestWeights& test);

/// The files of one training: those that are read, those that are written, and the moments of
/// writing. Nothing that is read is lost; a full disk costs no training.
class TrainingFiles {
  public:
    /// Throws Error, before anything is trained, unless all outputs differ from each other and from
    /// the files that are read, and have a folder.
    TrainingFiles(const TrainTask& options, const Streams& streams);

    /// Writes the state from which the training can go on, beside the weights. Where it cannot, a
    /// note says so, the first time; the training goes on.
    void keep(const Training& training);
    /// True if it was written the last time.
    bool is_kept() const { return !has_failed_; }
    /// Removes the kept state.
    void forget();
    /// Writes the weights; if there is no room for them where they belong, among temporary files,
    /// and throws Error, which says where they are.
    void write(const Weights& weights, const Recipe& recipe) const;

  private:
    std::filesystem::path output_;
    const Streams& streams_;
    bool has_failed_ = false;
};

}  // namespace headlight
