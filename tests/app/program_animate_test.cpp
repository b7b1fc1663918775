// Sliders and animations of settings, driven by events.
#include <cmath>
#include <doctest/doctest.h>

#include "app/driver.h"

namespace headlight::program_animate_test {
namespace {

const CellPlace kWeight{"blocks.0.attn.heads.0.W_Q", 3, 2};

float temperature(Driver& d) {
    return d.document().sentence()->layer.attention.temperature;
}

void right_click(Driver& d, const std::string& name) {
    d.hover(name);
    d.click(d.locate(name), Button::Right);
}

/// Draws frames that are `secs` apart.
void play(Driver& d, int n_frames, double secs) {
    for (int i = 0; i < n_frames; ++i) {
        d.program().loop().let_pass(secs);
        d.push(make_event(InputEvent::Kind::Refresh));
        d.settle();
    }
}

}  // namespace

TEST_CASE("sliders: real-valued settings have a slider, and a drag of it is one step") {
    Driver d;
    d.drag("slider Temperature", 50, 0);
    CHECK(temperature(d) > 2);
    CHECK(d.undo_label().starts_with("Set temperature to "));
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == built_in_sentence());
    CHECK(!d.session().history().can_undo());
    d.drag("slider Power of d", -60, 0);
    CHECK(d.document().sentence()->layer.attention.d_power < 0.2f);
    CHECK(d.trace().at("blocks.0.attn.heads.0.scores").equation().find("√") == std::string::npos);
}

TEST_CASE("sliders: GAT's slope and the convolution's α have sliders") {
    Driver d;
    d.click("tab Graph");
    CHECK(d.has("slider Slope"));
    d.click("tab Image");
    d.choose("Mechanism", "convolution");
    CHECK(d.has("slider Alpha"));
}

TEST_CASE(
    "animation: it plays between two values, the trace follows, and undo reverts it in one step") {
    Driver d;
    const Scalar before = d.value({"blocks.0.attn.heads.0.pattern", 7, 1});
    right_click(d, "field Temperature");
    REQUIRE(d.has("bar animation"));
    CHECK(temperature(d) == 1);
    d.click("button Play");
    play(d, 6, 0.1);
    CHECK(temperature(d) > 1.1f);
    CHECK(d.value({"blocks.0.attn.heads.0.pattern", 7, 1}) != before);
    const float half_way = temperature(d);
    play(d, 6, 0.1);
    CHECK(temperature(d) > half_way);
    CHECK(d.undo_label() == "Animate temperature 0.100 → 10.0");
    d.press(Key::Space);
    const float rest = temperature(d);
    play(d, 6, 0.1);
    CHECK(temperature(d) == rest);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == built_in_sentence());
    CHECK(!d.session().history().can_undo());
}

TEST_CASE("animation: \"once\" stops at the end; Back restores the value before") {
    Driver d;
    right_click(d, "field Temperature");
    d.choose("repeat", "once");
    d.click("button Play");
    play(d, 40, 0.2);
    CHECK(temperature(d) == 10);
    CHECK(d.has("button Play"));
    d.click("button Back");
    CHECK(temperature(d) == 1);
    d.click("button Close animation");
    CHECK(!d.has("bar animation"));
    CHECK(temperature(d) == 1);
}

TEST_CASE("animation: its slider sets the number by hand") {
    Driver d;
    right_click(d, "field Temperature");
    d.drag("slider Animation", 60, 0);
    CHECK(temperature(d) > 1);
    CHECK(d.undo_label().starts_with("Animate temperature"));
}

TEST_CASE("animation: any cell can be animated, and gets its old value back") {
    Driver d;
    const Scalar before = d.value(kWeight);
    d.click(d.locate(kWeight), Button::Right);
    REQUIRE(d.has("bar animation"));
    d.press(Key::Space);
    play(d, 5, 0.2);
    CHECK(d.value(kWeight) != before);
    CHECK(d.document().interventions.contains(kWeight.path));
    d.click("head 2");  // looking elsewhere does not end it
    play(d, 2, 0.1);
    CHECK(d.has("button Pause"));
    d.click("button Back");
    CHECK(d.document().interventions.empty());
    CHECK(d.value(kWeight) == before);
}

TEST_CASE("animation: an edit by hand stops it") {
    Driver d;
    d.click("play Temperature");
    play(d, 3, 0.1);
    CHECK(d.has("button Pause"));
    d.set_number("Heads", "2");
    CHECK(d.has("button Play"));
    CHECK(d.undo_label() == "Set heads to 2");
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.undo_label().starts_with("Animate temperature"));
}

TEST_CASE("animation: undo stops and reverts it") {
    Driver d;
    d.click("play Temperature");
    play(d, 3, 0.1);
    d.press(Key::Z, Modifier::Ctrl);
    play(d, 3, 0.1);
    CHECK(d.document() == built_in_sentence());
    CHECK(d.has("button Play"));
}

TEST_CASE("animation: whole numbers advance in steps; so does the seed") {
    Driver d;
    right_click(d, "field Heads");
    d.press(Key::Space);
    for (int i = 0; i < 30; ++i) {
        play(d, 1, 0.1);
        const int n_heads = d.document().sentence()->layer.attention.n_heads;
        CHECK(n_heads >= 4);
        CHECK(n_heads <= 16);
    }
    CHECK(d.document().sentence()->layer.attention.n_heads > 4);
    right_click(d, "field Seed");
    CHECK(d.has("bar animation"));
}

TEST_CASE("animation: no frame is drawn while it is stopped") {
    Driver d;
    right_click(d, "field Temperature");
    const int n = d.program().loop().n_frames();
    for (int i = 0; i < 10; ++i) d.program().loop().run_until_idle();
    CHECK(d.program().loop().n_frames() == n);
}

}  // namespace headlight::program_animate_test
