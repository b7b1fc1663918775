#include "io/studies/ready_studies.h"

#include <algorithm>
#include <map>

#include "embedded_weights.h"
#include "io/arrays/weights_file.h"

namespace headlight {
namespace {

Document free_translation() {
    Document document = trained_study(task_named("translation"));
    document.alignment()->recurrent.feeding = Feeding::Free;
    return document;
}

/// The preset itself where no weights fit it.
Preset with_trained_weights(const Preset& preset) {
    static const std::map<std::string_view, Document (*)()> trained{
        {"bahdanau", [] { return trained_study(task_named("translation")); }},
        {"free-running", free_translation},
        {"no-attention", [] { return trained_study(task_named("translation-without-attention")); }},
        {"transformer", [] { return trained_study(task_named("translation-transformer")); }}};
    const auto found = trained.find(preset.name);
    return found == trained.end() ? preset : Preset{preset.name, preset.what, found->second};
}

std::vector<Preset> all_studies() {
    std::vector<Preset> all{
        {"who-is-it", "Trained: what is “it”? Change the last word, tired to wide, and see.",
         [] { return trained_study(task_named("who-is-it")); }},
        {"never-looks", "Trained to the same accuracy, but no head of its last layer looks.",
         [] { return trained_study(task_named("never-looks")); }},
        {"translation", "Trained: each French word reads the English word that it comes from.",
         [] { return trained_study(task_named("translation")); }},
        {"translation-transformer", "Trained: the same by a Transformer; see its cross-attention.",
         [] { return trained_study(task_named("translation-transformer")); }},
        {"translation-without-attention",
         "Trained as long: fluent French that says something else.",
         [] { return trained_study(task_named("translation-without-attention")); }}};
    for (const Preset& preset : presets()) all.push_back(with_trained_weights(preset));
    return all;
}

}  // namespace

std::span<const Preset> ready_studies() {
    static const std::vector<Preset> all = all_studies();
    return all;
}

const Preset* find_ready_study(std::string_view name) {
    const auto found = std::ranges::find(ready_studies(), name, &Preset::name);
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
