#include "io/studies/ready_studies.h"

#include <algorithm>
#include <deque>
#include <map>

#include "embedded_weights.h"
#include "io/arrays/weights_file.h"

namespace headlight {
namespace {

/// The language model, decoding a story's beginning.
Document cached_study() {
    Document document = trained_study(task_named("language-model"));
    document.sentence()->text = "once upon a time there was a little girl named mia .";
    document.sentence()->decoding = Switch::On;
    return document;
}

/// Those with weights that Headlight trained. Of studies with the same name they take the place.
std::vector<Preset> trained_studies() {
    return {
        {"who-is-it", "Trained: what is “it”? Change the last word, tired to wide, and see.",
         [] { return trained_study(task_named("who-is-it")); }},
        {"never-looks", "Trained to the same accuracy, but no head of its last layer looks.",
         [] { return trained_study(task_named("never-looks")); }},
        {"induction", "Trained: words come again. The second layer finds what came next before.",
         [] { return trained_study(task_named("induction")); }},
        {"induction-one-layer", "Trained on the same words: one layer of attention cannot do it.",
         [] { return trained_study(task_named("induction-one-layer")); }},
        {"previous-word",
         "Trained: what comes next is the word before; one head looks back by one.",
         [] { return trained_study(task_named("previous-word")); }},
        {"copy", "Trained to say letters again: the last layer points at the one to come.",
         [] { return trained_study(task_named("copy")); }},
        {"reverse", "Trained to say letters from back to front, along the anti-diagonal.",
         [] { return trained_study(task_named("reverse")); }},
        {"sort", "Trained to sort letters: one head points at the next one of the alphabet.",
         [] { return trained_study(task_named("sort")); }},
        {"brackets", "Trained: is each bracket closed? Change one, and the answer changes.",
         [] { return trained_study(task_named("brackets")); }},
        {"addition", "Trained to add numbers, digit by digit from the ones on.",
         [] { return trained_study(task_named("addition")); }},
        {"language-model", "Trained on little stories: a probability for each word to come next.",
         [] { return trained_study(task_named("language-model")); }},
        {"kv-cache",
         "A trained model decodes word by word with cached keys and values: see the work.",
         cached_study},
        {"rollout", "Three trained layers: follow attention through all of them, in four ways.",
         [] { return trained_study(task_named("language-model")); }}};
}

/// Of these no number is drawn that would have to be trained.
bool needs_no_training(std::string_view name) {
    return name == "no-parameters" || name == "convolution";
}

std::vector<Preset> all_studies() {
    static std::deque<std::string> sentences;
    std::vector<Preset> all = trained_studies();
    for (const Preset& preset : presets()) {
        if (std::ranges::find(all, preset.name, &Preset::name) != all.end()) continue;
        all.push_back(preset);
        const std::string_view without_stop = preset.what.substr(0, preset.what.size() - 1);
        if (!needs_no_training(preset.name))
            all.back().what = sentences.emplace_back(std::string(without_stop) + " (untrained).");
    }
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
