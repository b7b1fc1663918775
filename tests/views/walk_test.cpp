// The walk through the steps of the computation, and the words for them.
#include "views/walk.h"

#include <doctest/doctest.h>
#include <set>

#include "figure/words/step_words.h"
#include "model/evaluate.h"
#include "model/presets.h"

namespace headlight::walk_test {
namespace {

/// A plan that is walked through; no numbers are needed.
struct Walker {
    explicit Walker(const char* preset)
        : trace(plan(find_preset(preset)->make())), components(make_components(trace)) {
        selection.fit(trace, components);
    }

    bool go(WalkMove how) { return move(trace, components, selection, how); }
    Walk walk() const { return make_walk(trace, components, selection); }
    const std::string& at() const { return selection.chosen; }

    Trace trace;
    Components components;
    Selection selection;
};

}  // namespace

TEST_CASE("walk: the steps of an attention go from its input to its output, without weights") {
    Walker w("attention");
    w.go(WalkMove::First);
    std::vector<std::string> names{w.at()};
    while (w.walk().at + 1 < w.walk().steps.size()) {
        REQUIRE(w.go(WalkMove::Next));
        names.push_back(w.at());
    }
    const std::string head = "blocks.0.attn.heads.0.";
    CHECK(names == std::vector<std::string>{"blocks.0.resid_pre", head + "q", head + "k",
                                            head + "v", head + "scores", head + "masked_scores",
                                            head + "pattern", head + "z", "blocks.0.attn.concat",
                                            "blocks.0.attn.out", "blocks.0.resid_post"});
}

TEST_CASE("walk: steps forward go through every part, and steps back take the same way") {
    for (const char* preset : {"encoder", "transformer", "bahdanau", "graph-layers", "image"}) {
        CAPTURE(preset);
        Walker w(preset);
        w.selection.choose_component(w.trace, w.components, w.components.front().path);
        w.go(WalkMove::First);
        std::vector<std::string> way{w.at()};
        std::set<std::string> walked{w.selection.component};
        while (w.go(WalkMove::Next)) {
            way.push_back(w.at());
            walked.insert(w.selection.component);
            REQUIRE(way.size() < 10000);
        }
        for (const Component& component : w.components)
            CHECK_MESSAGE((walked.contains(component.path) ||
                           component.path.find(".steps.") != std::string::npos),
                          component.path);
        CHECK(std::set(way.begin(), way.end()).size() == way.size());
        for (auto step = way.rbegin() + 1; step != way.rend(); ++step) {
            REQUIRE(w.go(WalkMove::Back));
            CHECK(w.at() == *step);
        }
        CHECK(!w.go(WalkMove::Back));
        CHECK(w.at() == way.front());
    }
}

TEST_CASE("walk: from a weight it goes to the first step after it, or the last one before") {
    Walker w("attention");
    w.selection.choose_tensor(w.trace, w.components, "blocks.0.attn.heads.0.W_V");
    REQUIRE(w.go(WalkMove::Next));
    CHECK(w.at() == "blocks.0.attn.heads.0.q");
    w.selection.choose_tensor(w.trace, w.components, "blocks.0.attn.heads.0.W_V");
    REQUIRE(w.go(WalkMove::Back));
    CHECK(w.at() == "blocks.0.resid_pre");
}

TEST_CASE("walk: the head changes where there are heads; shared tensors stay") {
    Walker w("encoder");
    w.selection.choose_tensor(w.trace, w.components, "blocks.0.attn.heads.0.z");
    CHECK(!w.go(WalkMove::HeadBefore));
    REQUIRE(w.go(WalkMove::NextHead));
    CHECK(w.at() == "blocks.0.attn.heads.1.z");
    w.selection.choose_tensor(w.trace, w.components, "blocks.0.attn.concat");
    REQUIRE(w.go(WalkMove::NextHead));
    CHECK(w.at() == "blocks.0.attn.concat");
    CHECK(w.selection.head == 2);
    w.selection.choose_tensor(w.trace, w.components, "blocks.0.mlp.post");
    CHECK(!w.go(WalkMove::NextHead));
    CHECK(w.at() == "blocks.0.mlp.post");
}

TEST_CASE("walk: whole parts can be skipped, and numbered steps are found") {
    Walker w("encoder");
    w.selection.choose_component(w.trace, w.components, "blocks.0.attn");
    REQUIRE(w.go(WalkMove::NextComponent));
    CHECK(w.selection.component == "blocks.0.mlp");
    CHECK(w.walk().at == 0);
    REQUIRE(w.go(WalkMove::ComponentBefore));
    CHECK(w.selection.component == "blocks.0.attn");
    go_to_step(w.trace, w.components, w.selection, 1);
    CHECK(w.walk().at == 1);
    go_to_step(w.trace, w.components, w.selection, 1000);
    CHECK(w.walk().at + 1 == w.walk().steps.size());
    w.go(WalkMove::First);
    CHECK(w.walk().at == 0);
    w.go(WalkMove::Last);
    CHECK(w.walk().at + 1 == w.walk().steps.size());
}

TEST_CASE("walk: single steps of a recurrence are visited only from within") {
    Walker w("bahdanau");
    w.selection.choose_component(w.trace, w.components, "encoder.forward.steps.0");
    REQUIRE(w.go(WalkMove::NextComponent));
    CHECK(w.selection.component == "encoder.forward.steps.1");
}

TEST_CASE("step_words: every step of every study has a name, and a sentence that fits on a slide") {
    for (const Preset& preset : presets()) {
        const Trace trace(plan(preset.make()));
        for (const Component& component : make_components(trace))
            for (const TensorId id : shown_tensors(trace, component, 0)) {
                const StepWords words = step_words(trace, trace[id]);
                CAPTURE(trace[id].path());
                CHECK(!words.name.empty());
                CHECK(words.name.size() < 60);
                CHECK(words.sentence.find('{') == std::string::npos);
                CHECK(words.sentence.size() > 10);
                CHECK(words.sentence.size() < 110);
            }
    }
}

TEST_CASE("step_words: items have the name that the study gives them") {
    const Trace image(plan(find_preset("image")->make()));
    CHECK(step_words(image, image.at("blocks.0.attn.heads.0.q")).sentence ==
          "What each pixel looks for: its row times W_Q.");
    const Trace graph(plan(find_preset("gat")->make()));
    CHECK(step_words(graph, graph.at("gat.0.heads.0.pattern")).name == "Attention pattern");
    CHECK(step_words(graph, graph.at("embed")).sentence.find("node") != std::string::npos);
}

TEST_CASE("step_shapes: products show the shapes of both factors, with the keys transposed") {
    const Trace trace(plan(find_preset("attention")->make()));
    const std::string n = std::to_string(trace.items().size()), head = "blocks.0.attn.heads.0.";
    CHECK(step_shapes(trace, trace.at(head + "q")) == n + " × 32 · 32 × 8 → " + n + " × 8");
    CHECK(step_shapes(trace, trace.at(head + "scores")) ==
          n + " × 8 · 8 × " + n + " → " + n + " × " + n);
    CHECK(step_shapes(trace, trace.at(head + "pattern")) == n + " × " + n + " → " + n + " × " + n);
    CHECK(step_shapes(trace, trace.at("blocks.0.attn.concat")) ==
          "4 × (" + n + " × 8) → " + n + " × 32");
    CHECK(step_shapes(trace, trace.at("blocks.0.resid_post")) ==
          n + " × 32 + " + n + " × 32 → " + n + " × 32");
    CHECK(step_shapes(trace, trace.at("blocks.0.attn.W_O")) == "32 × 32");
}

}  // namespace headlight::walk_test
