// Lists of choices: all of their entries are seen, and the window's keys work while one is open.
#include <doctest/doctest.h>

#include "app/driver.h"

namespace headlight::program_lists_test {
namespace {

const CellPlace kCell{"blocks.0.attn.heads.0.pattern", 1, 9};

bool is_inside(const Box& box, const Box& frame) {
    return box.x >= frame.x && box.right() <= frame.right() && box.y >= frame.y &&
           box.bottom() <= frame.bottom();
}

/// Opens the list and looks at its entries.
void check_entries(Driver& d, const std::string& field, std::size_t n_least) {
    CAPTURE(field);
    d.click("field " + field);
    const auto frame = d.regions().find("list " + field);
    REQUIRE(frame);
    CHECK(is_inside(*frame, {0, 0, 1280, 720}));
    std::size_t n_entries = 0;
    for (const auto& [name, box] : d.regions().boxes()) {
        if (!name.starts_with("choice ")) continue;
        ++n_entries;
        CHECK_MESSAGE(is_inside(box, *frame), name);
    }
    CHECK(n_entries >= n_least);
    d.press(Key::Escape);
    CHECK(!d.has("list " + field));
}

}  // namespace

TEST_CASE("lists: in a low window every entry is seen whole") {
    Driver d({1280, 720, 1});
    d.click(kCell);
    check_entries(d, "Change", 9);
    check_entries(d, "Positions", 3);
    d.click("button Colours");
    check_entries(d, "option colors", 8);
    check_entries(d, "option steps", 3);  // Esc has closed the list alone
    d.press(Key::Escape);
    CHECK(!d.has("field option steps"));
    d.click("part all heads");
    check_entries(d, "Sort by", 8);
}

TEST_CASE("lists: a key with Ctrl closes the list, and is done") {
    Driver d({1280, 720, 1});
    d.click(kCell);
    const Scalar before = d.value(kCell);
    d.choose("Change", "zero");
    d.click("button Apply");
    REQUIRE(d.value(kCell) == 0);
    d.click("field Change");
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.value(kCell) == before);
    CHECK(!d.has("list Change"));
    // A list in a form: both are closed.
    d.click("button Colours");
    d.click("field option steps");
    d.press(Key::Y, Modifier::Ctrl);
    CHECK(d.value(kCell) == 0);
    CHECK(!d.has("list option steps"));
    CHECK(!d.has("field option steps"));
    d.click("field Change");
    d.press(Key::O, Modifier::Ctrl);
    CHECK(d.has("button Get a model…"));
    CHECK(!d.has("list Change"));
    d.press(Key::Escape);
    // What is pressed without Ctrl is the list's.
    d.click("field Change");
    d.press(Key::Delete);
    CHECK(d.has("list Change"));
    CHECK(d.value(kCell) == 0);
}

TEST_CASE("lists: one in a dialog keeps the keys for itself") {
    Driver d({1280, 720, 1});
    d.click(kCell);
    d.choose("Change", "zero");
    d.click("button Apply");
    d.press(Key::E, Modifier::Ctrl);
    d.click("field Format");
    REQUIRE(d.has("list Format"));
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.value(kCell) == 0);
    CHECK(d.has("field Format"));
}

}  // namespace headlight::program_lists_test
