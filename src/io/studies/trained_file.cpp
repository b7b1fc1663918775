// Weights and trainings with the recipe in their metadata.
//
// The matrices of an interrupted training lie under now/, first/, second/ and best/; what else it
// needs is one text of the metadata.
#include <fmt/format.h>

#include "core/error.h"
#include "io/arrays/safetensors.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/studies/recipe_file.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"

namespace headlight {
namespace {

constexpr double kMost = 1e300;

void put_under(WeightMatrices& all, const std::string& folder, const WeightMatrices& some) {
    for (const auto& [path, matrix] : some) all.emplace(folder + path, matrix);
}

WeightMatrices take_from(const WeightMatrices& all, const std::string& folder) {
    WeightMatrices some;
    for (const auto& [path, matrix] : all)
        if (path.starts_with(folder)) some.emplace(path.substr(folder.size()), matrix);
    return some;
}

std::string state_json(const InterruptedTraining& training) {
    const TrainingState& state = training.state;
    std::string json = fmt::format(
        "{{\"threads\": {}, \"step\": {}, \"optimizer_steps\": {}, \"random\": {}, "
        "\"rate_factor\": {}, \"restores\": {}, \"best_accuracy\": {}, \"best_step\": {}, "
        "\"curve\": [",
        training.n_threads, state.step, state.optimizer_steps, json_string(state.random),
        number_text(state.rate_factor), state.n_restores, number_text(state.best_accuracy),
        state.best_step);
    for (const CurvePoint& point : state.curve)
        json += fmt::format("{}{}, {}, {}]", json.ends_with('[') ? "[" : ", [", point.step,
                            number_text(point.loss), number_text(point.accuracy));
    return json + "]}";
}

void read_state(const JsonView& root, InterruptedTraining& training) {
    TrainingState& state = training.state;
    training.n_threads = static_cast<int>(root.at("threads").integer(1, 64));
    state.step = root.at("step").integer(0, kMaxSteps);
    state.optimizer_steps = root.at("optimizer_steps").integer(0, kMaxSteps);
    state.random = root.at("random").text();
    state.rate_factor = root.at("rate_factor").real(0, 1);
    state.n_restores = static_cast<int>(root.at("restores").integer(0, 1000));
    state.best_accuracy = root.at("best_accuracy").real(-1, 1);
    state.best_step = root.at("best_step").integer(0, kMaxSteps);
    root.at("curve").for_each_element([&](const JsonView& point) {
        if (point.size() != 3) point.fail("a point is [step, loss, accuracy]");
        state.curve.push_back(
            {point[0].integer(0, kMaxSteps), point[1].real(-kMost, kMost), point[2].real(0, 1)});
    });
}

/// Parses the text under a key of the metadata.
JsonSource parse_under(const std::map<std::string, std::string>& metadata, const std::string& key,
                       const std::string& file) {
    const auto found = metadata.find(key);
    if (found == metadata.end()) throw Error(file, "is no interrupted training");
    return {fmt::format("{}: {}", file, key),
            parse_json(found->second, fmt::format("{}: {}", file, key))};
}

}  // namespace

void write_trained(const std::filesystem::path& file, const Weights& weights,
                   const Recipe& recipe) {
    write_weights(file, weights, OldWeights::Replaced, {{"recipe", write_recipe_changes(recipe)}});
}

std::optional<Recipe> find_recipe_in(const std::filesystem::path& weights) {
    const auto metadata = read_safetensors_metadata(bytes_of_file(weights));
    const auto recipe = metadata.find("recipe");
    if (recipe == metadata.end()) return std::nullopt;
    return read_recipe(recipe->second, path_text(weights) + ": recipe");
}

bool names_recipe(const std::filesystem::path& weights) {
    try {
        const auto metadata = read_safetensors_metadata(bytes_of_file(weights));
        const auto recipe = metadata.find("recipe");
        return recipe != metadata.end() && recipe->second.find("\"task\"") != std::string::npos;
    } catch (const Error&) {
        return false;  // whoever reads the numbers reports the error
    }
}

Document open_trained(const std::filesystem::path& weights) {
    if (read_safetensors_metadata(bytes_of_file(weights)).contains("training"))
        throw Error(path_text(weights),
                    "is a training that was interrupted; `headlight train --resume` goes on");
    const std::optional<Recipe> recipe = find_recipe_in(weights);
    if (!recipe) throw Error(path_text(weights), "does not say by which recipe it was trained");
    Document document = recipe->study;
    document.weights = read_weights(weights);
    return document;
}

std::filesystem::path interrupted_path(const std::filesystem::path& weights) {
    std::filesystem::path file = weights;
    return file.replace_extension(".training.safetensors");
}

void write_interrupted(const std::filesystem::path& file, const InterruptedTraining& training) {
    WeightMatrices all;
    put_under(all, "now/", training.state.parameters);
    put_under(all, "first/", training.state.first);
    put_under(all, "second/", training.state.second);
    put_under(all, "best/", training.state.best);
    const SharedWeights weights =
        make_weights(std::move(all), "an interrupted training: " + training.recipe.task);
    write_weights(file, *weights, OldWeights::Replaced,
                  {{"recipe", write_recipe(training.recipe)}, {"training", state_json(training)}});
}

InterruptedTraining read_interrupted(const std::filesystem::path& file) {
    const ByteSource bytes = bytes_of_file(file);
    const auto metadata = read_safetensors_metadata(bytes);
    const JsonSource state = parse_under(metadata, "training", path_text(file));
    const std::optional<Recipe> recipe = find_recipe_in(file);
    if (!recipe) throw Error(path_text(file), "is no interrupted training");
    InterruptedTraining training;
    training.recipe = *recipe;
    read_state(JsonView(state), training);
    const SharedWeights weights = read_weights(bytes);
    training.state.parameters = take_from(weights->matrices, "now/");
    training.state.first = take_from(weights->matrices, "first/");
    training.state.second = take_from(weights->matrices, "second/");
    training.state.best = take_from(weights->matrices, "best/");
    return training;
}

}  // namespace headlight
