// Blocks of cells: held, changed together, copied and pasted.
#include <cmath>
#include <doctest/doctest.h>
#include <imgui.h>

#include "app/driver.h"
#include "io/text/numbers_text.h"

namespace headlight::program_blocks_test {
namespace {

const std::string kWeight = "blocks.0.attn.heads.0.W_Q";
const std::string kPattern = "blocks.0.attn.heads.0.pattern";

CellRange held(Driver& d) {
    const auto range = d.selection().held_cells();
    REQUIRE(range);
    return *range;
}

Matrix values(Driver& d, const CellRange& range) {
    const Matrix& all = *d.trace().at(kWeight).value;
    return all.block(range.row, range.column, range.rows, range.columns);
}

/// The block of W_Q that is held: rows 2–4, columns 1–3.
const CellRange kBlock{2, 1, 3, 3};
void hold_block(Driver& d) {
    d.click("card " + kWeight);
    d.drag(d.locate(CellPlace{kWeight, 2, 1}), d.locate(CellPlace{kWeight, 4, 3}), Modifier::Ctrl);
    REQUIRE(held(d) == kBlock);
}

void apply(Driver& d, const std::string& change) {
    d.choose("Change", change);
    d.click("button Apply");
}

}  // namespace

TEST_CASE("block: a Ctrl-drag holds a rectangle and changes no value") {
    Driver d;
    const Document before = d.document();
    hold_block(d);
    CHECK(d.selection().held().cell == CellPlace{kWeight, 2, 1});
    CHECK(d.document() == before);
    const Pixels with_block = d.screenshot();
    d.press(Key::Escape);
    CHECK(!d.selection().held_cells());
    CHECK(d.screenshot().rgba != with_block.rgba);
}

TEST_CASE("block: a Ctrl-click on a label holds its row or column; Ctrl+A holds the matrix") {
    Driver d;
    d.click("card " + kWeight);
    const Point cell = d.locate(CellPlace{kWeight, 5, 2});
    d.click({d.locate("row names").x, cell.y}, Button::Left, Modifier::Ctrl);
    CHECK(held(d) == CellRange{5, 0, 1, 8});
    d.click({cell.x, d.locate("column names").y}, Button::Left, Modifier::Ctrl);
    CHECK(held(d) == CellRange{0, 2, 32, 1});
    d.press(Key::A, Modifier::Ctrl);
    CHECK(held(d) == CellRange{0, 0, 32, 8});
    CHECK(d.texts().find("W_Q, all 256 cells") != std::string::npos);
}

TEST_CASE("block: Ctrl+Shift+arrows grow and shrink it around the held cell") {
    Driver d;
    d.click(CellPlace{kWeight, 2, 1});
    for (const Key key : {Key::Down, Key::Down, Key::Right, Key::Up, Key::Left, Key::Left})
        d.press(key, Modifier::CtrlShift);
    CHECK(held(d) == CellRange{2, 0, 2, 2});
    for (int i = 0; i < 5; ++i) d.press(Key::Left, Modifier::CtrlShift);
    CHECK(held(d) == CellRange{2, 0, 2, 2});
    d.press(Key::Down);
    CHECK(held(d) == CellRange{3, 1, 1, 1});
}

TEST_CASE("block: the panel extends it to cell, row, column or matrix") {
    Driver d;
    d.click(CellPlace{kWeight, 2, 1});
    d.choose("Apply to", "row");
    CHECK(held(d) == CellRange{2, 0, 1, 8});
    d.choose("Apply to", "column");
    CHECK(held(d) == CellRange{0, 1, 32, 1});
    d.choose("Apply to", "cell");
    CHECK(held(d) == CellRange{2, 1, 1, 1});
}

TEST_CASE("block: every change is one named step, and undo reverts it") {
    const std::pair<const char*, const char*> changes[] = {
        {"fill with", "Fill W_Q[2–4, 1–3] with 0.5"},
        {"scale by", "Scale W_Q[2–4, 1–3] by 0.5"},
        {"shift by", "Shift W_Q[2–4, 1–3] by 0.5"},
        {"zero", "Zero W_Q[2–4, 1–3]"},
        {"negate", "Negate W_Q[2–4, 1–3]"},
        {"identity", "Make W_Q[2–4, 1–3] the identity"},
        {"transpose", "Transpose W_Q[2–4, 1–3]"},
        {"random", "Draw W_Q[2–4, 1–3] with seed 1"},
        {"normalise", "Normalise the rows of W_Q[2–4, 1–3]"}};
    Driver d;
    hold_block(d);
    const Document before = d.document();
    const Matrix was = values(d, kBlock);
    d.set_number("Number", "0.5");
    for (const auto& [name, label] : changes) {
        INFO(name);
        apply(d, name);
        CHECK(d.undo_label() == label);
        CHECK(values(d, kBlock) != was);
        CHECK(d.document().interventions.at(kWeight).cells.size() == 9);
        d.press(Key::Z, Modifier::Ctrl);
        CHECK(d.document() == before);
        CHECK(values(d, kBlock) == was);
        CHECK(held(d) == kBlock);
    }
}

TEST_CASE(
    "block: a change of a computed matrix is a pin; an impossible change is refused with a "
    "reason") {
    Driver d;
    d.click(CellPlace{kPattern, 7, 3});
    d.choose("Apply to", "row");
    apply(d, "transpose");
    CHECK(d.message().find("1 × 12 cells are chosen") != std::string::npos);
    CHECK(d.document().interventions.empty());
    d.click("button Dismiss");
    apply(d, "random");
    const Matrix pattern = *d.trace().at(kPattern).value;
    CHECK(pattern.row(7).sum() == doctest::Approx(1));
    d.drag(CellPlace{kWeight, 0, 0}, 0, -40);
    CHECK(d.trace().at(kPattern).value->row(7) == pattern.row(7));
}

TEST_CASE("block: a change that is found by typing is applied to the held block") {
    Driver d;
    hold_block(d);
    d.press(Key::K, Modifier::Ctrl);
    d.type("zero w_q");
    d.press(Key::Enter);
    CHECK(values(d, kBlock).isZero(0));
}

TEST_CASE("copy and paste: a block is pasted bit for bit, in one step") {
    Driver d;
    hold_block(d);
    const Matrix block = values(d, kBlock);
    d.press(Key::C, Modifier::Ctrl);
    CHECK(read_numbers(ImGui::GetClipboardText()) == block);
    d.click(CellPlace{kWeight, 20, 4});
    d.press(Key::V, Modifier::Ctrl);
    CHECK(values(d, {20, 4, 3, 3}) == block);
    CHECK(held(d) == CellRange{20, 4, 3, 3});
    CHECK(d.undo_label() == "Paste into W_Q");
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document().interventions.empty());
}

TEST_CASE("copy and paste: LaTeX and NumPy have buttons; a single number fills the block") {
    Driver d;
    hold_block(d);
    for (const auto& [name, begin] : {std::pair("LaTeX", "\\begin{bmatrix}"),
                                      {"NumPy", "np.array([["},
                                      {"Markdown", "| 0 |"}}) {
        d.click("button Copy as…");
        d.click(std::string("choice ") + name);
        CHECK(std::string(ImGui::GetClipboardText()).starts_with(begin));
    }
    d.paste("0,5");
    CHECK(d.message().find("room for") == std::string::npos);
    d.press(Key::Z, Modifier::Ctrl);
    hold_block(d);
    d.paste("0.25");
    CHECK(values(d, kBlock) == Matrix::Constant(3, 3, 0.25f));
}

TEST_CASE("paste: numbers that do not fit, and text that is no number, are refused with a reason") {
    Driver d;
    d.click(CellPlace{kWeight, 31, 6});
    const Document before = d.document();
    for (const auto& [text, problem] :
         {std::pair("1\t2\n3\t4",
                    "The numbers are 2 × 2; from row 31, column 6 on, W_Q (32 × 8) "
                    "has room for 1 × 2"),
          {"1\t2\n3", "Row 2 has 1 number, the first row has 2"},
          {"words", "is not a number that a cell can have"},
          {"", "There is no number in the clipboard"}}) {
        d.paste(text);
        INFO(text);
        CHECK(d.message().find(problem) != std::string::npos);
        CHECK(d.document() == before);
    }
}

TEST_CASE("copy: in a text field Ctrl+C and Ctrl+V work on its text") {
    Driver d;
    d.click(CellPlace{kWeight, 2, 1});
    d.replace_sentence("copied words");
    d.press(Key::A, Modifier::Ctrl);
    d.press(Key::C, Modifier::Ctrl);
    CHECK(std::string(ImGui::GetClipboardText()) == "copied words");
    d.paste("7");
    CHECK(d.document().sentence()->text == "7");
    CHECK(d.document().interventions.empty());
}

}  // namespace headlight::program_blocks_test
