// The window's zoom: what folds, what stays, and how large the chosen picture is.
#include <cstring>
#include <doctest/doctest.h>
#include <iterator>

#include "app/driver.h"

namespace headlight::program_zoom_test {
namespace {

float area(const Box& box) {
    return box.width * box.height;
}

bool is_pressed(const std::string& name) {
    return name.starts_with("button ") || name.starts_with("tab ") || name.starts_with("part ");
}

bool meet(const Box& a, const Box& b) {
    return a.x + 0.5f < b.right() && b.x + 0.5f < a.right() && a.y + 0.5f < b.bottom() &&
           b.y + 0.5f < a.bottom();
}

/// Checks that all buttons are inside the window and do not overlap.
void check_buttons(Driver& d, Point window) {
    const auto& boxes = d.regions().boxes();
    for (auto a = boxes.begin(); a != boxes.end(); ++a) {
        if (!is_pressed(a->first)) continue;
        CHECK_MESSAGE(a->second.x >= 0, a->first);
        CHECK_MESSAGE(a->second.right() <= window.x, a->first);
        for (auto b = std::next(a); b != boxes.end(); ++b)
            if (is_pressed(b->first))
                CHECK_MESSAGE(!meet(a->second, b->second), a->first << ", " << b->first);
    }
}

void zoom_to(Driver& d, float zoom) {
    for (int k = 0; k < 12 && d.program().workbench().zoom() < zoom - 0.01f; ++k)
        d.press(Key::Plus, Modifier::Ctrl);
    for (int k = 0; k < 12 && d.program().workbench().zoom() > zoom + 0.01f; ++k)
        d.press(Key::Minus, Modifier::Ctrl);
}

}  // namespace

TEST_CASE(
    "zoom: from 75 % to 300 % the large picture keeps half of the window and nothing overlaps") {
    for (const WindowSize& size : {WindowSize{1280, 720, 1}, WindowSize{1600, 1000, 1}}) {
        Driver d(size);
        for (const float zoom : {0.75f, 1.0f, 1.27f, 1.6f, 2.0f, 2.57f, 3.0f}) {
            zoom_to(d, zoom);
            const float drawn = d.program().workbench().zoom();
            const Point window{size.width / drawn, size.height / drawn};
            INFO(size.width << " × " << size.height << " at " << drawn);
            check_buttons(d, window);
            CHECK(d.has("tab Sentence"));
            CHECK(d.has("button ↶"));
            const bool is_folded = d.has("button Input");
            REQUIRE(d.regions().find(is_folded ? "large matrix" : "bar middle"));
            const Box kept = *d.regions().find(is_folded ? "large matrix" : "bar middle");
            CHECK(area(kept) >= 0.5f * window.x * window.y);
        }
    }
}

TEST_CASE("zoom: at 300 % everything can be reached through drawers and menus") {
    Driver d({1280, 720, 1});
    zoom_to(d, 3);
    CHECK(!d.has("text Sentence"));
    d.click("button Cell");
    CHECK(d.has("field Value"));
    d.click("button Cell");
    CHECK(!d.has("field Value"));
    d.click("button Input");
    REQUIRE(d.has("text Sentence"));
    d.replace_sentence("one two");
    CHECK(d.document().sentence()->text == "one two");
    d.press(Key::Escape);  // leaves the field
    d.press(Key::Escape);
    CHECK(!d.has("text Sentence"));

    d.click("button Heads");
    REQUIRE(d.has("head 1"));
    d.click("head 1");
    CHECK(d.selection().head == 1);
    d.press(Key::Escape);

    CHECK(!d.has("button Export…"));
    d.click("button More");
    d.click("button Export…");
    CHECK(d.has("text File"));
    d.press(Key::Escape);

    d.click("button Parts");
    d.click("part analyses");
    CHECK(d.selection().component == "analyses");
    d.click("tab Sentence");
    d.click("tab Graph");
    CHECK(d.document().graph());
}

}  // namespace headlight::program_zoom_test
