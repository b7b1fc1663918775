#include <algorithm>
#include <doctest/doctest.h>

#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/studies/recipe_file.h"
#include "learn/task.h"
#include "learn/training.h"

namespace headlight::train_command_test {

TEST_CASE("train: a few steps write weights that a study takes, and the curve") {
    const TemporaryFolder folder;
    const std::string weights = folder.file("w.safetensors"), log = folder.file("loss.csv");
    const Ran ran = headlight_run(
        {"train", "who-is-it", "-o", weights, "--steps", "20", "--seed", "3", "--log", log});
    INFO(ran.err);
    REQUIRE(ran.code == kExitDone);
    CHECK(contains(ran.out, "trained: Who is it?, 20 steps, seed 3, "));
    CHECK(contains(ran.out, "held-out\t"));
    const std::string curve = read_file(log);
    CHECK(curve.starts_with("step,loss,accuracy\n10,"));
    CHECK(std::ranges::count(curve, '\n') == 3);
    const std::string study = folder.file("s.headlight");
    REQUIRE(headlight_run({"new", "who-is-it", "The cat slept because it was tired", "--weights",
                           weights, "-o", study})
                .code == kExitDone);
    const Ran list = headlight_run({"list", study});
    CHECK(contains(list.out, "answer"));
    // The same recipe gives the same bits.
    const std::string again = folder.file("again.safetensors");
    REQUIRE(
        headlight_run({"train", "who-is-it", "-o", again, "--steps", "20", "--seed", "3"}).code ==
        kExitDone);
    CHECK(read_file(again) == read_file(weights));
    const Ran further =
        headlight_run({"train", "who-is-it", "-o", again, "--steps", "10", "--resume", weights});
    CHECK(further.code == kExitDone);
    CHECK(contains(further.err, "the optimizer begins anew"));
    CHECK(contains(headlight_run({"train", "never-looks", "-o", again, "--resume", study}).err,
                   "s.headlight"));
}

TEST_CASE("train: a recipe of a file says the network, and its weights bring it along") {
    const TemporaryFolder folder;
    const std::string recipe = folder.file("r.json"), weights = folder.file("w.safetensors");
    write_file(recipe, R"({"task": "never-looks", "steps": 10,
 "study": {"text": "it", "layer": {"n_layers": 1}}})");
    const Ran ran = headlight_run({"train", recipe, "-o", weights});
    INFO(ran.err);
    REQUIRE(ran.code == kExitDone);
    CHECK(contains(ran.out, "another network"));
    const std::string study = folder.file("s.headlight");
    REQUIRE(headlight_run({"new", "never-looks", "--weights", weights, "-o", study}).code ==
            kExitDone);
    const Ran list = headlight_run({"list", study});
    CHECK(contains(list.out, "blocks.0.attn"));
    CHECK(!contains(list.out, "blocks.1.attn"));
    CHECK(contains(headlight_run({"new", "who-is-it", "--weights", weights}).err,
                   "was trained for never-looks, not who-is-it"));
    write_file(recipe, "{\"task\": \"never-looks\",\n \"study\": {\"layers\": 1}}");
    CHECK(contains(headlight_run({"train", recipe, "-o", weights}).err,
                   "r.json] line 2, layers: unknown key"));
    const Ran printed = headlight_run({"train", "never-looks", "--recipe"});
    CHECK(read_recipe(printed.out, "printed") == task_named("never-looks").recipe());
}

TEST_CASE("train: it stops at a step and writes its weights, and a film of the heads") {
    const TemporaryFolder folder;
    const std::string weights = folder.file("w.safetensors"), film = folder.file("heads.gif");
    const Ran ran = headlight_run(
        {"train", "who-is-it", "-o", weights, "--stop-at", "5", "--threads", "1", "--film", film});
    INFO(ran.err);
    REQUIRE(ran.code == kExitDone);
    CHECK(contains(ran.out, "trained: Who is it?, 5 steps, seed 1, "));
    CHECK(read_file(film).starts_with("GIF89a"));
    // The bits of the training that the window shows.
    Training training(task_named("who-is-it"), task_named("who-is-it").recipe(), 1);
    while (training.n_steps() < 5) training.step();
    const SharedWeights written = read_weights(std::filesystem::path(weights));
    const SharedWeights trained = training.weights();
    for (const auto& [path, matrix] : trained->matrices) {
        INFO(path);
        CHECK(*written->matrices.at(path).values == *matrix.values);
    }
    CHECK(contains(headlight_run({"train", "who-is-it", "-o", weights, "--film", "a.csv"}).err,
                   "a film is .png or .gif"));
    CHECK(contains(headlight_run({"train", "--window"}).err, "needs a task"));
    CHECK(contains(headlight_run({"train", "who-is-it", "--window", "-o", weights}).err,
                   "--window writes no files"));
    CHECK(contains(headlight_run({"train", "nothing", "--window"}).err, "there is no task"));
}

TEST_CASE("train: what is missing or unknown is named") {
    CHECK(contains(headlight_run({"train"}).err, "needs a task"));
    CHECK(contains(headlight_run({"train", "who-is-it"}).err, "needs --output"));
    CHECK(contains(headlight_run({"train", "who-is-it", "-o", "w.txt"}).err, "needs --output"));
    CHECK(contains(headlight_run({"train", "nothing", "-o", "w.safetensors"}).err,
                   "there is no task 'nothing'; there are who-is-it, never-looks"));
    CHECK(
        contains(headlight_run({"new", "gat", "--weights", "w.safetensors"}).err, "no task 'gat'"));
    CHECK(contains(headlight_run({"new", "gat", "a b c"}).err, "is not about a sentence"));
    const Ran list = headlight_run({"train", "--list"});
    CHECK(std::ranges::count(list.out, '\n') == std::ssize(tasks()));
}

}  // namespace headlight::train_command_test
