#include "learn/task.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "learn/pair_task.h"
#include "learn/sequence_task.h"
#include "learn/tasks/graph_tasks.h"
#include "learn/tasks/translation_source.h"
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

Recipe karate_recipe(const char* task, GraphMechanism mechanism) {
    return {.task = task,
            .study = karate_study(mechanism),
            .steps = 100,
            .batch = 1,
            .learning_rate = 0.01,
            .warm_up = 0,
            .seed = 1,
            .optimizer = {.rule = Rule::Adam, .weight_decay = 5e-4}};
}

Recipe karate_gat_recipe() {
    return karate_recipe("karate", GraphMechanism::Gat);
}

Recipe karate_gatv2_recipe() {
    return karate_recipe("karate-gatv2", GraphMechanism::GatV2);
}

Recipe partition_recipe() {
    Recipe recipe = karate_recipe("three-groups", GraphMechanism::GatV2);
    recipe.study = partition_study(GraphMechanism::GatV2);
    recipe.steps = 200;
    return recipe;
}

Recipe dictionary_recipe(const char* task, GraphMechanism mechanism) {
    return {.task = task,
            .study = dictionary_study(mechanism, 8),
            .steps = 1500,
            .batch = 32,
            .learning_rate = 0.01,
            .warm_up = 0,
            .seed = 1,
            .optimizer = {.rule = Rule::Adam}};
}

Recipe dictionary_gatv2_recipe() {
    return dictionary_recipe("dictionary", GraphMechanism::GatV2);
}

Recipe dictionary_gat_recipe() {
    return dictionary_recipe("dictionary-gat", GraphMechanism::Gat);
}

template <int known_of_each_group>
std::unique_ptr<Task> make_node_task(const Recipe& recipe, int) {
    return std::make_unique<NodeTask>(recipe, known_of_each_group);
}

std::unique_ptr<Task> make_dictionary_task(const Recipe& recipe, int shard_size) {
    return std::make_unique<DictionaryTask>(recipe, shard_size);
}

Recipe translation_recipe() {
    return {.task = "translation",
            .study = recurrent_translation_study(Switch::On),
            .steps = 1200,
            .batch = 48,
            .learning_rate = 4e-3,
            .warm_up = 30,
            .seed = 1,
            .optimizer = {.rule = Rule::Adam, .clip_norm = 1}};
}

Recipe blind_translation_recipe() {
    Recipe recipe = translation_recipe();
    recipe.task = "translation-without-attention";
    recipe.study = recurrent_translation_study(Switch::Off);
    return recipe;
}

Recipe transformer_translation_recipe() {
    Recipe recipe = translation_recipe();
    recipe.task = "translation-transformer";
    recipe.study = transformer_translation_study();
    recipe.steps = 2400;
    recipe.learning_rate = 2e-3;
    return recipe;
}

template <typename Source>
std::unique_ptr<Task> make_pair_task(const Recipe& recipe, int shard_size) {
    return std::make_unique<PairTask>(std::make_unique<Source>(), recipe, shard_size);
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
    TaskEntry{"karate", "Two factions of a karate club",
              "Which faction each member followed, from two that are known; GAT.",
              karate_gat_recipe, make_node_task<1>},
    TaskEntry{"karate-gatv2", "Two factions of a karate club",
              "Which faction each member followed, from two that are known; GATv2.",
              karate_gatv2_recipe, make_node_task<1>},
    TaskEntry{"three-groups", "Three groups of a graph",
              "Which group each of 60 nodes belongs to, from three known ones of each.",
              partition_recipe, make_node_task<3>},
    TaskEntry{"dictionary", "Looking up in a dictionary",
              "Every query says the value of its own key; GATv2 can learn it.",
              dictionary_gatv2_recipe, make_dictionary_task},
    TaskEntry{"dictionary-gat", "Looking up in a dictionary with GAT",
              "The same with GAT, which ranks the keys alike for every query, and cannot.",
              dictionary_gat_recipe, make_dictionary_task},
    TaskEntry{"translation", "Translation",
              "English to French: each French word reads the English word that it comes from.",
              translation_recipe, make_pair_task<TranslationSource>},
    TaskEntry{"translation-transformer", "Translation, by a Transformer",
              "The same by an encoder and a decoder of two layers each.",
              transformer_translation_recipe, make_pair_task<TranslationSource>},
    TaskEntry{"translation-without-attention", "Translation without attention",
              "The same by a decoder that sees the encoder's last states only.",
              blind_translation_recipe, make_pair_task<TranslationSource>},
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

const TaskEntry* find_task(std::string_view name) {
    const auto found = std::ranges::find(
        kTasks, name, [](const TaskEntry& task) { return std::string_view(task.name); });
    return found == kTasks.end() ? nullptr : &*found;
}

std::string no_task_text(std::string_view name) {
    std::string known;
    for (const TaskEntry& task : kTasks)
        known += (known.empty() ? "" : ", ") + std::string(task.name);
    return "there is no task '" + std::string(name) + "'; there are " + known;
}

const TaskEntry& task_named(std::string_view name) {
    if (const TaskEntry* task = find_task(name)) return *task;
    throw Error("training", no_task_text(name));
}

}  // namespace headlight
