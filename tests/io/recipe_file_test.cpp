#include "io/studies/recipe_file.h"

#include <doctest/doctest.h>
#include <filesystem>

#include "core/error.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/open_document.h"
#include "model/evaluate.h"
#include "model/weight_origin.h"
#include "source_folder.h"
#include "temporary_folder.h"

namespace headlight {
namespace recipe_file_test {

std::string refusal(const std::string& json) {
    try {
        static_cast<void>(read_recipe(json, "r.json"));
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST_CASE("recipe: what is not said is as the task has it; what is said is read") {
    for (const TaskEntry& task : tasks()) {
        CHECK(read_recipe(std::string("{\"task\": \"") + task.name + "\"}", "r") == task.recipe());
        CHECK(read_recipe(write_recipe(task.recipe()), "r") == task.recipe());
    }
    const Recipe recipe = read_recipe(R"({"task": "who-is-it", "steps": 7, "batch": 6,
        "learning_rate": 0.1, "warm_up": 0, "seed": 18446744073709551615,
        "optimizer": {"rule": "sgd", "momentum": 0.9},
        "study": {"layer": {"d_model": 32, "attention": {"n_heads": 2}}}})",
                                      "r");
    CHECK(recipe.steps == 7);
    CHECK(recipe.batch == 6);
    CHECK(recipe.learning_rate == 0.1);
    CHECK(recipe.warm_up == 0);
    CHECK(recipe.seed == 18446744073709551615ull);
    CHECK(recipe.optimizer.rule == Rule::Sgd);
    CHECK(recipe.optimizer.momentum == 0.9);
    CHECK(recipe.optimizer.clip_norm == 1);  // the task's
    CHECK(recipe.study.sentence()->layer.d_model == 32);
    CHECK(recipe.study.sentence()->layer.attention.n_heads == 2);
    CHECK(recipe.study.sentence()->layer.attention.bias == Switch::On);  // the task's
}

TEST_CASE("recipe: schedule and loss") {
    const Recipe recipe =
        read_recipe(R"({"task": "copy", "schedule": "cosine", "loss": "margin"})", "r");
    CHECK(recipe.schedule == RateSchedule::Cosine);
    CHECK(recipe.loss == LossKind::Margin);
    CHECK(read_recipe(write_recipe(recipe), "r") == recipe);
    CHECK(refusal(R"({"task": "copy", "loss": "squared"})").find("learns classes") !=
          std::string::npos);
    CHECK(refusal(R"({"task": "shifts", "loss": "margin"})").find("learns numbers") !=
          std::string::npos);
    CHECK(refusal(R"({"task": "copy", "schedule": "step"})").find("line 1") != std::string::npos);
}

TEST_CASE("recipe: weights name the task and what differs from its own recipe") {
    for (const TaskEntry& task : tasks()) {
        INFO(task.name);
        CHECK(write_recipe_changes(task.recipe()) ==
              std::string("{\"task\": \"") + task.name + "\"}");
    }
    Recipe recipe = task_named("induction").recipe();
    recipe.steps = 7;
    recipe.learning_rate = 0.1;
    recipe.optimizer.clip_norm = 3;
    recipe.study.sentence()->layer.d_model = 32;
    recipe.study.sentence()->layer.attention.n_heads = 1;
    const std::string changes = write_recipe_changes(recipe);
    INFO(changes);
    CHECK(read_recipe(changes, "r") == recipe);
    CHECK(changes.size() < 200);
    recipe = task_named("karate").recipe();
    Graph& graph = recipe.study.graph()->graph;
    graph.title = "";
    graph.nodes.resize(4);
    graph.edges = {{0, 1}, {2, 3}};
    CHECK(read_recipe(write_recipe_changes(recipe), "r") == recipe);
    CHECK(read_recipe(write_recipe(recipe), "r") == recipe);
}

TEST_CASE("recipe: a graph of one's own does not keep the title of the task's") {
    const Recipe recipe = read_recipe(
        R"({"task": "karate", "study": {"graph": {"nodes": ["a", "b"], "edges": [["a", "b"]]}}})",
        "r");
    CHECK(recipe.study.graph()->graph.title.empty());
    CHECK(recipe.study.graph()->graph.nodes.size() == 2);
}

TEST_CASE("weights that come with the program name their recipe") {
    const std::filesystem::path folder = source_folder() / "assets/weights";
    for (const TaskEntry& task : tasks()) {
        INFO(task.name);
        const auto recipe = find_recipe_in(folder / (std::string(task.name) + ".safetensors"));
        REQUIRE(recipe);
        CHECK(*recipe == task.recipe());
        CHECK(recipe->task == task.name);
    }
}

TEST_CASE("weights that name their recipe open as its study") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.file("w.safetensors");
    Recipe recipe = task_named("reverse").recipe();
    recipe.study.sentence()->layer.d_model = 32;
    Training training(recipe, 1);
    write_trained(file, *training.weights(), recipe);
    CHECK(!holds_matrices(file));
    const Document opened = open_document(file).document;
    CHECK(opened.sentence()->layer.d_model == 32);
    const std::shared_ptr<const Plan> made = plan(opened);
    const StoredWeights stored = count_stored(*made);
    CHECK(stored.n_stored == stored.n_all);
    CHECK(weight_notes(*made, opened.weights, opened.seed).empty());
    // The weights beside a study name it, too.
    const std::filesystem::path study = folder.file("s.headlight");
    save_document(study, opened);
    CHECK(find_recipe_in(weights_path(study)) == recipe);
    // A training that was interrupted is none of them.
    const std::filesystem::path interrupted = interrupted_path(file);
    write_interrupted(interrupted, {recipe, 1, training.state()});
    CHECK(!holds_matrices(interrupted));
    CHECK_THROWS_WITH_AS(static_cast<void>(open_document(interrupted)),
                         doctest::Contains("--resume"), Error);
    // Without a recipe they are matrices for an import.
    write_weights(file, *training.weights());
    CHECK(holds_matrices(file));
}

TEST_CASE("recipe: what is wrong is named with its line") {
    const auto says = [](const std::string& json, const char* what) {
        const std::string text = refusal(json);
        INFO(text);
        CHECK(text.find(what) != std::string::npos);
    };
    says("{}", "the key 'task' is missing");
    says("{\"task\": \"sing\"}", "line 1, task: there is no task 'sing'; there are who-is-it");
    says("{\"task\": \"who-is-it\",\n\"step\": 3}", "line 2, step: unknown key");
    says("{\"task\": \"who-is-it\", \"steps\": 0}", "steps");
    says(R"({"task": "who-is-it", "optimizer": {"rule": "adagrad"}})", "'sgd'");
    says(R"({"task": "who-is-it", "study": 3})", "an object");
    says(R"({"task": "who-is-it", "study": {"kind": "graph"}})",
         "is learned by a study of kind \"sentence\"");
    says(R"({"task": "who-is-it", "study": {"edits": {"W_E": {"cells": [[0, 0, 1]]}}}})",
         "a recipe has no edits");
    says(R"({"task": "who-is-it", "study": {"weights": {}}})", "begins at drawn weights");
}

TEST_CASE("an interrupted training that goes on ends with the same bits") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.file("w.training.safetensors");
    CHECK(interrupted_path(folder.file("w.safetensors")) == file);
    for (const Rule rule : {Rule::Adam, Rule::Sgd}) {
        Recipe recipe = task_named("never-looks").recipe();
        recipe.steps = 40;
        recipe.batch = 8;
        recipe.optimizer.rule = rule;
        Training whole(recipe, 1), first(recipe, 1);
        for (int k = 0; k < 40; ++k) whole.step();
        for (int k = 0; k < 20; ++k) first.step();
        write_interrupted(file, {recipe, 1, first.state()});
        const InterruptedTraining read = read_interrupted(file);
        CHECK(read.recipe == recipe);
        Training second(read.recipe, read.n_threads);
        second.go_on(read.state);
        CHECK(second.n_steps() == 20);
        while (!second.is_done()) second.step();
        REQUIRE(second.curve().size() == whole.curve().size());
        for (std::size_t k = 0; k < whole.curve().size(); ++k)
            CHECK(second.curve()[k].loss == whole.curve()[k].loss);
        CHECK(are_same(second.weights(), whole.weights()));
        recipe.study.sentence()->layer.d_model = 32;
        Training other(recipe, 1);
        CHECK_THROWS_AS(other.go_on(read.state), Error);
    }
    write_file(file, "nothing");
    CHECK_THROWS_AS(static_cast<void>(read_interrupted(file)), Error);
}

}  // namespace recipe_file_test
}  // namespace headlight
