// The sentence workspace, driven by events.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>

#include "app/driver.h"
#include "model/changes.h"

namespace headlight::program_sentence_test {
namespace {

const std::string kHead = "blocks.0.attn.heads.0";
const CellPlace kWeight{kHead + ".W_Q", 3, 2};
const CellPlace kPattern{kHead + ".pattern", 7, 3};

std::vector<std::string> words(Driver& d) {
    return d.trace().items();
}

bool same_bits(const Matrix& a, const Matrix& b) {
    return a.rows() == b.rows() && a.cols() == b.cols() &&
           std::memcmp(a.data(), b.data(), sizeof(Scalar) * static_cast<std::size_t>(a.size())) ==
               0;
}

Scalar row_sum(Driver& d, const CellPlace& cell) {
    return d.trace().at(cell.path).value->row(cell.row).sum();
}

}  // namespace

TEST_CASE("sentence: each typed character reaches the trace before the next one") {
    Driver d;
    d.replace_sentence("");
    const std::string text = "a wide road";
    for (std::size_t n = 0; n < text.size(); ++n) {
        d.type(text.substr(n, 1));
        CHECK(d.document().sentence()->text == text.substr(0, n + 1));
        const std::string typed = text.substr(0, n + 1);
        const std::string last = typed.substr(typed.rfind(' ') + 1);
        if (!last.empty()) CHECK(words(d).back() == last);
    }
    CHECK(words(d) == std::vector<std::string>{"a", "wide", "road"});
    CHECK(d.trace().at(kPattern.path).value->rows() == 3);
}

TEST_CASE("sentence: typing is one undo step") {
    Driver d;
    const std::string before = d.document().sentence()->text;
    d.click("text Sentence");
    d.press(Key::End, Modifier::Ctrl);
    d.type(" And");
    d.type(" then?");
    CHECK(d.document().sentence()->text.ends_with("And then?"));
    CHECK(d.undo_label() == "Change the sentence");
    d.click("button ↶");
    CHECK(d.document().sentence()->text == before);
    d.click("button ↷");
    CHECK(d.document().sentence()->text.ends_with("And then?"));
}

TEST_CASE("sentence: typing after an undo edits the restored text") {
    Driver d;
    const std::string before = d.document().sentence()->text;
    d.replace_sentence("other words");
    d.click("button ↶");
    d.click("text Sentence");
    d.press(Key::End, Modifier::Ctrl);
    d.type("!");
    CHECK(d.document().sentence()->text == before + "!");
}

TEST_CASE("sentence: Ctrl+Z undoes text fields and window in order, and nothing is lost") {
    Driver d;
    const std::string before = d.document().sentence()->text;
    d.click("text Sentence");
    d.press(Key::End, Modifier::Ctrl);
    d.type(" x");
    d.press(Key::Z, Modifier::Ctrl);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document().sentence()->text == before);
    d.press(Key::Y, Modifier::Ctrl);
    d.press(Key::Y, Modifier::Ctrl);
    CHECK(d.document().sentence()->text == before + " x");
    d.press(Key::Escape);
    while (d.session().history().can_undo()) d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document().sentence()->text == before);
}

TEST_CASE("sentence: Esc leaves the field and keeps the typed text") {
    Driver d;
    d.replace_sentence("kept words");
    d.press(Key::Escape);
    CHECK(d.document().sentence()->text == "kept words");
    d.type("not in the field any more");
    CHECK(d.document().sentence()->text == "kept words");
}

TEST_CASE(
    "hover: a cell of a pattern highlights its query and its key everywhere, and holds nothing") {
    Driver d;
    const Pick held = d.selection().held();
    d.hover(kPattern);
    const Pick& hovered = d.selection().hovered();
    REQUIRE(hovered.cell);
    CHECK(*hovered.cell == CellPlace{kPattern.path, 7, 3});
    CHECK(hovered.indices.query == Index{7});
    CHECK(hovered.indices.key == Index{3});
    CHECK(cell_pick(d.trace().at(kHead + ".q"), hovered.indices).rows == std::vector<Index>{7});
    CHECK(cell_pick(d.trace().at(kHead + ".k"), hovered.indices).rows == std::vector<Index>{3});
    CHECK(cell_pick(d.trace().at(kHead + ".v"), hovered.indices).rows == std::vector<Index>{3});
    CHECK(d.selection().held() == held);
    d.move_to({5, 5});
    CHECK(d.selection().hovered().is_empty());
}

TEST_CASE("hover: the highlight is visible in the picture") {
    Driver d;
    d.press(Key::Escape);
    const Pixels before = d.screenshot();
    d.hover(kPattern);
    CHECK(d.screenshot().rgba != before.rgba);
    d.move_to({5, 5});
    CHECK(d.screenshot().rgba == before.rgba);
}

TEST_CASE("hover: pointing into the inspector never changes what the inspector shows") {
    Driver d;
    d.click("step mask");
    d.click(CellPlace{"mask", 0, 8});
    for (const CellPlace& held : {CellPlace{"mask", 0, 8}, kPattern, kWeight}) {
        d.press(Key::Escape);
        d.click(held);
        for (float y = 60; y < 800; y += 23) d.move_to({1160, y});
        CHECK(d.selection().held().cell == CellPlace{held.path, held.row, held.column});
    }
}

TEST_CASE("click: a click holds a cell; a second click or Esc releases it") {
    Driver d;
    d.click(kPattern);
    CHECK(d.selection().held().cell == CellPlace{kPattern.path, 7, 3});
    d.move_to({5, 5});
    CHECK(d.selection().current().indices.key == Index{3});
    d.click(kPattern);
    CHECK(d.selection().held().is_empty());
    d.click(kPattern);
    d.press(Key::Escape);
    CHECK(d.selection().held().is_empty());
}

TEST_CASE("click: a click on a word holds it as the query; arrow keys move the held cell") {
    Driver d;
    d.click("word 4");
    CHECK(d.selection().held().indices.query == Index{4});
    d.click(kPattern);
    d.press(Key::Right);
    d.press(Key::Down);
    CHECK(d.selection().held().cell == CellPlace{kPattern.path, 8, 4});
}

TEST_CASE("drag: a drag changes a weight and everything after it, in one named step") {
    Driver d;
    const Trace before = d.trace();
    const Scalar weight = d.value(kWeight);
    Scalar half_way = weight;
    const Point from = d.locate(kWeight);
    d.drag(from, {from.x, from.y - 40}, Modifier::None, [&] { half_way = d.value(kWeight); });
    CHECK(half_way != weight);
    CHECK(d.value(kWeight) > weight);
    for (const char* name : {".q", ".scores", ".pattern", ".z"})
        CHECK(!same_bits(*d.trace().at(kHead + name).value, *before.at(kHead + name).value));
    CHECK(d.trace().at(kHead + ".k").value == before.at(kHead + ".k").value);
    CHECK(d.undo_label().starts_with("Set W_Q[3, 2] to "));
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(!d.session().history().can_undo());
    for (const Tensor& tensor : before.tensors())
        if (tensor.value) CHECK(same_bits(*d.trace().at(tensor.path()).value, *tensor.value));
    d.press(Key::Y, Modifier::Ctrl);
    CHECK(d.value(kWeight) == half_way);
}

TEST_CASE("drag: two drags of one cell are two steps") {
    Driver d;
    d.drag(kWeight, 0, -30);
    d.drag(kWeight, 0, -30);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.session().history().can_undo());
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(!d.session().history().can_undo());
}

TEST_CASE(
    "drag: a drag on a pattern pins the cell; the rest of the row is scaled, or kept if so "
    "chosen") {
    Driver d;
    const Scalar other = d.value({kPattern.path, 7, 8});
    d.drag(kPattern, 0, -60);
    CHECK(d.undo_label().starts_with("Pin pattern["));
    CHECK(row_sum(d, kPattern) == doctest::Approx(1).epsilon(1e-5));
    CHECK(d.value({kPattern.path, 7, 8}) < other);
    const Scalar pinned = d.value(kPattern);
    d.choose("Rest of the row", "kept");
    CHECK(d.value({kPattern.path, 7, 8}) == other);
    CHECK(row_sum(d, kPattern) > 1.05f);
    // A pin stays while its inputs change.
    d.drag(kWeight, 0, -40);
    CHECK(d.value(kPattern) == pinned);
}

TEST_CASE("inspector: a typed value sets a weight, to the last digit") {
    Driver d;
    d.click(kWeight);
    d.set_number("Value", "0.7");
    CHECK(d.value(kWeight) == 0.7f);
    CHECK(d.undo_label() == "Set W_Q[3, 2] to 0.700");
    d.click("button ↶");
    CHECK(d.document().interventions.empty());
}

TEST_CASE("inspector: text that is not a number changes nothing") {
    Driver d;
    d.click(kWeight);
    const Document before = d.document();
    for (const std::string text : {"", "nan", "-", "words", "1e999"}) {
        d.set_number("Value", text);
        INFO(text);
        CHECK(d.document() == before);
    }
}

TEST_CASE("inspector: an infinite weight makes NaN, and undo reverts it") {
    Driver d;
    const Scalar before = d.value(kPattern);
    d.click(kWeight);
    d.set_number("Value", "-inf");
    CHECK(std::isinf(d.value(kWeight)));
    CHECK(std::isnan(d.value(kPattern)));
    d.hover(kPattern);
    d.click(kPattern);
    d.click("button ↶");
    CHECK(d.value(kPattern) == before);
}

TEST_CASE("mask: a masked pair is exactly 0 in the pattern and −∞ in the masked scores") {
    Driver d;
    d.click(kPattern);
    d.click("button Mask this pair");
    CHECK(d.value(kPattern) == 0);
    CHECK(d.value({kHead + ".masked_scores", 7, 3}) == kMasked);
    CHECK(row_sum(d, kPattern) == doctest::Approx(1).epsilon(1e-5));
    CHECK(d.undo_label() == "Mask it → cross");
    d.click("button Unmask this pair");
    CHECK(d.value(kPattern) > 0);
    CHECK(d.document().interventions.empty());
}

TEST_CASE("mask: with the brush on, clicks toggle its cells, also under a causal mask") {
    Driver d;
    d.click("fold Mask");
    d.choose("Causal", "on");
    CHECK(d.value({kHead + ".pattern", 2, 5}) == 0);
    d.click("step mask");
    d.click(CellPlace{"mask", 2, 5});  // holds it
    d.click("switch Paint mask");
    d.click(CellPlace{"mask", 2, 5});
    CHECK(d.value({kHead + ".pattern", 2, 5}) > 0);
    d.click(CellPlace{"mask", 5, 2});
    CHECK(d.value({kHead + ".pattern", 5, 2}) == 0);
    d.click(CellPlace{"mask", 5, 2});
    CHECK(d.value({kHead + ".pattern", 5, 2}) > 0);
}

TEST_CASE("reset: one cell, one matrix or everything can be reset") {
    Driver d;
    const Document untouched = d.document();
    const CellPlace other{kWeight.path, 5, 1}, value{kHead + ".W_V", 0, 0};
    for (const CellPlace& cell : {other, value, kWeight}) d.drag(cell, 0, -30);
    d.click("button Reset");
    CHECK(!d.document().interventions.at(kWeight.path).find(3, 2));
    CHECK(d.document().interventions.at(kWeight.path).find(5, 1));
    d.click("button Reset " + kWeight.path);
    CHECK(!d.document().interventions.contains(kWeight.path));
    CHECK(d.document().interventions.contains(value.path));
    d.click("button Reset all");
    CHECK(d.document() == untouched);
    d.click("button ↶");
    CHECK(d.document().interventions.contains(value.path));
}

TEST_CASE("pin: the button pins a computed cell at its current value") {
    Driver d;
    const CellPlace score{kHead + ".scores", 1, 1};
    d.click(score);
    const Scalar value = d.value(score);
    d.click("button Pin");
    d.drag(kWeight, 0, -60);
    CHECK(d.value(score) == value);
    CHECK(d.value({score.path, 1, 2}) != value);
}

TEST_CASE("sentence: the padding of a shorter sentence is no token of it") {
    Driver d;
    d.session().apply({.label = "Type", .change = [](Document& document) {
                           set_text(document, "The cat was tired\nIt slept on the old mat");
                       }});
    d.settle();
    d.move_to({10, 10});
    CHECK(d.texts().find("4 tokens · one a word · 2 of padding") != std::string::npos);
    d.click("button 2");
    CHECK(d.texts().find("6 tokens · one a word") != std::string::npos);
    CHECK(d.texts().find("of padding") == std::string::npos);
}

}  // namespace headlight::program_sentence_test
