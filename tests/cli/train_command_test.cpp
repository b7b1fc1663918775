#include "cli/train_command.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <sstream>

#include "cli/command_line.h"
#include "core/error.h"
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
                   "r.json] line 2, study.layers: unknown key"));
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
                   "a film of a training is .gif or .png"));
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
                   "there is no task 'nothing'; there are who-is-it, three-questions"));
    CHECK(
        contains(headlight_run({"new", "gat", "--weights", "w.safetensors"}).err, "no task 'gat'"));
    CHECK(contains(headlight_run({"new", "gat", "a b c"}).err, "is not about a sentence"));
    const Ran list = headlight_run({"train", "--list"});
    CHECK(std::ranges::count(list.out, '\n') == std::ssize(tasks()));
}

TEST_CASE("train: weights that were saved bring their recipe; a training by it has their bits") {
    const TemporaryFolder folder;
    const std::string saved = folder.file("saved.safetensors"),
                      again = folder.file("again.safetensors");
    Recipe recipe = task_named("induction").recipe();
    recipe.batch = 8;
    recipe.learning_rate = 0.01;
    recipe.study.sentence()->layer.d_model = 32;
    Training training(recipe, 2);
    while (training.n_steps() < 5) training.step();
    write_trained(saved, *training.weights(), recipe);
    REQUIRE(headlight_run({"train", saved, "--stop-at", "5", "--threads", "2", "-o", again}).code ==
            kExitDone);
    const SharedWeights written = read_weights(std::filesystem::path(again)),
                        first = training.weights();
    for (const auto& [path, matrix] : first->matrices) {
        INFO(path);
        CHECK(*written->matrices.at(path).values == *matrix.values);
    }
    const Ran printed = headlight_run({"train", saved, "--recipe"});
    CHECK(read_recipe(printed.out, "printed") == recipe);
    // It opens as the study of its recipe.
    const Ran list = headlight_run({"list", saved});
    CHECK(list.code == kExitDone);
    CHECK(contains(list.err + list.out, "trained: Induction, 5 steps"));
    CHECK(!contains(list.err, "drawn from seed"));
}

TEST_CASE("new: weights that do not fit the task's network are said") {
    const TemporaryFolder folder;
    const std::string weights = folder.file("w.safetensors"), study = folder.file("s.headlight");
    Recipe recipe = task_named("reverse").recipe();
    recipe.study.sentence()->layer.n_layers = 1;
    Training training(recipe, 1);
    write_weights(weights, *training.weights());  // without a recipe
    CHECK(contains(headlight_run({"new", "reverse", "--weights", weights, "-o", study}).err,
                   "weights of reverse are not in it: drawn from seed 1"));
    Training whole(task_named("reverse").recipe(), 1);
    whole.step();
    write_weights(weights, *whole.weights());
    CHECK(contains(headlight_run({"new", "copy", "--weights", weights, "-o", study}).err,
                   "not of copy; they are trained: Reverse, 1 step"));
    CHECK(contains(headlight_run({"new", "karate", "--weights", weights, "-o", study}).err,
                   "has no matrix that fits the network of karate"));
}

TEST_CASE("train: what was interrupted goes on as it began, or says what differs") {
    const TemporaryFolder folder;
    const std::string weights = folder.file("w.safetensors"), recipe = folder.file("r.json");
    Recipe begun = task_named("copy").recipe();
    begun.steps = 40;
    begun.batch = 8;
    Training training(begun, 1);
    while (training.n_steps() < 20) training.step();
    write_interrupted(interrupted_path(weights), {training.recipe(), 1, training.state()});
    const auto says = [&](std::vector<std::string> more, const char* what) {
        std::vector<std::string> args = {"train", "--resume", weights, "-o", weights};
        args.insert(args.end(), more.begin(), more.end());
        const Ran ran = headlight_run(args);
        INFO(ran.err);
        CHECK(ran.code == kExitError);
        CHECK(contains(ran.err, what));
        CHECK(!std::filesystem::exists(weights));
    };
    says({"--learning-rate", "0.5"}, "leave --learning-rate out to go on");
    says({"--seed", "5"}, "leave --seed out to go on");
    says({"--steps", "20"}, "20 is not after step 20, which is made already");
    says({"--stop-at", "10"}, "10 is not after step 20, which is made already");
    write_file(recipe, R"({"task": "copy", "steps": 40, "batch": 8,
 "optimizer": {"rule": "sgd"}})");
    says({recipe}, "was begun with another optimizer; leave the recipe out to go on");
    write_file(recipe, R"({"task": "copy", "steps": 40, "batch": 8,
 "study": {"layer": {"d_model": 32}}})");
    says({recipe}, "was begun with another study");
    says({"reverse"}, "was interrupted in learning copy, not reverse");
    write_file(recipe, R"({"task": "copy", "steps": 40, "batch": 8})");
    const Ran ran = headlight_run({"train", recipe, "--resume", weights, "-o", weights});
    INFO(ran.err);
    REQUIRE(ran.code == kExitDone);
    CHECK(!std::filesystem::exists(interrupted_path(weights)));
    // Weights alone say the task, too.
    const Ran further = headlight_run(
        {"train", "--resume", weights, "--stop-at", "2", "-o", folder.file("further.safetensors")});
    INFO(further.err);
    CHECK(further.code == kExitDone);
    CHECK(contains(headlight_run({"train", "--resume", folder.file("none.safetensors"), "-o",
                                  folder.file("x.safetensors")})
                       .err,
                   "is not there"));
}

TEST_CASE("train: no file is written over another one of the same training") {
    const TemporaryFolder folder;
    const std::string weights = folder.file("w.safetensors"), recipe = folder.file("r.json"),
                      other = folder.file("o.safetensors");
    const std::string text = R"({"task": "copy", "steps": 2})";
    write_file(recipe, text);
    const auto says = [&](const std::vector<std::string>& args, const char* what) {
        const Ran ran = headlight_run(args);
        INFO(ran.err);
        CHECK(ran.code == kExitError);
        CHECK(contains(ran.err, what));
        CHECK(!std::filesystem::exists(weights));
    };
    says({"train", recipe, "-o", weights, "--log", weights}, "--output and --log");
    says({"train", recipe, "-o", weights, "--log", recipe}, "is what is read here");
    says({"train", recipe, "-o", weights, "--log", folder.file("a.gif"), "--film",
          folder.file("a.gif")},
         "--log and --film");
    says({"train", recipe, "-o", folder.file("nowhere/w.safetensors")}, "there is no folder");
    CHECK(read_file(recipe) == text);
    REQUIRE(headlight_run({"train", recipe, "-o", other}).code == kExitDone);
    says({"train", other, "-o", other}, "is what is read here");
    says({"train", "--resume", other, "-o", other}, "is what is read here");
}

TEST_CASE("train: keys of a recipe without effect are named") {
    const TemporaryFolder folder;
    const std::string recipe = folder.file("r.json"), weights = folder.file("w.safetensors");
    const auto says = [&](const std::string& json, const std::vector<const char*>& notes) {
        write_file(recipe, json);
        const Ran ran = headlight_run({"train", recipe, "-o", weights});
        INFO(ran.err);
        CHECK(ran.code == kExitDone);
        for (const char* note : notes) CHECK(contains(ran.err, note));
        if (notes.empty()) CHECK(!contains(ran.err, "no effect"));
    };
    says(R"({"task": "karate", "steps": 1, "batch": 7, "optimizer": {"momentum": 0.5}})",
         {"batch has no effect", "optimizer.momentum has no effect", "known nodes: 0, 33"});
    says(R"({"task": "copy", "steps": 1, "optimizer": {"rule": "sgd", "beta1": 0.5}})",
         {"optimizer.beta1 has no effect"});
    says(R"({"task": "dictionary", "steps": 1, "study": {"graph": {"nodes": ["a"]}}})",
         {"study.graph has no effect"});
    says(R"({"task": "copy", "steps": 1, "batch": 8, "study": {"layer": {"d_model": 32}}})", {});
}

TEST_CASE("training files: what cannot be kept is a note, once; weights are never lost") {
    const TemporaryFolder folder;
    std::ostringstream out, err;
    const Streams streams{out, err, nullptr};
    const std::string output = folder.file("w.safetensors");
    TrainTask options;
    options.output = output;
    TrainingFiles files(options, streams);
    Recipe recipe = task_named("copy").recipe();
    const Training training(recipe, 1);
    std::filesystem::create_directories(interrupted_path(output) / "in the way");
    files.keep(training);
    files.keep(training);
    const std::string notes = err.str();
    INFO(notes);
    CHECK(contains(notes, "the training goes on"));
    CHECK(std::ranges::count(notes, '\n') == 1);
    std::filesystem::create_directories(std::filesystem::path(output) / "in the way");
    const std::filesystem::path other = std::filesystem::temp_directory_path() / "w.safetensors";
    std::filesystem::remove(other);
    CHECK_THROWS_WITH_AS(files.write(*training.weights(), recipe),
                         doctest::Contains("the weights are in "), Error);
    CHECK(find_recipe_in(other) == recipe);
    std::filesystem::remove(other);
}

TEST_CASE("test: heads that answer questions are measured one by one, and need each other not") {
    const Ran ran = headlight_run({"test", "three-questions", "--each-head"});
    REQUIRE(ran.code == kExitDone);
    for (const char* line : {"right, who\t99.8 %", "right, state\t99.8 %", "right, action\t100.0 %",
                             "without blocks.0.attn.heads.1.z\t96.5 %",
                             "without blocks.1.attn.heads.0.pattern (who)\t68.8 %"})
        CHECK_MESSAGE(contains(ran.out, line), ran.out);
    const Ran less =
        headlight_run({"test", "three-questions", "--without", "blocks.1.attn.heads.0.pattern"});
    CHECK(contains(less.out, "right, state\t99.8 %"));
    CHECK(contains(less.out, "right, action\t100.0 %"));
    CHECK(!contains(less.out, "right, who\t99"));
}

TEST_CASE("test: weights are measured on what was never trained, with and without heads") {
    const Ran ran = headlight_run({"test", "previous-word", "--each-head"});
    INFO(ran.err);
    REQUIRE(ran.code == kExitDone);
    CHECK(contains(ran.out, "right\t100.0 %"));
    CHECK(contains(ran.out, "without blocks.0.attn.heads.0.z\t"));
    const Ran without =
        headlight_run({"test", "previous-word", "--without", "blocks.0.attn.heads.*.z"});
    CHECK(contains(without.out, "without\tblocks.0.attn.heads.0.z"));
    CHECK(!contains(without.out, "right\t100.0 %"));
    CHECK(contains(headlight_run({"test", "nothing"}).err, "there is no task"));
    CHECK(contains(headlight_run({"test", "copy", "--without", "blocks.0.attn.W_O"}).err,
                   "is not computed"));
    CHECK(contains(headlight_run({"test", "copy", "--without", "nothing.z"}).err, "nothing.z"));
}

}  // namespace headlight::train_command_test
