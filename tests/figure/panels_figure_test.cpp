#include "figure/panels/panels_figure.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "figure/legend.h"
#include "figure/marks.h"

namespace headlight::panels_figure_test {
using namespace headlight::test;

namespace {

const Theme& light() {
    return theme_named(ThemeName::Light);
}

std::vector<std::string> words(Index n) {
    std::vector<std::string> names;
    for (Index k = 0; k < n; ++k) names.push_back("word" + std::to_string(k));
    return names;
}

HeatmapInput matrix_of(Index rows, Index columns) {
    HeatmapInput matrix;
    matrix.caption = "query ↓ reads key →";
    matrix.row_labels = words(rows);
    matrix.column_labels = words(columns);
    matrix.values = std::make_shared<const Matrix>(Matrix::Constant(rows, columns, Scalar(0.5)));
    matrix.scale.colors.assign(256, Color{10, 20, 30});
    return matrix;
}

PanelsInput panels_of(int n, Index rows = 6, Index columns = 6) {
    PanelsInput input;
    for (int k = 0; k < n; ++k) {
        const std::string h = std::to_string(k);
        input.panels.push_back({matrix_of(rows, columns), {"Layer 0 · head " + h, "L0H" + h}, 0});
    }
    input.bars.push_back({input.panels.front().matrix.scale, "probability, linear"});
    input.formulas = {"A = softmax(S)"};
    return input;
}

PanelsFigure drawn(const PanelsInput& input) {
    PanelsFigure made = panels_figure(input, light(), fake_measure);
    INFO(made.problem);
    REQUIRE(made.problem.empty());
    return made;
}

std::size_t count_bars(const Figure& figure) {
    return static_cast<std::size_t>(std::ranges::count_if(figure.marks, [](const Mark& mark) {
        const auto* heatmap = std::get_if<HeatmapMark>(&mark);
        return heatmap && is_legend_bar(*heatmap);
    }));
}

/// The texts that are called so, in order.
std::vector<TextMark> texts_called(const Figure& figure, const std::string& text) {
    std::vector<TextMark> found;
    for (const TextMark& mark : texts_of(figure))
        if (mark.text == text) found.push_back(mark);
    return found;
}

bool meet(const Box& a, const Box& b) {
    return !common_part(a, b).is_empty();
}

/// The first thing that is wrong with where the panels are; empty if nothing is.
std::string misplaced(const PanelsFigure& made) {
    const Box all{0, 0, made.figure.width, made.figure.height};
    for (std::size_t i = 0; i < made.grids.size(); ++i) {
        const Box& a = made.grids[i].cells;
        const Box& first = made.grids.front().cells;
        if (a.width != first.width || a.height != first.height) return "sizes differ";
        const Box inside = common_part(a, all);
        if (inside.width < a.width - 0.01f || inside.height < a.height - 0.01f) return "outside";
        for (std::size_t j = i + 1; j < made.grids.size(); ++j)
            if (meet(a, made.grids[j].cells)) return "panels meet";
        for (const Box& bar : made.bars)
            if (meet(a, bar)) return "a bar lies on a panel";
    }
    for (std::size_t i = 0; i < made.bars.size(); ++i)
        for (std::size_t j = i + 1; j < made.bars.size(); ++j)
            if (meet(made.bars[i], made.bars[j])) return "bars meet";
    return "";
}

}  // namespace

TEST_CASE("panel_letter: (a) to (z), then (aa)") {
    CHECK(panel_letter(0) == "(a)");
    CHECK(panel_letter(25) == "(z)");
    CHECK(panel_letter(26) == "(aa)");
    CHECK(panel_letter(27) == "(ab)");
    CHECK(panel_letter(26 + 26 * 26) == "(aaa)");
}

TEST_CASE(
    "panels: of any number and shape none meets another one, all are equal, texts are apart") {
    struct Shape {
        Index rows, columns;
    };
    for (const Shape shape : {Shape{6, 6}, {12, 12}, {1, 1}, {3, 9}, {40, 40}, {2, 30}, {30, 2}})
        for (const int n : {1, 2, 3, 5, 8, 12})
            for (const float width : {300.0f, 630.0f, 900.0f}) {
                PanelsInput input = panels_of(n, shape.rows, shape.columns);
                input.width = width;
                input.largest = width;
                input.tallest = 8000;
                CAPTURE(n);
                CAPTURE(shape.rows);
                CAPTURE(shape.columns);
                CAPTURE(width);
                const PanelsFigure made = drawn(input);
                REQUIRE(made.grids.size() == static_cast<std::size_t>(n));
                CHECK(misplaced(made) == "");
                CHECK(made.figure.width <= width + 0.01f);
                CHECK(overlapping_texts(made.figure) == "");
                CHECK(outside_mark(made.figure) == "");
            }
}

TEST_CASE("panels: a layout in which two of them meet is noticed") {
    PanelsFigure made = drawn(panels_of(4));
    made.grids[1].cells.x = made.grids[0].cells.right() - 1;
    CHECK(misplaced(made) == "panels meet");
    made = drawn(panels_of(4));
    made.grids[1].cells.width += 1;
    CHECK(misplaced(made) != "");
    made.grids[1] = made.grids[0];
    made.grids[1].cells.height -= 1;
    CHECK(misplaced(made) != "");
}

TEST_CASE("panels: letters are in reading order, each once, and titles stand beside them") {
    PanelsInput input = panels_of(7);
    input.across = 3;
    const PanelsFigure made = drawn(input);
    Point last{-1, -1};
    for (std::size_t k = 0; k < 7; ++k) {
        const auto letters = texts_called(made.figure, panel_letter(k));
        REQUIRE(letters.size() == 1);
        CHECK(letters.front().font == Font::Bold);
        const Point at = letters.front().at;
        CHECK((at.y > last.y || (at.y == last.y && at.x > last.x)));
        CHECK(at.x == made.grids[k].cells.x);
        CHECK(at.y < made.grids[k].cells.y);
        last = at;
        CHECK(texts_called(made.figure, "Layer 0 · head " + std::to_string(k)).size() == 1);
    }
    CHECK(texts_called(made.figure, "(h)").empty());
}

TEST_CASE("panels: titles become short together where one has no room") {
    PanelsInput input = panels_of(4, 3, 3);
    input.across = 4;
    input.width = 360;
    const PanelsFigure made = drawn(input);
    for (int k = 0; k < 4; ++k)
        CHECK(texts_called(made.figure, "L0H" + std::to_string(k)).size() == 1);
    CHECK(texts_called(made.figure, "Layer 0 · head 0").empty());
}

TEST_CASE("panels: names that all share stand once a row at the left, and once at the top") {
    PanelsInput input = panels_of(6);
    input.across = 3;
    const PanelsFigure made = drawn(input);
    // Two rows of panels: as a row's name twice, as a column's name in three panels of the first.
    CHECK(texts_called(made.figure, "word2").size() == 2 + 3);
    for (const TextMark& mark : texts_called(made.figure, "word2")) {
        const bool is_row = mark.align == Align::End;
        if (is_row) CHECK(mark.at.x < made.grids[0].cells.x);
        if (!is_row) CHECK(mark.at.y < made.grids[0].cells.y);
    }
    CHECK(texts_called(made.figure, "query ↓").size() == 1);
    CHECK(texts_called(made.figure, "A = softmax(S)").size() <= 1);
}

TEST_CASE("panels: names that differ stand at every panel") {
    PanelsInput input = panels_of(4);
    input.across = 2;
    input.panels[2].matrix.row_labels[2] = "other";
    const PanelsFigure made = drawn(input);
    CHECK(misplaced(made) == "");
    CHECK(overlapping_texts(made.figure) == "");
    // Rows: 3 of the 4 panels; columns, which are the same: the first row of panels.
    CHECK(texts_called(made.figure, "word2").size() == 3 + 2);
    CHECK(texts_called(made.figure, "other").size() == 1);
}

TEST_CASE("panels: one bar for one kind of values, two for two") {
    PanelsInput input = panels_of(6);
    CHECK(count_bars(drawn(input).figure) == 1);
    CHECK(texts_called(drawn(input).figure, "probability, linear").size() == 1);
    input.bars.push_back({input.bars.front().scale, "A − B, linear"});
    for (std::size_t k = 3; k < 6; ++k) input.panels[k].bar = 1;
    for (const float width : {260.0f, 600.0f}) {
        input.width = width;
        const PanelsFigure made = drawn(input);
        CHECK(count_bars(made.figure) == 2);
        CHECK(misplaced(made) == "");
        CHECK(outside_mark(made.figure) == "");
    }
}

TEST_CASE("panels: each of two bars stands at the panels that have its colours") {
    PanelsInput input = panels_of(3);
    input.bars.push_back({input.bars.front().scale, "A − B, linear"});
    input.panels[2].bar = 1;
    input.group = 3;
    input.width = 800;
    const PanelsLayout beside = lay_out_panels(input, fake_measure);
    REQUIRE(beside.across == 3);
    REQUIRE(beside.bars_at == PanelsLayout::Bars::Below);
    CHECK(beside.bars[0].x == beside.panels[0].grid.cells.x);
    CHECK(beside.bars[1].x == beside.panels[2].grid.cells.x);
    input.width = 300;
    input.across = 1;
    const PanelsLayout below = lay_out_panels(input, fake_measure);
    REQUIRE(below.across == 1);
    REQUIRE(below.bars_at == PanelsLayout::Bars::Right);
    CHECK(below.bars[0].y == below.panels[0].grid.cells.y);
    CHECK(below.bars[1].y == below.panels[2].grid.cells.y);
    CHECK(below.bars[1].bottom() <= below.panels[2].grid.cells.bottom());
}

TEST_CASE("panels: a bar is long enough for its name, beside the panels or below them") {
    PanelsInput input = panels_of(3);
    input.bars.push_back({input.bars.front().scale, "A − B, linear"});
    input.panels.back().bar = 1;
    input.across = 3;
    for (const float width : {400.0f, 460.0f, 520.0f, 640.0f}) {
        CAPTURE(width);
        input.width = width;
        const Figure figure = drawn(input).figure;
        const bool is_whole = !texts_called(figure, "probability, linear").empty() ||
                              !texts_called(figure, "probability").empty();
        CHECK(is_whole);
    }
}

TEST_CASE("panels: names have the type size that was asked for, whatever the width") {
    for (const float width : {260.0f, 500.0f, 800.0f}) {
        PanelsInput input = panels_of(4);
        input.width = width;
        const PanelsFigure made = drawn(input);
        for (const TextMark& mark : texts_of(made.figure))
            if (mark.text.starts_with("word") || mark.text.starts_with("(")) CHECK(mark.size == 10);
        CHECK(made.figure.left_out.empty());
    }
}

TEST_CASE("panels: as many beside each other as leave every name its room; the rest is noted") {
    PanelsInput input = panels_of(4, 12, 12);
    input.width = 640;
    CHECK(lay_out_panels(input, fake_measure).across == 2);
    input.width = 1200;
    CHECK(lay_out_panels(input, fake_measure).across == 4);
    input.width = 300;
    input.across = 2;
    const PanelsFigure made = drawn(input);
    REQUIRE(!made.figure.left_out.empty());
    for (const LeftOut& missing : made.figure.left_out) {
        CHECK((missing.what == "row labels" || missing.what == "column labels"));
        CHECK(missing.of == 12);
    }
}

TEST_CASE("panels: the sides of a comparison stay beside each other") {
    PanelsInput input = panels_of(6);
    input.group = 3;
    input.width = 1000;
    CHECK(lay_out_panels(input, fake_measure).across % 3 == 0);
    input.width = 220;  // no room for three
    CHECK(lay_out_panels(input, fake_measure).across == 1);
}

TEST_CASE("panels: in a height that is given they are as large as there is room") {
    for (const Point room : {Point{1200, 300}, {300, 900}, {800, 600}, {90, 60}}) {
        PanelsInput input = panels_of(5);
        input.width = room.x;
        input.height = room.y;
        CAPTURE(room.x);
        const PanelsFigure made = drawn(input);
        CHECK(misplaced(made) != "panels meet");
        if (room.x > 100) CHECK(made.figure.height <= room.y + 0.01f);
    }
}

TEST_CASE("panels: numbers stand in the cells of all panels, if they are wanted") {
    PanelsInput input = panels_of(2, 3, 3);
    CHECK(texts_called(drawn(input).figure, "0.500").size() == 2 * 9);
    for (PanelInput& panel : input.panels) panel.matrix.numbers = HeatmapInput::Numbers::Never;
    CHECK(texts_called(drawn(input).figure, "0.500").empty());
}

TEST_CASE("panels: too many for the width are refused, and how many have room is said") {
    PanelsInput input = panels_of(12);
    input.width = 300;
    input.across = 8;
    CHECK(lay_out_panels(input, fake_measure).problem ==
          "8 panels beside each other have no room at this width; 3 have");
    input = panels_of(60);
    input.width = 300;
    const std::string problem = lay_out_panels(input, fake_measure).problem;
    CHECK(problem.starts_with("60 panels have no room at this width; at most "));
    CHECK(problem.ends_with(" have: make the figure wider, or its type smaller"));
    const int most = std::stoi(problem.substr(problem.find("most ") + 5));
    input.panels.resize(static_cast<std::size_t>(most));
    CHECK(lay_out_panels(input, fake_measure).problem == "");
    input = panels_of(1);
    input.width = 60;
    CHECK(lay_out_panels(input, fake_measure).problem ==
          "1 panel has no room at this width: make the figure wider, or its type smaller");
}

}  // namespace headlight::panels_figure_test
