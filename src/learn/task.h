// Task: something that a network can be trained to do.
//
// Goals: a task is a plan, a stream of batches, a test on what was never trained, and a study that
// shows what was learned. Not goals: how steps are made (trainer.h), how many (training.h).
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "learn/random.h"
#include "learn/trainer.h"
#include "model/document.h"

namespace headlight {

inline constexpr long kMaxSteps = 10'000'000;

/// The course of the learning rate after it has risen: to 0 at the last step in a straight line, or
/// along half of a cosine [Loshchilov & Hutter 2017]; or it does not fall at all.
enum class RateSchedule { Linear, Cosine, Constant };

/// The settings with which a task is trained.
struct Recipe {
    std::string task;
    Document study;  // the network, and an input that shows what it has learned; without weights
    long steps = 1000;
    int batch = 64;  // examples a step
    double learning_rate = 3e-3;
    long warm_up = 50;  // steps over which the rate rises
    RateSchedule schedule = RateSchedule::Linear;
    LossKind loss = LossKind::CrossEntropy;
    std::uint64_t seed = 1;
    OptimizerSettings optimizer = {};
    int known = 0;  // nodes of each group whose class is known; 0: the task knows no such nodes

    bool operator==(const Recipe&) const = default;
};

/// True if they have the same settings, and the same graph or size of a picture. Texts, pixels,
/// seeds, weights and edits do not count.
bool have_same_network(const Document& a, const Document& b);

class Task {
  public:
    virtual ~Task() = default;

    /// Returns the recipe's study, with an input that fits its network.
    virtual Document study() const = 0;
    /// Returns the plan of one shard. Its learned leaves are drawn from the recipe's seed.
    virtual const TrainingPlan& plan() const = 0;
    /// Draws new examples, as many as a shard has room for.
    virtual Shard draw(Random& random) const = 0;
    /// Returns examples that are never drawn, the same ones every time.
    virtual std::vector<Shard> held_out() const = 0;
    /// Names what an accuracy counts: "examples" where each has one target, otherwise "words",
    /// "nodes".
    virtual const char* target_noun() const { return "examples"; }
    /// Names what an accuracy was measured on, of which nothing is ever drawn: "held-out nodes",
    /// "words of held-out texts".
    virtual std::string tested_noun() const { return std::string("held-out ") + target_noun(); }
    /// Returns a remark on the examples, such as which nodes are known. It may be empty.
    virtual std::string note() const { return {}; }
    /// Returns the title for an input of one's own in the place of the task's; empty if it stays
    /// the same.
    virtual std::string own_title() const { return {}; }
};

struct TaskEntry {
    const char *name, *title, *sentence;
    Recipe (*recipe)();  // made the weights that come with the program
    /// Throws Error if the recipe's study is of another kind.
    std::unique_ptr<Task> (*make)(const Recipe& recipe, int shard_size);

    /// Returns a study that shows what the weights have learned; null: before that.
    Document study(SharedWeights weights) const;
};

/// Puts the examples into shards, as many in each as the batch has room for.
template <typename Batch, typename Example>
std::vector<Shard> fill_shards(const Batch& batch, const std::vector<Example>& examples) {
    const auto n = static_cast<std::size_t>(batch.size());
    std::vector<Shard> shards;
    for (std::size_t begin = 0; begin < examples.size(); begin += n)
        shards.push_back(
            batch.shard(std::span(examples).subspan(begin, std::min(n, examples.size() - begin))));
    return shards;
}

/// Returns all tasks, in the order in which they are listed.
std::span<const TaskEntry> tasks();
/// Returns the task of that name; null if there is none.
const TaskEntry* find_task(std::string_view name);
/// "there is no task 'x'; there are a, b"
std::string no_task_text(std::string_view name);
/// Returns the task of that name. Throws Error, naming the tasks that there are, if there is none.
const TaskEntry& task_named(std::string_view name);

}  // namespace headlight
