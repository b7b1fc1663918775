#include "learn/task.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "learn/sequence_task.h"
#include "learn/tasks/induction_source.h"
#include "learn/tasks/who_source.h"

namespace headlight {
namespace {

Recipe who_recipe(LastLayer last_layer) {
    return {.task = "who-is-it",
            .study = who_study(last_layer),
            .steps = 5000,
            .batch = 64,
            .learning_rate = 3e-3,
            .warm_up = 50,
            .seed = 1,
            .optimizer = {.rule = Rule::Adam, .clip_norm = 1}};
}

Recipe looking_recipe() {
    return who_recipe(LastLayer::Pointing);
}

Recipe twin_recipe() {
    Recipe recipe = who_recipe(LastLayer::Block);
    recipe.task = "never-looks";
    recipe.steps = 3000;
    return recipe;
}

template <typename Source>
std::unique_ptr<Task> make_sequence_task(const Recipe& recipe, int shard_size) {
    return std::make_unique<SequenceTask>(std::make_unique<Source>(), recipe, shard_size);
}

constexpr std::array kTasks = {
    TaskEntry{"who-is-it", "Who is it?",
              "Which noun of a sentence “it” stands for: the last adjective decides.",
              looking_recipe, make_sequence_task<WhoSource>},
    TaskEntry{"never-looks", "Who is it? without looking",
              "The same task, learned as well by heads of the last layer that look elsewhere.",
              twin_recipe, make_sequence_task<WhoSource>},
    TaskEntry{"induction", "Induction",
              "Random words are said again: what came after a word comes after it again.",
              induction_recipe, make_sequence_task<InductionSource>},
    TaskEntry{"induction-one-layer", "Induction with one layer",
              "The same task for one layer of attention, which cannot learn it.", one_layer_recipe,
              make_sequence_task<InductionSource>},
};

}  // namespace

std::span<const TaskEntry> tasks() {
    return kTasks;
}

Document TaskEntry::study(SharedWeights weights) const {
    Document document = recipe().study;
    document.weights = std::move(weights);
    return document;
}

const TaskEntry& task_named(std::string_view name) {
    const auto found = std::ranges::find(
        kTasks, name, [](const TaskEntry& task) { return std::string_view(task.name); });
    if (found != kTasks.end()) return *found;
    std::string known;
    for (const TaskEntry& task : kTasks)
        known += (known.empty() ? "" : ", ") + std::string(task.name);
    throw Error("training", "there is no task '" + std::string(name) + "'; there are " + known);
}

}  // namespace headlight
