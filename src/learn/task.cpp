#include "learn/task.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "learn/tasks/who_task.h"

namespace headlight {
namespace {

Recipe who_recipe() {
    return {.task = "who-is-it",
            .steps = 5000,
            .batch = 64,
            .learning_rate = 3e-3,
            .warm_up = 50,
            .seed = 1,
            .optimizer = {.rule = Rule::Adam, .clip_norm = 1}};
}

Recipe twin_recipe() {
    Recipe recipe = who_recipe();
    recipe.task = "never-looks";
    recipe.steps = 3000;
    return recipe;
}

template <LastLayer last_layer>
std::unique_ptr<Task> make_who_task(const Recipe& recipe, int shard_size) {
    return std::make_unique<WhoTask>(recipe, shard_size, last_layer);
}

template <LastLayer last_layer>
Document who_study(SharedWeights weights) {
    return WhoTask::study(last_layer, std::move(weights));
}

constexpr std::array kTasks = {
    TaskEntry{"who-is-it", "Who is it?",
              "Which noun of a sentence “it” stands for: the last adjective decides.", who_recipe,
              who_study<LastLayer::Pointing>, make_who_task<LastLayer::Pointing>},
    TaskEntry{"never-looks", "Who is it? without looking",
              "The same task, learned as well by heads of the last layer that look elsewhere.",
              twin_recipe, who_study<LastLayer::Block>, make_who_task<LastLayer::Block>},
};

}  // namespace

std::span<const TaskEntry> tasks() {
    return kTasks;
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
