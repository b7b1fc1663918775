#include "io/studies/ready_studies.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string>

#include "core/error.h"
#include "embedded_weights.h"
#include "io/arrays/weights_file.h"
#include "io/studies/recipe_file.h"
#include "learn/tasks/questions_task.h"

namespace headlight {
namespace {

/// A preset that is shown with the weights of a task; a sentence may have this text.
struct TrainedPreset {
    std::string_view preset;
    const char *task, *text = nullptr;
};
constexpr TrainedPreset kTrainedPresets[] = {
    {"bahdanau", "translation"},
    {"free-running", "translation"},
    {"gat", "karate"},
    {"gatv2", "karate-gatv2"},
    {"kv-cache", "language-model", "once upon a time there was a little girl named mia ."},
    {"no-attention", "translation-without-attention"},
    {"rollout", "language-model"},
    {"transformer", "translation-transformer"}};

std::string weights_file(const TaskEntry& task) {
    return std::string(task.name) + ".safetensors";
}

/// Adds the weights of the task, which are in the program or left out of it, to a study.
ReadyStudy with_weights(ReadyStudy study, const TaskEntry& task) {
    study.weights = weights_file(task);
    study.is_left_out = lacks_embedded_weights(study.weights);
    if (!study.is_left_out) return study;
    study.what =
        "Its weights are not in this page, which has those of its own studies only; Headlight has "
        "them.";
    study.make = [name = study.name, what = study.what]() -> Document {
        throw Error(name, "{}", what);
    };
    return study;
}

bool is_trained_task(const TaskEntry& task) {
    const std::string file = weights_file(task);
    return has_embedded_weights(file) || lacks_embedded_weights(file);
}

/// Makes the trained study with the preset's own features: a decoder that writes freely, a cache.
Document make_trained(const Preset& preset, const TrainedPreset& trained) {
    Document document = trained_study(task_named(trained.task));
    const Document untrained = preset.make();
    if (document.alignment() && untrained.alignment())
        document.alignment()->recurrent.feeding = untrained.alignment()->recurrent.feeding;
    if (document.sentence() && untrained.sentence())
        document.sentence()->decoding = untrained.sentence()->decoding;
    if (document.sentence() && trained.text) document.sentence()->text = trained.text;
    return document;
}

ReadyStudy ready(const Preset& preset) {
    const std::string name(preset.name), what(preset.what);
    const auto* trained = std::ranges::find(kTrainedPresets, preset.name, &TrainedPreset::preset);
    if (trained != std::end(kTrainedPresets) && is_trained_task(task_named(trained->task)))
        return with_weights({name, what + " Trained.",
                             [trained, &preset] { return make_trained(preset, *trained); }},
                            task_named(trained->task));
    // These draw no numbers that would have to be trained.
    const bool needs_no_training = name == "no-parameters" || name == "convolution";
    return {name, needs_no_training ? what : what + " Untrained.", preset.make};
}

std::vector<ReadyStudy> all_studies() {
    std::vector<ReadyStudy> all;
    for (const TaskEntry& task : tasks())
        if (is_trained_task(task))
            all.push_back(with_weights({task.name, std::string(task.sentence) + " Trained.",
                                        [&task] { return trained_study(task); }},
                                       task));
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
    const std::string file = weights_file(task);
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

namespace {

/// The study of the weights that were asked about last: a window asks in every frame.
struct TrainedStudy {
    SharedWeights weights;
    Document study;
};

/// Returns the study of the recipe that the weights name. They have one.
const Document& trained_study(const SharedWeights& weights) {
    thread_local TrainedStudy last;
    if (last.weights != weights) last = {weights, read_recipe(weights->recipe, "recipe").study};
    return last.study;
}

}  // namespace

std::vector<std::string> training_notes(const Document& document) {
    if (!document.weights) return {};
    std::vector<std::string> notes;
    if (std::string outside = outside_note(document); !outside.empty())
        notes.push_back(std::move(outside));
    if (!document.weights->recipe.empty() &&
        !have_same_network(document, trained_study(document.weights)))
        notes.push_back(document.graph()
                            ? "the graph or the settings are not those that it was trained with"
                            : "the settings are not those that it was trained with");
    return notes;
}

}  // namespace headlight
