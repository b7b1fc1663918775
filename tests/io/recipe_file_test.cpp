#include "io/studies/recipe_file.h"

#include <doctest/doctest.h>
#include <filesystem>

#include "core/error.h"
#include "io/files/file.h"
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
