#include "io/studies/recipe_file.h"

#include <fmt/format.h>

#include "core/error.h"
#include "io/arrays/safetensors.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/studies/study.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"
#include "model/settings/setting_names.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr EnumNames<Rule, 3> kRuleWords = {
    {{"sgd", Rule::Sgd}, {"adam", Rule::Adam}, {"adamw", Rule::AdamW}}};

constexpr EnumNames<RateSchedule, 3> kScheduleWords = {{{"linear", RateSchedule::Linear},
                                                        {"cosine", RateSchedule::Cosine},
                                                        {"constant", RateSchedule::Constant}}};
constexpr EnumNames<LossKind, 4> kLossWords = {{{"cross-entropy", LossKind::CrossEntropy},
                                                {"pointer", LossKind::Pointer},
                                                {"margin", LossKind::Margin},
                                                {"squared", LossKind::Squared}}};

constexpr int kMostExamples = 65536, kMostKnown = 200'000;

/// True of a graph, which is given as a whole: its title belongs to its nodes.
bool is_whole(std::string_view key) {
    return key == "graph";
}

/// Puts members of `changes` in the place of those of `base`; inside of objects, one by one.
void put_into(JsonObject& base, JsonObject& changes) {
    for (auto& [key, value] : changes) {
        JsonValue& there = base[key];
        auto* inner = std::get_if<std::unique_ptr<JsonObject>>(&value.value);
        auto* inner_there = std::get_if<std::unique_ptr<JsonObject>>(&there.value);
        if (inner && inner_there && !is_whole(key))
            put_into(**inner_there, **inner);
        else
            there = std::move(value);
    }
}

JsonObject& object_in(JsonValue& value) {
    return *std::get<std::unique_ptr<JsonObject>>(value.value);
}

/// Returns the task's study with the changes that the view holds.
Document changed_study(const Recipe& recipe, const JsonView& view, JsonObject& changes,
                       const std::string& source_name) {
    JsonSource source{source_name, parse_json(write_study(recipe.study), source_name), "study"};
    const std::string own_kind = JsonView(source).at("kind").text();
    if (const auto kind = view.find("kind"); kind && kind->text() != own_kind)
        kind->fail("{} is learned by a study of kind \"{}\"", recipe.task, own_kind);
    if (view.find("weights")) view.at("weights").fail("a training begins at drawn weights");
    put_into(object_in(source.root), changes);
    Document study = read_study(source);
    if (!study.interventions.empty()) view.at("edits").fail("a recipe has no edits");
    return study;
}

const char* what_is_learned(LossKind loss) {
    switch (loss) {
        case LossKind::Squared:
            return "learns numbers: \"squared\"";
        case LossKind::Pointer:
            return "learns where to point: \"pointer\"";
        default:
            return "learns classes: \"cross-entropy\" or \"margin\"";
    }
}

/// Reads a loss. Each kind needs targets of its own; those of classes serve two.
void read_loss(const JsonView& view, Recipe& recipe) {
    const LossKind wanted = view.choice(kLossWords);
    if (std::string_view(what_is_learned(wanted)) != what_is_learned(recipe.loss))
        view.fail("{} {}", recipe.task, what_is_learned(recipe.loss));
    recipe.loss = wanted;
}

OptimizerSettings read_optimizer(const JsonView& object, OptimizerSettings settings) {
    object.expect_keys(
        {"rule", "momentum", "beta1", "beta2", "epsilon", "weight_decay", "clip_norm"});
    constexpr double kAlmostOne = 1 - 1e-12;
    const auto read = [&](const char* key, double& value, double low, double high) {
        if (const auto view = object.find(key)) value = view->real(low, high);
    };
    if (const auto rule = object.find("rule")) settings.rule = rule->choice(kRuleWords);
    read("momentum", settings.momentum, 0, kAlmostOne);
    read("beta1", settings.beta1, 0, kAlmostOne);
    read("beta2", settings.beta2, 0, kAlmostOne);
    read("epsilon", settings.epsilon, 1e-30, 1);
    read("weight_decay", settings.weight_decay, 0, 1000);
    read("clip_norm", settings.clip_norm, 0, 1e30);
    return settings;
}

std::string optimizer_json(const OptimizerSettings& settings) {
    std::string json = R"({"rule": ")" + std::string(word_for(kRuleWords, settings.rule)) + '"';
    const auto add = [&](const char* key, double value) {
        json += fmt::format(", \"{}\": {}", key, number_text(value));
    };
    if (settings.rule == Rule::Sgd) {
        add("momentum", settings.momentum);
    } else {
        add("beta1", settings.beta1);
        add("beta2", settings.beta2);
        add("epsilon", settings.epsilon);
    }
    add("weight_decay", settings.weight_decay);
    add("clip_norm", settings.clip_norm);
    return json + "}";
}

std::string compact_json(const JsonValue& value) {
    if (const std::string* text = value.text()) return json_string(*text);
    std::string json;
    const auto begin_next = [&] { json += json.empty() ? "" : ", "; };
    if (const JsonArray* array = value.array()) {
        for (const JsonValue& element : *array) begin_next(), json += compact_json(element);
        return fmt::format("[{}]", json);
    }
    if (const JsonObject* object = value.object()) {
        for (const auto& [key, member] : *object)
            begin_next(), json += fmt::format("{}: {}", json_string(key), compact_json(member));
        return "{" + json + "}";
    }
    if (const bool* flag = std::get_if<bool>(&value.value)) return *flag ? "true" : "false";
    if (const auto* whole = std::get_if<std::int64_t>(&value.value)) return std::to_string(*whole);
    if (const auto* whole = std::get_if<std::uint64_t>(&value.value)) return std::to_string(*whole);
    if (const auto* number = std::get_if<double>(&value.value)) return number_text(*number);
    return "null";
}

/// Returns the members of `changed` that `base` lacks, or has with other values; "{}" if there are
/// none.
std::string difference_json(const JsonObject& base, const JsonObject& changed) {
    std::string json;
    for (const auto& [key, value] : changed) {
        const auto own = base.find(key);
        std::string text = compact_json(value);
        if (own != base.end() && text == compact_json(own->second)) continue;
        const JsonObject* inner = value.object();
        if (own != base.end() && inner && own->second.object() && !is_whole(key))
            text = difference_json(*own->second.object(), *inner);
        append_part(json, ", ", fmt::format("{}: {}", json_string(key), text));
    }
    return "{" + json + "}";
}

}  // namespace

Recipe read_recipe(std::string_view bytes, std::string_view source_name) {
    const std::string name(source_name);
    JsonSource source{name, parse_json(bytes, name)};
    const JsonView root(source);
    root.expect_keys({"task", "steps", "batch", "learning_rate", "warm_up", "schedule", "loss",
                      "seed", "optimizer", "known", "study"});
    const JsonView named = root.at("task");
    if (!find_task(named.text())) named.fail(no_task_text(named.text()));
    Recipe recipe = task_named(named.text()).recipe();
    if (const auto steps = root.find("steps")) recipe.steps = steps->integer(1, kMaxSteps);
    if (const auto batch = root.find("batch"))
        recipe.batch = static_cast<int>(batch->integer(1, kMostExamples));
    if (const auto rate = root.find("learning_rate")) recipe.learning_rate = rate->real(1e-9, 10);
    if (const auto rise = root.find("warm_up")) recipe.warm_up = rise->integer(0, kMaxSteps);
    if (const auto schedule = root.find("schedule"))
        recipe.schedule = schedule->choice(kScheduleWords);
    if (const auto loss = root.find("loss")) read_loss(*loss, recipe);
    if (const auto seed = root.find("seed")) recipe.seed = seed->unsigned_integer();
    if (const auto optimizer = root.find("optimizer"))
        recipe.optimizer = read_optimizer(*optimizer, recipe.optimizer);
    if (const auto known = root.find("known")) {
        if (recipe.known == 0) known->fail("only tasks on the nodes of a graph have known ones");
        recipe.known = static_cast<int>(known->integer(1, kMostKnown));
    }
    if (const auto study = root.find("study")) {
        study->expect_object();
        JsonObject& changes = object_in(object_in(source.root).find("study")->second);
        recipe.study = changed_study(recipe, *study, changes, name);
    }
    return recipe;
}

std::string write_recipe(const Recipe& recipe) {
    Document study = recipe.study;
    study.weights = nullptr;
    study.interventions.clear();
    std::string study_text = write_study(study);
    while (study_text.ends_with('\n')) study_text.pop_back();
    return fmt::format(
        "{{\n"
        "  \"task\": {},\n"
        "  \"steps\": {},\n"
        "  \"batch\": {},\n"
        "  \"learning_rate\": {},\n"
        "  \"warm_up\": {},\n"
        "  \"schedule\": \"{}\",\n"
        "  \"loss\": \"{}\",\n"
        "  \"seed\": {},\n"
        "  \"optimizer\": {}{},\n"
        "  \"study\": {}\n"
        "}}\n",
        json_string(recipe.task), recipe.steps, recipe.batch, number_text(recipe.learning_rate),
        recipe.warm_up, word_for(kScheduleWords, recipe.schedule),
        word_for(kLossWords, recipe.loss), recipe.seed, optimizer_json(recipe.optimizer),
        recipe.known > 0 ? fmt::format(",\n  \"known\": {}", recipe.known) : "",
        replaced_all(std::move(study_text), "\n", "\n  "));
}

std::string write_recipe_changes(const Recipe& recipe) {
    const auto tree = [](const Recipe& whole) { return parse_json(write_recipe(whole), "recipe"); };
    const JsonValue own = tree(task_named(recipe.task).recipe()), changed = tree(recipe);
    const std::string changes = difference_json(*own.object(), *changed.object());
    return "{\"task\": " + json_string(recipe.task) + (changes == "{}" ? "" : ", ") +
           changes.substr(1);
}

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
        state.curve.push_back({static_cast<long>(point[0].integer(0, kMaxSteps)),
                               point[1].real(-kMost, kMost), point[2].real(0, 1)});
    });
}

}  // namespace

void write_trained(const std::filesystem::path& file, const Weights& weights,
                   const Recipe& recipe) {
    write_weights(file, weights, {.metadata = {{"recipe", write_recipe_changes(recipe)}}});
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
    write_weights(file, *weights,
                  {.metadata = {{"recipe", write_recipe(training.recipe)},
                                {"training", state_json(training)}}});
}

InterruptedTraining read_interrupted(const std::filesystem::path& file) {
    const ByteSource bytes = bytes_of_file(file);
    const auto metadata = read_safetensors_metadata(bytes);
    const auto state_text = metadata.find("training");
    if (state_text == metadata.end()) throw Error(path_text(file), "is no interrupted training");
    const std::string where = path_text(file) + ": training";
    const JsonSource state{where, parse_json(state_text->second, where)};
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
