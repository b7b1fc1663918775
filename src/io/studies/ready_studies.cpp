#include "io/studies/ready_studies.h"

#include <algorithm>
#include <map>

#include "embedded_weights.h"
#include "io/arrays/weights_file.h"

namespace headlight {
namespace {

std::vector<Preset> all_studies() {
    std::vector<Preset> all{
        {"who-is-it", "Trained: what is “it”? Change the last word, tired to wide, and see.",
         [] { return trained_study(task_named("who-is-it")); }},
        {"never-looks", "Trained to the same accuracy, but no head of its last layer looks.",
         [] { return trained_study(task_named("never-looks")); }},
        {"induction", "Trained: words said twice. The second layer finds what came next before.",
         [] { return trained_study(task_named("induction")); }},
        {"induction-one-layer", "Trained on the same words: one layer of attention cannot do it.",
         [] { return trained_study(task_named("induction-one-layer")); }}};
    all.insert(all.end(), presets().begin(), presets().end());
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
