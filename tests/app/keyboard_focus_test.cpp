// Using the window by keyboard.
#include "ui/input/keyboard_focus.h"

#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "app/driver.h"

namespace headlight::keyboard_focus_test {
namespace {

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("keyboard: Tab follows the reading order, panel by panel") {
    Regions regions;
    regions.begin_part(WindowPart::Left);
    regions.add("button low", {0, 100, 10, 10});
    regions.add("button right", {50, 3, 10, 10});
    regions.add("field left", {0, 0, 10, 14});
    regions.add("note of no use", {0, 0, 10, 10});
    regions.begin_part(WindowPart::TopBar);
    regions.add("tab last in x", {500, 500, 10, 10});
    CHECK(reading_order(regions) ==
          Names{"tab last in x", "field left", "button right", "button low"});
}

TEST_CASE("keyboard: while a list is open, only its entries can be reached") {
    Regions regions;
    regions.add("button behind", {0, 0, 10, 10});
    regions.begin_popup();
    regions.add("choice b", {0, 20, 10, 10});
    regions.add("choice a", {0, 0, 10, 10});
    regions.end_popup();
    CHECK(reading_order(regions) == Names{"choice a", "choice b"});
}

TEST_CASE("keyboard: in a grid the arrow keys go along a line, and straight up and down") {
    Regions regions;
    regions.begin_popup();
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < (row == 2 ? 2 : 4); ++column)
            regions.add("choice " + std::to_string(row) + "." + std::to_string(column),
                        {column * 20.0f, row * 20.0f, 16, 16});
    regions.end_popup();
    const auto to = [&](const char* name, LineStep step) {
        return name_above_or_below(regions, name, step);
    };
    CHECK(to("choice 0.2", LineStep::Down) == "choice 1.2");
    CHECK(to("choice 1.2", LineStep::Up) == "choice 0.2");
    CHECK(to("choice 1.3", LineStep::Down) == "choice 2.1");  // the nearest one
    CHECK(to("choice 2.1", LineStep::Down) == "choice 0.1");  // round at the end
    CHECK(to("choice 0.0", LineStep::Up) == "choice 2.0");
    CHECK(to("choice 9.9", LineStep::Up) == "");
}

TEST_CASE("keyboard: Tab and Enter open a workspace, choose from a list and type a number") {
    Driver d;
    d.press(Key::Tab);
    d.press(Key::Tab);
    d.press(Key::Tab, Modifier::Shift);
    d.press(Key::Tab);
    d.press(Key::Enter);
    CHECK(d.document().alignment());

    const auto go_to = [&](const std::string& name) {
        const auto names = reading_order(d.regions());
        REQUIRE(std::count(names.begin(), names.end(), name) == 1);
        for (std::size_t i = 0; i <= names.size(); ++i) {
            if (d.program().workbench().keyboard() == name) return;
            d.press(Key::Tab);
        }
        FAIL("Tab never comes to " << name);
    };
    go_to("field Mechanism");
    d.press(Key::Enter);
    REQUIRE(d.has("choice recurrent"));
    for (int i = 0; i < 3; ++i) d.press(Key::Down);
    CHECK(d.program().workbench().keyboard() == "choice recurrent");
    d.press(Key::Enter);
    CHECK(d.document().alignment()->mechanism == AlignmentMechanism::Recurrent);
    CHECK(d.program().workbench().keyboard() == "field Mechanism");

    go_to("field State width");
    d.press(Key::Enter);
    d.type("7");
    d.press(Key::Enter);
    CHECK(d.document().alignment()->recurrent.d_state == 7);
    d.press(Key::Escape);
}

TEST_CASE(
    "keyboard: arrows hold the first cell and then move; Ctrl moves between matrices and heads") {
    Driver d;
    d.press(Key::Escape);
    REQUIRE(!d.selection().held().cell);
    d.press(Key::Down);
    REQUIRE(d.selection().held().cell);
    CHECK(d.selection().held().cell->row == 0);
    d.press(Key::Down);
    d.press(Key::Right);
    CHECK(d.selection().held().cell->row == 1);
    CHECK(d.selection().held().cell->column == 1);
    d.press(Key::Down, Modifier::Ctrl);
    CHECK(d.selection().head == 1);
    CHECK(d.selection().chosen == "blocks.0.attn.heads.1.pattern");
    d.press(Key::Left, Modifier::Ctrl);
    CHECK(d.selection().chosen != "blocks.0.attn.heads.1.pattern");
    const std::string component = d.selection().component;
    d.press(Key::PageDown, Modifier::Ctrl);
    CHECK(d.selection().component != component);
    d.press(Key::PageUp, Modifier::Ctrl);
    CHECK(d.selection().component == component);
}

namespace {

void go_to(Driver& d, const std::string& name) {
    for (std::size_t i = 0; i <= reading_order(d.regions()).size(); ++i) {
        if (d.program().workbench().keyboard() == name) return;
        d.press(Key::Tab);
    }
    FAIL("Tab never comes to " << name);
}

bool says(Driver& d, const char* text) {
    return d.texts().find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("keyboard: on a slide arrows change the control that has the frame, until Esc") {
    const TemporaryFolder folder;
    Driver d;
    d.drop(folder.with("l.lecture",
                       "# L\n\n## A\n\n```headlight\nstudy: who-is-it\n"
                       "control: layer.attention.temperature = 0.2:4\n"
                       "control: layer.mask.causal\ncontrol: blocks.1.attn.heads\n```\n\n## B\n\n"
                       "Words.\n"));
    d.press(Key::F5);
    const auto layer = [&] { return d.document().sentence()->layer; };
    go_to(d, "slider layer.attention.temperature");
    d.press(Key::Right);
    const float warmer = layer().attention.temperature;
    CHECK(warmer > 1);
    d.press(Key::Left);
    d.press(Key::Left);
    CHECK(layer().attention.temperature < 1);
    d.press(Key::Space);
    CHECK(says(d, "1 / 2"));

    go_to(d, "field Causal");
    d.press(Key::Left);
    const Switch first = layer().mask.causal;
    d.press(Key::Right);
    CHECK(layer().mask.causal != first);
    CHECK(d.undo_label() == "Set Causal");

    go_to(d, "button blocks.1.attn.heads.2");
    d.press(Key::Left);
    CHECK(says(d, "2 off"));
    d.press(Key::Left);
    CHECK(says(d, "2 off"));
    d.press(Key::Right);
    CHECK(!says(d, "2 off"));

    d.press(Key::Escape);
    CHECK(d.program().workbench().keyboard() == "");
    CHECK(says(d, "1 / 2"));
    d.press(Key::Right);
    CHECK(says(d, "2 / 2"));
    d.press(Key::Escape);
    CHECK(d.has("tab Lecture"));
}

TEST_CASE("keyboard: a setting of whole numbers goes from one to the next") {
    const TemporaryFolder folder;
    Driver d;
    d.drop(folder.with(
        "l.lecture",
        "# L\n\n## A\n\n```headlight\nstudy: attention\ncontrol: seed = 85:105\n```\n"));
    d.press(Key::F5);
    const std::uint64_t seed = d.document().seed;
    go_to(d, "slider seed");
    d.press(Key::Right);
    CHECK(d.document().seed == seed + 1);
    d.press(Key::Right);
    d.press(Key::Left);
    CHECK(d.document().seed == seed + 1);
}

}  // namespace headlight::keyboard_focus_test
