#include "figure/picture_view.h"

#include <cmath>
#include <doctest/doctest.h>

#include "figure/color_scale.h"
#include "figure/heatmap_figure.h"
#include "figure/marks.h"

namespace headlight::picture_view_test {
using namespace headlight::test;

namespace {

ZoomRoom picture_room(Index rows, Index columns, Box cells, Point largest) {
    return {{cells, rows, columns}, largest};
}

const ZoomRoom kSquare = picture_room(4096, 4096, {40, 60, 300, 300}, {420, 300});
const ZoomRoom kTall = picture_room(4096, 32, {40, 60, 48, 300}, {420, 300});

HeatmapInput input_of(Index rows, Index columns, std::mt19937& random) {
    HeatmapInput input;
    input.title = "pattern · head 0";
    input.formula = "A = softmax(S)";
    input.caption = "query ↓ reads key →";
    input.values = std::make_shared<const Matrix>(Matrix::Random(rows, columns));
    input.scale = diverging_scale(theme_named(ThemeName::Light), 1);
    input.legend_name = "signed, linear";
    for (Index i = 0; i < rows; ++i) input.row_labels.push_back(random_word(random));
    for (Index j = 0; j < columns; ++j) input.column_labels.push_back(random_word(random));
    return input;
}

HeatmapFigure paint(const HeatmapInput& input) {
    return heatmap_figure(input, theme_named(ThemeName::Light), fake_measure);
}

bool is_filled(const CellGrid& grid) {
    constexpr float kSlack = 0.1f;
    const Box frame = grid.frame.is_empty() ? grid.cells : grid.frame;
    return grid.cells.x <= frame.x + kSlack && grid.cells.right() >= frame.right() - kSlack &&
           grid.cells.y <= frame.y + kSlack && grid.cells.bottom() >= frame.bottom() - kSlack;
}

}  // namespace

TEST_CASE("picture view: the point under the pointer stays while the matrix grows") {
    const Point at{140, 200};
    PictureView view;
    const CellIndex cell = *zoomed(kSquare, view).cell_at(at);
    int steps = 0;
    for (; view.zoom < largest_zoom(kSquare) && steps < 100; ++steps) {
        view = zoomed_at(kSquare, view, at, 1.3);
        const CellGrid grid = zoomed(kSquare, view);
        const auto now = grid.cell_at(at);
        REQUIRE(now);
        CHECK(std::abs(now->row - cell.row) <= 1);
        CHECK(std::abs(now->column - cell.column) <= 1);
        CHECK(is_filled(grid));
    }
    CHECK(steps < 40);
    CHECK(zoomed(kSquare, view).cell_width() == doctest::Approx(96));
    for (int k = 0; k < steps; ++k) view = zoomed_at(kSquare, view, at, 1 / 1.3);
    CHECK(view == PictureView{});
}

TEST_CASE("picture view: a narrow frame grows into the space, and every frame is full of cells") {
    std::mt19937 random(3);
    for (const ZoomRoom& room : {kSquare, kTall}) {
        PictureView view = zoomed_at(room, {}, {200, 200}, 400);
        // Only a narrow frame grows; otherwise cells would move away from the pointer.
        const bool is_narrow = room.whole.columns == 32;
        CHECK(zoomed(room, view).frame.width == (is_narrow ? room.largest.x : 300));
        for (int k = 0; k < 300; ++k) {
            const auto some = [&] { return static_cast<float>(random() % 2000) - 1000; };
            view = random() % 2 == 0
                       ? moved(room, view, {some(), some()})
                       : zoomed_at(room, view, {some(), some()}, random() % 2 == 0 ? 1.4 : 0.7);
            CHECK(is_filled(zoomed(room, view)));
        }
    }
}

TEST_CASE("picture view: cells of a long matrix first become square, then all grow") {
    const CellGrid half = zoomed(kTall, {8, 2000, 16});
    CHECK(half.cell_height() == doctest::Approx(8 * 300 / 4096.0));
    CHECK(half.cell_width() == doctest::Approx(1.5));
    const CellGrid square = zoomed(kTall, {100, 2000, 16});
    CHECK(square.cell_height() == doctest::Approx(square.cell_width()));
}

TEST_CASE("picture view: a move stops at the edge and reverses at once") {
    PictureView view = zoomed_at(kSquare, {}, {100, 100}, 10);
    view = moved(kSquare, view, {1e5f, 1e5f});
    CHECK(zoomed(kSquare, view).seen_rows().first == 0);
    const PictureView there = moved(kSquare, view, {-30, -30});
    CHECK(zoomed(kSquare, there).cells.x == doctest::Approx(40 - 30));
    CHECK(moved(kSquare, {}, {50, 50}) == PictureView{});
}

TEST_CASE("picture view: the view moves to a cell by no more than is needed") {
    PictureView view = zoomed_at(kSquare, {}, {40, 60}, 200);
    CHECK(zoomed(kSquare, view).seen_rows().first == 0);
    for (const CellIndex cell : {CellIndex{4095, 4095}, {0, 4095}, {2000, 17}}) {
        view = seeing(kSquare, view, cell);
        const CellGrid grid = zoomed(kSquare, view);
        const Box seen = common_part(grid.cell_box(cell.row, cell.column), grid.frame);
        CHECK(seen.width == doctest::Approx(grid.cell_width()).epsilon(0.02));
        CHECK(seen.height == doctest::Approx(grid.cell_height()).epsilon(0.02));
        CHECK(seeing(kSquare, view, cell).row == doctest::Approx(view.row));
    }
}

TEST_CASE("heatmap: labels never overlap and nothing leaves the figure, at any zoom") {
    std::mt19937 random(21);
    const Index sizes[] = {1, 3, 12, 40, 300, 1500};
    for (int round = 0; round < 250; ++round) {
        HeatmapInput input = input_of(sizes[random() % 6], sizes[random() % 6], random);
        const Index rows = input.values->rows(), columns = input.values->cols();
        input.width = 240 + static_cast<float>(random() % 900);
        input.height = 220 + static_cast<float>(random() % 700);
        input.legend = static_cast<LegendPlace>(random() % 3);
        input.view = {1 + std::pow(1.3, random() % 30), static_cast<double>(random() % rows),
                      static_cast<double>(random() % columns)};
        input.selected = {{static_cast<Index>(random() % rows)},
                          static_cast<Index>(random() % columns)};
        input.pinned = {
            {static_cast<Index>(random() % rows), static_cast<Index>(random() % columns)}};
        const HeatmapFigure painted = paint(input);
        CAPTURE(rows);
        CAPTURE(columns);
        CAPTURE(input.width);
        CAPTURE(input.height);
        CAPTURE(input.view.zoom);
        CHECK(overlapping_texts(painted.figure) == "");
        CHECK(outside_mark(painted.figure) == "");
    }
}

TEST_CASE("heatmap: grid, labels, numbers and an overview appear while zooming in") {
    std::mt19937 random(22);
    HeatmapInput input = input_of(500, 500, random);
    CHECK(paint(input).overview.rows == 0);
    input.view = {100, 250, 250};
    const HeatmapFigure near = paint(input);
    CHECK(near.overview.rows == 500);
    CHECK(near.grid.seen_rows().size() < 20);
    const CellGrid& grid = near.grid;
    for (Index i = grid.seen_rows().first + 1; i + 1 < grid.seen_rows().end; ++i)
        CHECK(grid.cell_at(grid.cell_box(i, 250).center()) == CellIndex{i, 250});
    const std::size_t n_texts = texts_of(near.figure).size();
    input.numbers = HeatmapInput::Numbers::Never;
    CHECK(n_texts >= texts_of(paint(input).figure).size() + 9);
    // Every row whose middle is visible has a label.
    const Index middle = (grid.seen_rows().first + grid.seen_rows().end) / 2;
    CHECK(has_text(near.figure, input.row_labels[static_cast<std::size_t>(middle)]));
}

TEST_CASE("heatmap: a selection out of view draws nothing") {
    std::mt19937 random(23);
    HeatmapInput input = input_of(500, 500, random);
    input.view = {60, 250, 250};
    const std::size_t n_marks = paint(input).figure.marks.size();
    input.selected = {{3}, 4};
    input.pinned = {{3, 4}};
    CHECK(paint(input).figure.marks.size() == n_marks);
    input.selected = {{250}, 250};
    CHECK(paint(input).figure.marks.size() > n_marks);
}

}  // namespace headlight::picture_view_test
