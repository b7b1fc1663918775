// The workspace that trains: what a hand does there, and what follows.
#include <algorithm>
#include <chrono>
#include <doctest/doctest.h>
#include <thread>
#include <vector>

#include "app/driver.h"
#include "io/arrays/weights_file.h"
#include "temporary_folder.h"

namespace headlight::program_training_test {
namespace {

bool sees(Driver& d, const std::string& text) {
    return d.texts().find(text) != std::string::npos;
}

void make_steps(Driver& d, int tens) {
    for (int k = 0; k < tens; ++k) d.click("button +10");
}

const Matrix& shown_weight(Driver& d, const std::string& path) {
    return *d.document().weights->matrices.at(path).values;
}

/// The small network of the tests: a step takes a moment.
void show_small_training(Driver& d) {
    d.click("tab Train");
    d.set_number("Batch", "8");
    d.set_number("Model width", "16");
}

}  // namespace

TEST_CASE("training: steps change the weights that are shown; no step of undo is made") {
    Driver d;
    show_small_training(d);
    CHECK(d.has("card curves"));
    CHECK(d.has("head 1.3"));
    const std::string undo = d.session().history().undo_label();
    const SharedWeights drawn = d.document().weights;
    REQUIRE(drawn);
    make_steps(d, 2);
    CHECK(sees(d, "step 20 of 5,000"));
    CHECK_FALSE(are_same(d.document().weights, drawn));
    CHECK(d.document().weights->origin == "trained: Who is it?, 20 steps, seed 1, another network");
    CHECK(d.session().history().undo_label() == undo);
    // What the run has begun with stays.
    const int heads = d.document().sentence()->layer.attention.n_heads;
    d.drag("field Heads", 100, 0);
    CHECK(d.document().sentence()->layer.attention.n_heads == heads);
}

TEST_CASE("training: the slider goes back to the weights of then, and on again") {
    Driver d;
    show_small_training(d);
    const SharedWeights drawn = d.document().weights;
    make_steps(d, 3);
    const SharedWeights newest = d.document().weights;
    d.drag("slider Step", -2000, 0);
    CHECK(are_same(d.document().weights, drawn));
    CHECK(sees(d, "at step 0"));
    CHECK(d.has("button Go on here"));
    d.click("button Newest");
    CHECK(are_same(d.document().weights, newest));
    d.drag("slider Step", -2000, 0);
    d.click("button Go on here");
    CHECK(sees(d, "step 0 of 5,000"));
    make_steps(d, 1);
    CHECK(sees(d, "step 10 of 5,000"));
    CHECK(sees(d, "it went on from step 0 again"));
}

TEST_CASE("training: a head that is ablated is ablated in the training, and undo restores it") {
    Driver d;
    show_small_training(d);
    d.click("button 0.2");
    CHECK(d.session().history().undo_label() == "Ablate head 2 of layer 0");
    CHECK(d.document().interventions.contains("blocks.0.attn.heads.2.z"));
    const Matrix before = shown_weight(d, "blocks.0.attn.heads.2.W_V");
    const Matrix other = shown_weight(d, "blocks.0.attn.heads.1.W_V");
    make_steps(d, 1);
    CHECK(shown_weight(d, "blocks.0.attn.heads.2.W_V") == before);
    CHECK(shown_weight(d, "blocks.0.attn.heads.1.W_V") != other);
    CHECK(sees(d, "heads were ablated while it trained"));
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document().interventions.empty());
    make_steps(d, 1);
    CHECK(shown_weight(d, "blocks.0.attn.heads.2.W_V") != before);
}

TEST_CASE("training: a weight that is set goes into the parameters once, and heals") {
    Driver d;
    show_small_training(d);
    make_steps(d, 1);
    const std::string path = "blocks.0.attn.heads.0.W_Q";
    d.session().apply({.label = "Set W_Q", .change = [&](Document& document) {
                           Intervention set;
                           set.set(2, 1, 3);
                           document.interventions[path] = set;
                       }});
    d.program().loop().wake();
    d.settle();
    CHECK(d.document().interventions.empty());
    CHECK(shown_weight(d, path)(2, 1) == 3);
    make_steps(d, 2);
    CHECK(shown_weight(d, path)(2, 1) != 3);
}

TEST_CASE("training: leaving the workspace does not lose the run; its study is used elsewhere") {
    Driver d;
    const Document attention = d.document();
    show_small_training(d);
    make_steps(d, 1);
    const SharedWeights weights = d.document().weights;
    d.click("tab Graph");
    d.click("tab Train");
    CHECK(sees(d, "step 10 of 5,000"));
    CHECK(are_same(d.document().weights, weights));
    d.click("button Use in Sentence");
    CHECK(d.program().workbench().workspace().session.history().undo_label() ==
          "Use weights: Who is it?");
    CHECK(are_same(d.document().weights, weights));
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == attention);
}

TEST_CASE("training: the weights of the shown step are saved") {
    Driver d;
    const TemporaryFolder folder;
    show_small_training(d);
    make_steps(d, 1);
    const SharedWeights weights = d.document().weights;
    d.click("button Save weights…");
    const std::string file = folder.file("w.safetensors");
    d.answer_dialog(file);
    CHECK(are_same(read_weights(std::filesystem::path(file)), weights));
}

TEST_CASE("training: presented, it has its curves, plays, and is dragged to another step") {
    Driver d;
    show_small_training(d);
    const SharedWeights drawn = d.document().weights;
    make_steps(d, 3);
    d.press(Key::F5);
    CHECK(d.has("slide training"));
    CHECK(!d.has("tab Train"));
    CHECK(d.has("card curves"));
    CHECK(d.has("head 1.3"));
    CHECK(sees(d, "Training: Who is it?"));
    CHECK(sees(d, "step 30 of 5,000"));
    d.drag("slider Step", -2000, 0);
    CHECK(are_same(d.document().weights, drawn));
    CHECK(sees(d, "at step 0"));
    d.click("button Newest");
    d.press(Key::Space);
    CHECK(d.has("button Pause"));
    d.press(Key::Space);
    CHECK(d.has("button Play"));
    d.press(Key::Escape);
    CHECK(d.has("tab Train"));
}

TEST_CASE("training: a part of its network is presented with its steps, and with the checkpoints") {
    Driver d;
    show_small_training(d);
    make_steps(d, 2);
    d.selection().choose_component(d.trace(), d.scene().components, "blocks.0.attn");
    d.press(Key::F5);
    CHECK(d.has("button Next"));
    CHECK(d.has("slide " + d.selection().chosen));
    const SharedWeights newest = d.document().weights;
    d.drag("slider Step", -2000, 0);
    CHECK_FALSE(are_same(d.document().weights, newest));
    CHECK(d.has("button Play"));
}

TEST_CASE("training: while it plays, frames stay short") {
    Driver d;
    d.click("tab Train");
    d.click("button Play");
    std::vector<double> secs;
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::seconds(2)) {
        const auto start = std::chrono::steady_clock::now();
        d.push(make_event(InputEvent::Kind::Refresh));
        d.program().loop().run_until_idle();
        secs.push_back(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        std::this_thread::sleep_for(std::chrono::milliseconds(16));
    }
    d.click("button Pause");
    std::ranges::sort(secs);
    MESSAGE("frames: ", secs.size(), ", median ms: ", 1000 * secs[secs.size() / 2],
            ", 95 %: ", 1000 * secs[secs.size() * 95 / 100], ", longest: ", 1000 * secs.back());
    CHECK(secs[secs.size() / 2] < 0.25);  // of a machine that does other things as well
    CHECK(d.has("button Play"));
    CHECK_FALSE(sees(d, "step 0 of 5,000"));
}

}  // namespace headlight::program_training_test
