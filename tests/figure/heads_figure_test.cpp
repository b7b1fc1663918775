#include "figure/heads_figure.h"

#include <doctest/doctest.h>
#include <set>
#include <utility>

#include "figure/marks.h"

namespace headlight::heads_figure_test {
using namespace headlight::test;

namespace {

const Theme& kTheme = theme_named(ThemeName::Light);

HeadGridInput grid_of(int n_rows, int n_heads, bool is_by_row) {
    HeadGridInput input;
    for (int row = 0; row < n_rows; ++row) {
        if (is_by_row) input.rows.push_back("Layer " + std::to_string(row));
        for (int head = 0; head < n_heads; ++head)
            input.heads.push_back({.row = row,
                                   .head = head,
                                   .picture = std::make_shared<const Matrix>(Matrix::Ones(2, 2)),
                                   .scale = {},
                                   .color = kTheme.accent,
                                   .label = "previous token 0.91"});
    }
    return input;
}

HeadGridFigure paint(const HeadGridInput& input) {
    return head_grid_figure(input, kTheme, fake_measure);
}

ScatterFigure paint(const ScatterInput& input) {
    return scatter_figure(input, kTheme, fake_measure);
}

}  // namespace

TEST_CASE(
    "head grid: every head is found under its middle, texts do not overlap, everything is inside") {
    for (const bool is_by_row : {true, false})
        for (const auto& [rows, heads] : {std::pair{1, 2}, {2, 4}, {4, 12}, {12, 12}, {24, 16}})
            for (const float width : {420.0f, 900.0f}) {
                HeadGridInput input = grid_of(rows, heads, is_by_row);
                input.width = width;
                input.height = 700;
                const HeadGridFigure grid = paint(input);
                CHECK(overlapping_texts(grid.figure) == "");
                CHECK(outside_mark(grid.figure) == "");
                REQUIRE(grid.boxes.size() == input.heads.size());
                for (std::size_t i = 0; i < grid.boxes.size(); ++i)
                    CHECK(grid.head_at(grid.boxes[i].center()) == i);
            }
}

TEST_CASE("head grid: one row per attention, or one after another, as large as fits") {
    const HeadGridFigure by_row = paint(grid_of(3, 4, true));
    CHECK(by_row.boxes[0].y == by_row.boxes[3].y);
    CHECK(by_row.boxes[4].y > by_row.boxes[3].y);
    CHECK(has_text(by_row.figure, "Layer 2"));
    CHECK(!by_row.head_at({1, 1}));
    const HeadGridFigure in_order = paint(grid_of(1, 2, false));
    CHECK(in_order.boxes[0].width > 200);
    CHECK(has_text(in_order.figure, "0.1"));  // its place
    CHECK(has_text(in_order.figure, "previous token 0.91"));
    // Small pictures have no room for words below, but for their places and short numbers.
    HeadGridInput small = grid_of(6, 12, false);
    small.width = 500, small.height = 400;
    for (HeadPicture& head : small.heads) head.label = "0.93";
    const HeadGridFigure numbered = paint(small);
    CHECK(numbered.boxes[0].width < 52);
    CHECK(has_text(numbered.figure, "5.11"));
    CHECK(has_text(numbered.figure, "0.93"));
    HeadGridInput many = grid_of(12, 12, false);
    many.width = 478, many.height = 437;
    CHECK(has_text(paint(many).figure, "11.11"));
    CHECK(!has_text(paint(grid_of(12, 12, false)).figure, "previous"));
    HeadGridInput unnamed = grid_of(24, 16, true);
    CHECK(!paint(unnamed).figure.left_out.empty());
    for (HeadPicture& head : unnamed.heads) head.label.clear();
    CHECK(paint(unnamed).figure.left_out.empty());
}

TEST_CASE("head grid: a caption without room is no half of a word, and is said to be missing") {
    HeadGridInput input = grid_of(2, 4, true);
    for (HeadPicture& head : input.heads) head.short_label = "previous";
    const auto at_width = [&](float width) {
        input.width = width;
        return paint(input).figure;
    };
    const Figure wide = at_width(1200), narrow = at_width(420), narrower = at_width(300);
    CHECK(has_text(wide, "previous token 0.91"));
    CHECK(wide.left_out.empty());
    CHECK(has_text(narrow, "previous"));
    CHECK_FALSE(has_text(narrower, "previous"));
    for (const Figure& figure : {narrow, narrower}) {
        CHECK_FALSE(has_text(figure, "previous token 0.91"));
        CHECK_FALSE(has_text(figure, "…"));
        REQUIRE(figure.left_out.size() == 1);
        CHECK(figure.left_out[0].what == "captions of heads");
        CHECK(figure.left_out[0].count == 8);
    }
}

TEST_CASE("scatter: points are placed by their numbers, between round numbers") {
    ScatterInput input{.points = {}, .x_name = "entropy", .y_name = "distance"};
    for (int i = 0; i <= 10; ++i)
        input.points.push_back({Scalar(0.3) * Scalar(i), Scalar(i % 3), kTheme.accent});
    const ScatterFigure scatter = paint(input);
    CHECK(overlapping_texts(scatter.figure) == "");
    CHECK(outside_mark(scatter.figure) == "");
    CHECK(has_text(scatter.figure, "entropy"));
    for (std::size_t i = 0; i < input.points.size(); ++i)
        CHECK(scatter.dot_at(*scatter.centers[i]) == i);
    CHECK(scatter.centers[10]->x > scatter.centers[0]->x);
    CHECK(scatter.centers[2]->y < scatter.centers[0]->y);  // larger values are higher
    CHECK(scatter.centers[1]->x - scatter.centers[0]->x ==
          doctest::Approx(scatter.centers[2]->x - scatter.centers[1]->x));
    CHECK(!scatter.dot_at({-50, -50}));
}

TEST_CASE("scatter: no points, equal points, and NaN are handled") {
    ScatterInput input{.points = {}, .x_name = "x", .y_name = "y"};
    CHECK(outside_mark(paint(input).figure) == "");
    input.points.assign(3, {Scalar(1), Scalar(1), kTheme.accent});
    CHECK(outside_mark(paint(input).figure) == "");
    input.points[1].x = std::numeric_limits<Scalar>::quiet_NaN();
    const ScatterFigure scatter = paint(input);
    CHECK(outside_mark(scatter.figure) == "");
    CHECK(scatter.dot_at(*scatter.centers[0]) == 0);
    CHECK_FALSE(scatter.centers[1]);
    CHECK(has_text(scatter.figure, "1 of 3 not shown: x not defined"));
    CHECK(overlapping_texts(scatter.figure) == "");
    // A pointer that is nowhere points at no head, whatever its numbers are.
    CHECK_FALSE(scatter.dot_at({-1e6f, -1e6f}));
    input.points.assign(2, {input.points[1].x, input.points[1].x, kTheme.accent});
    const ScatterFigure nowhere = paint(input);
    CHECK(has_text(nowhere.figure, "2 of 2 not shown: x, y not defined"));
    for (const Point at : {Point{-1e6f, -1e6f}, Point{0, 0}, Point{150, 150}})
        CHECK_FALSE(nowhere.dot_at(at));
}

}  // namespace headlight::heads_figure_test
