#include "io/studies/ready_studies.h"

#include <algorithm>
#include <map>

#include "embedded_weights.h"
#include "io/arrays/weights_file.h"

namespace headlight {
namespace {

/// Presets that are shown with the weights of a task.
constexpr std::pair<std::string_view, const char*> kTrainedPresets[] = {
    {"bahdanau", "translation"},
    {"free-running", "translation"},
    {"gat", "karate"},
    {"gatv2", "karate-gatv2"},
    {"no-attention", "translation-without-attention"},
    {"transformer", "translation-transformer"}};

/// Null: its weights are drawn.
const TaskEntry* find_task_of(std::string_view preset) {
    for (const auto& [name, task] : kTrainedPresets)
        if (name == preset && trained_weights(task_named(task))) return &task_named(task);
    return nullptr;
}

/// The task's study; a decoder that writes freely in the preset does so in it, too.
Document trained_preset(const Preset& preset, const TaskEntry& task) {
    Document document = trained_study(task);
    const Document untrained = preset.make();
    if (document.alignment() && untrained.alignment())
        document.alignment()->recurrent.feeding = untrained.alignment()->recurrent.feeding;
    return document;
}

ReadyStudy ready(const Preset& preset) {
    const std::string name(preset.name), what(preset.what);
    if (const TaskEntry* task = find_task_of(preset.name))
        return {name, what + " Trained.",
                [task, &preset] { return trained_preset(preset, *task); }};
    return {name, what + " Untrained.", preset.make};
}

std::vector<ReadyStudy> all_studies() {
    std::vector<ReadyStudy> all;
    for (const TaskEntry& task : tasks())
        if (trained_weights(task))
            all.push_back({task.name, std::string(task.sentence) + " Trained.",
                           [&task] { return trained_study(task); }});
    for (const Preset& preset : presets())
        if (std::ranges::find(all, preset.name, &ReadyStudy::name) == all.end())
            all.push_back(ready(preset));
    return all;
}

}  // namespace

std::span<const ReadyStudy> ready_studies() {
    static const std::vector<ReadyStudy> all = all_studies();
    return all;
}

const ReadyStudy* find_ready_study(std::string_view name) {
    const auto found = std::ranges::find(ready_studies(), name, &ReadyStudy::name);
    return found == ready_studies().end() ? nullptr : &*found;
}

SharedWeights trained_weights(const TaskEntry& task) {
    const std::string file = std::string(task.name) + ".safetensors";
    const std::string_view bytes = embedded_weights(file);
    if (bytes.empty()) return nullptr;
    static std::map<std::string, SharedWeights> known;
    SharedWeights& weights = known[file];
    if (!weights) weights = read_weights(bytes_in_memory(bytes, file));
    return weights;
}

Document trained_study(const TaskEntry& task, SharedWeights weights) {
    return task.study(weights ? std::move(weights) : trained_weights(task));
}

}  // namespace headlight
