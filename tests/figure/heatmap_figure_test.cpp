#include "figure/heatmap_figure.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <tuple>
#include <utility>

#include "figure/color_scale.h"
#include "figure/labels.h"
#include "figure/marks.h"

namespace headlight::heatmap_figure_test {
using namespace headlight::test;

namespace {

const Theme& light() {
    return theme_named(ThemeName::Light);
}

HeatmapInput make_input(Index rows, Index columns, std::mt19937& random) {
    HeatmapInput input;
    input.title = "pattern · head 0";
    input.formula = "A = softmax(Q K^T / √d_k)";
    input.caption = "query ↓ reads key →";
    input.values = std::make_shared<const Matrix>(Matrix::Random(rows, columns));
    input.scale = diverging_scale(light(), 1);
    input.legend_name = "linear";
    for (Index i = 0; i < rows; ++i) input.row_labels.push_back(random_word(random));
    for (Index j = 0; j < columns; ++j) input.column_labels.push_back(random_word(random));
    return input;
}

HeatmapFigure paint(const HeatmapInput& input) {
    return heatmap_figure(input, light(), fake_measure);
}

bool has_bold(const Figure& figure, const std::string& start) {
    const auto texts = texts_of(figure);
    return std::any_of(texts.begin(), texts.end(), [&](const TextMark& text) {
        return text.font == Font::Bold && text.text.substr(0, start.size()) == start;
    });
}

}  // namespace

TEST_CASE("heatmap: rows that are as high as their labels keep all of them, at any width") {
    std::mt19937 random(5);
    HeatmapInput input = make_input(11, 11, random);
    input.legend = LegendPlace::Bottom;
    input.height = 420;
    int n_upright = 0;
    for (input.width = 200; input.width < 420; input.width += 0.5f) {
        const HeatmapLayout layout = lay_out(input, fake_measure);
        n_upright += layout.columns == HeatmapLayout::Columns::Upright;
        CAPTURE(input.width);
        CAPTURE(layout.label_size);
        if (layout.grid.cell_height() >= layout.label_size * kLineHeight - 1e-3f)
            CHECK(layout.shown_rows.size() == 11);
    }
    CHECK(n_upright > 20);
}

TEST_CASE("heatmap: labels never overlap and nothing leaves the figure, at any size") {
    std::mt19937 random(11);
    const Index sizes[] = {1, 2, 3, 5, 8, 12, 17, 30, 64, 130, 500};
    for (int round = 0; round < 400; ++round) {
        auto input = make_input(sizes[random() % 11], sizes[random() % 11], random);
        input.width = 240 + static_cast<float>(random() % 900);
        input.height = 220 + static_cast<float>(random() % 700);
        input.legend = static_cast<LegendPlace>(random() % 3);
        const Index rows = input.values->rows(), columns = input.values->cols();
        input.selected.rows = {static_cast<Index>(random() % rows)};
        input.selected.column = static_cast<Index>(random() % columns);
        input.hovered = {{static_cast<Index>(random() % rows)},
                         static_cast<Index>(random() % columns)};
        input.pinned = {
            {static_cast<Index>(random() % rows), static_cast<Index>(random() % columns)}};
        if (random() % 3 == 0) input.numbers = HeatmapInput::Numbers::Never;
        const auto painted = paint(input);
        CAPTURE(rows);
        CAPTURE(columns);
        CAPTURE(input.width);
        CAPTURE(input.height);
        CHECK(overlapping_texts(painted.figure) == "");
        CHECK(outside_mark(painted.figure) == "");
    }
}

TEST_CASE("heatmap: labels shrink, turn or take the legend's space before one is dropped") {
    std::mt19937 random(18);
    auto input = make_input(12, 12, random);
    input.row_labels.assign(12, "attention");
    input.column_labels.assign(12, "attention");
    input.height = 420;
    for (const float width : {300.0f, 360.0f, 440.0f, 600.0f}) {
        input.width = width;
        CAPTURE(width);
        const HeatmapLayout layout = lay_out(input, fake_measure);
        CHECK(layout.shown_columns.size() == 12);
        CHECK(layout.shown_rows.size() == 12);
    }
}

TEST_CASE("heatmap: a stretched cell shows its number if 0.00 is readable in it") {
    std::mt19937 random(19);
    auto input = make_input(12, 12, random);
    input.row_labels.assign(12, "word");
    input.column_labels.assign(12, "word");
    input.values = std::make_shared<const Matrix>(Matrix::Constant(12, 12, Scalar(0.25)));
    input.scale.low = 0;
    input.stretch = 1.8f;
    input.width = 450;
    input.height = 320;
    CHECK(has_text(paint(input).figure, "0.25"));
}

TEST_CASE("heatmap: cell_at finds the cell whose box it is given") {
    std::mt19937 random(12);
    for (auto [rows, columns] :
         {std::pair<Index, Index>{1, 1}, {12, 12}, {1, 500}, {500, 1}, {77, 31}}) {
        const auto grid = paint(make_input(rows, columns, random)).grid;
        for (Index i = 0; i < rows; ++i)
            for (Index j = 0; j < columns; ++j)
                CHECK(grid.cell_at(grid.cell_box(i, j).center()) == CellIndex{i, j});
        CHECK_FALSE(grid.cell_at({grid.cells.x - 1, grid.cells.y + 1}));
        CHECK_FALSE(grid.cell_at({grid.cells.x + 1, grid.cells.bottom() + 1}));
    }
}

TEST_CASE("heatmap: cells are square if there is room, otherwise at least thick enough") {
    std::mt19937 random(13);
    const auto square = paint(make_input(12, 12, random)).grid;
    CHECK(square.cell_width() == doctest::Approx(square.cell_height()));
    CHECK(square.cells.width > 240);
    CHECK(paint(make_input(1, 500, random)).grid.cells.height >= 17);
    CHECK(paint(make_input(500, 1, random)).grid.cells.width >= 17);
    const auto huge = paint(make_input(2000, 2000, random)).grid;
    CHECK(huge.cells.width == doctest::Approx(huge.cells.height));
    CHECK(huge.cells.width > 150);
}

TEST_CASE("heatmap: the labels of the selected row and column are bold and always shown") {
    std::mt19937 random(14);
    for (Index n : {4, 12, 300, 2000}) {
        auto input = make_input(n, n, random);
        input.row_labels[n / 2] = "row";
        input.column_labels[n - 1] = "col";
        CHECK_FALSE(has_bold(paint(input).figure, "row"));
        input.selected = {{n / 2}, n - 1};
        CHECK(has_bold(paint(input).figure, "row"));
        CHECK(has_bold(paint(input).figure, "col"));
    }
}

TEST_CASE("heatmap: no grid lines between cells under six points, and none without cells") {
    std::mt19937 random(15);
    const auto grid_width = [](const Figure& figure) {
        for (const Mark& mark : figure.marks)
            if (const auto* cells = std::get_if<HeatmapMark>(&mark)) return cells->grid_width;
        return -1.0f;
    };
    CHECK(grid_width(paint(make_input(12, 12, random)).figure) > 0);
    CHECK(grid_width(paint(make_input(400, 400, random)).figure) == 0);
    HeatmapInput empty;
    CHECK(paint(empty).figure.marks.empty());
    empty.title = "scores";
    empty.values = std::make_shared<const Matrix>(0, 3);
    CHECK(paint(empty).figure.marks.size() == 1);
    CHECK_FALSE(paint(empty).grid.cell_at({5, 5}));
}

TEST_CASE("heatmap: large cells show their numbers, masked ones too") {
    auto values = std::make_shared<Matrix>(2, 2);
    *values << Scalar(0.5), kMasked, std::nanf(""), Scalar(-0.25);
    HeatmapInput input;
    input.values = values;
    input.scale = diverging_scale(light(), 1);
    const auto figure = paint(input).figure;
    for (const char* text : {"0.500", "−∞", "NaN", "−0.250"}) CHECK(has_text(figure, text));
    input.numbers = HeatmapInput::Numbers::Never;
    CHECK_FALSE(has_text(paint(input).figure, "NaN"));
}

TEST_CASE("heatmap: numbers have the decimals that are asked for, near and far away") {
    HeatmapInput input;
    Matrix values(2, 2);
    values << Scalar(0.5), Scalar(-12.25), 0, Scalar(-0.00004);
    input.values = std::make_shared<const Matrix>(values);
    input.scale = diverging_scale(light(), 20);
    for (const float stretch : {1.0f, 3.0f}) {
        input.stretch = stretch;
        CAPTURE(stretch);
        input.decimals = 4;
        const Figure figure = paint(input).figure;
        for (const char* text : {"0.5000", "−12.2500", "0", "0.0000"})
            CHECK(has_text(figure, text));
        input.decimals = 0;
        for (const char* text : {"0", "−12"}) CHECK(has_text(paint(input).figure, text));
        input.decimals.reset();
        CHECK_FALSE(has_text(paint(input).figure, "−12.2500"));
    }
}

TEST_CASE("heatmap: numbers with many decimals are smaller or left out, and never shorter") {
    std::mt19937 random(4);
    HeatmapInput input = make_input(6, 6, random);
    input.numbers = HeatmapInput::Numbers::Small;
    input.decimals = 6;
    int n_left_out = 0, n_smaller = 0;
    for (input.width = 240; input.width < 900; input.width += 20) {
        input.height = input.width;
        const NumberStyle type = number_style(input, lay_out(input, fake_measure), fake_measure);
        CAPTURE(input.width);
        if (type.size == 0) {
            ++n_left_out;
            continue;
        }
        n_smaller += type.size < 11;
        CHECK(type.decimals == 6);
        CHECK_FALSE(type.is_short);
    }
    CHECK(n_left_out > 0);
    CHECK(n_smaller > 0);
}

TEST_CASE("heatmap: no number is missing because its digits are wider than others") {
    const MeasureText with_wide_four = [](const std::string& text, float size, Font font) {
        const auto n_fours = static_cast<float>(std::ranges::count(text, '4'));
        return fake_measure(text, size, font) + 0.2f * size * n_fours;
    };
    std::mt19937 random(3);
    HeatmapInput input = make_input(2, 11, random);
    input.values = std::make_shared<const Matrix>(
        Matrix::NullaryExpr(2, 11, [](Index i, Index) { return i == 0 ? -0.31f : -0.44f; }));
    input.stretch = 3;
    for (input.width = 500; input.width < 900; input.width += 7) {
        const Figure figure = heatmap_figure(input, light(), with_wide_four).figure;
        const auto texts = texts_of(figure);
        const auto count = [&](const char* start) {
            return std::ranges::count_if(
                texts, [&](const TextMark& text) { return text.text.starts_with(start); });
        };
        CHECK(count("−0.31") == count("−0.44"));
    }
}

TEST_CASE("heatmap: a pin is above the number of its cell") {
    std::mt19937 random(16);
    auto input = make_input(4, 4, random);
    for (const float side : {150.0f, 220.0f, 400.0f, 900.0f}) {
        input.width = input.height = side;
        input.pinned = {};
        const std::size_t n_before = paint(input).figure.marks.size();
        input.pinned = {{1, 1}};
        const auto painted = paint(input);
        const Box box = painted.grid.cell_box(1, 1);
        float text_top = box.bottom();
        for (const Mark& mark : painted.figure.marks)
            if (const auto* text = std::get_if<TextMark>(&mark); text && box.contains(text->at))
                text_top = std::min(text_top, box.center().y - text->size / 2);
        const CircleMark* head = nullptr;
        for (const Mark& mark : painted.figure.marks)
            if (const auto* circle = std::get_if<CircleMark>(&mark)) head = circle;
        INFO(side);
        CHECK(painted.figure.marks.size() == n_before + 2);
        REQUIRE(head);
        CHECK(box.contains(head->center));
        CHECK(head->center.y + head->radius <= text_top + 0.5f);
    }
}

TEST_CASE("heatmap: a selection outside the matrix is harmless") {
    std::mt19937 random(16);
    auto input = make_input(3, 3, random);
    input.selected = {{7}, 9};
    input.hovered = {{8}, 8};
    input.pinned = {{5, 5}};
    CHECK(outside_mark(paint(input).figure) == "");
}

TEST_CASE("heatmap: in a figure too small for labels the cells still have a place") {
    std::mt19937 random(17);
    for (float side : {0.0f, 1.0f, 20.0f, 60.0f, 120.0f}) {
        auto input = make_input(12, 30, random);
        input.width = input.height = side;
        input.selected = {{3}, 4};
        const auto cells = paint(input).grid.cells;
        CHECK(cells.width > 0);
        CHECK(cells.height > 0);
        CHECK(std::isfinite(cells.x + cells.y));
    }
}

TEST_CASE("mini_box: keeps the proportions of a matrix within limits") {
    CHECK(mini_box(12, 12, 90).width == 90);
    const Box tall = mini_box(500, 1, 90);
    CHECK(tall.height == 90);
    CHECK(tall.width == doctest::Approx(36));
}

TEST_CASE("overlapping_texts and outside_mark find faults") {
    Figure figure{100, 50, {}};
    figure.add(TextMark{{10, 20}, "abc", 10});
    figure.add(TextMark{{60, 20}, "abc", 10});
    CHECK(overlapping_texts(figure) == "");
    CHECK(outside_mark(figure) == "");
    figure.add(TextMark{{20, 22}, "def", 10});
    CHECK(overlapping_texts(figure) == "'abc' and 'def'");
    figure.add(TextMark{{90, 40}, "far", 10});
    CHECK(outside_mark(figure) != "");
}

TEST_CASE("heatmap: a symbol at the beginning of the title is set as a formula") {
    std::mt19937 random(16);
    HeatmapInput input = make_input(3, 3, random);
    input.title = "W_Q W_K^T · head 0";
    input.symbol = "W_Q W_K^{T}";
    input.caption = "d_model ↓ d_out →";
    const Figure figure = paint(input).figure;
    CHECK(has_text(figure, " · head 0"));
    CHECK(has_text(figure, "model"));
    for (const TextMark& text : texts_of(figure)) CHECK(text.text.find('_') == std::string::npos);
    input.title = "another W_Q";  // which the symbol does not begin
    CHECK(has_text(paint(input).figure, "another W_Q"));
}

TEST_CASE("heatmap: read from far away, the formula stands beside the title if it has room") {
    std::mt19937 random(17);
    HeatmapInput input = make_input(6, 6, random);
    const auto baselines = [&] {
        const HeatmapLayout layout = lay_out(input, fake_measure);
        return std::pair(layout.title_baseline, layout.formula_baseline);
    };
    CHECK(baselines().first < baselines().second);
    input.times = {0.7f, 1.7f};
    CHECK(baselines().first == baselines().second);
    input.width = 200;
    CHECK(baselines().first < baselines().second);
}

TEST_CASE("heatmap: the names of its axes are whole before the picture is larger") {
    HeatmapInput input;
    input.values = std::make_shared<const Matrix>(Matrix::Random(3, 3));
    input.scale = diverging_scale(light(), 1);
    input.caption = "token ↓ vocabulary →";
    input.row_labels = input.column_labels = {"cats", "chase", "mice"};
    input.stretch = 3;
    input.times = {0.7f, 1.7f};
    for (float width = 260; width <= 420; width += 10) {
        input.width = width;
        input.height = 0.7f * width;
        CAPTURE(width);
        CHECK(has_text(paint(input).figure, "vocabulary →"));
    }
}

TEST_CASE(
    "heatmap: numbers that could not be read far away are shorter, or take the legend's room") {
    HeatmapInput input;
    Matrix values = Matrix::Constant(3, 11, Scalar(0.044));
    values(1, 1) = 1;
    input.values = std::make_shared<const Matrix>(values);
    input.scale = {.colors = std::vector<Color>(256), .low = 0, .high = 1};
    input.row_labels = {"a", "b", "c"};
    input.stretch = 3;
    input.times = {0.7f, 1.7f, 12};
    input.height = 300;
    const auto least = [](const HeatmapFigure& figure) {
        float least = figure.number_size;
        for (const TextMark& text : texts_of(figure.figure))
            if (text.align == Align::Middle && figure.grid.cells.contains(text.at))
                least = std::min(least, text.size);
        return least;
    };
    int n_short = 0, n_long = 0;
    for (float width = 350; width <= 1200; width += 25) {
        input.width = width;
        CAPTURE(width);
        const HeatmapFigure figure = paint(input);
        CHECK(figure.number_size >= 11.99f);
        CHECK(figure.number_size == least(figure));
        const bool is_short = has_text(figure.figure, ".04");
        CHECK(has_text(figure.figure, "1.0") == is_short);
        (is_short ? n_short : n_long) += 1;
    }
    CHECK(n_short > 0);
    CHECK(n_long > n_short);
    // Nobody is far away: as on a desk.
    input.times.number = 0;
    for (float width = 350; width <= 1200; width += 25) {
        input.width = width;
        CHECK_FALSE(has_text(paint(input).figure, ".04"));
    }
}

TEST_CASE("heatmap: far away, long numbers are as small as their cells need") {
    HeatmapInput input;
    Matrix values(2, 2);
    values << 1, 2, 332352, 4;
    input.values = std::make_shared<const Matrix>(values);
    input.scale = {.colors = std::vector<Color>(256), .low = 0, .high = 332352};
    input.stretch = 3;
    input.times = {0.7f, 1.7f, 12};
    input.height = 300;
    for (const float width : {340.0f, 500.0f}) {
        input.width = width;
        CHECK(has_text(paint(input).figure, "332352"));
    }
}

TEST_CASE("heatmaps in line: one shape has one grid, whatever its labels and numbers") {
    std::mt19937 random(18);
    const auto row_labels = [](const HeatmapFigure& picture) {
        std::vector<std::pair<float, float>> found;  // height and size of type
        for (const TextMark& text : texts_of(picture.figure))
            if (text.align == Align::End && text.at.x < picture.grid.cells.x)
                found.emplace_back(text.at.y, text.size);
        return found;
    };
    for (const TimesRange times : {TimesRange{}, TimesRange{0.7f, 1.7f, 12}})
        for (const float width : {180.0f, 300.0f, 700.0f}) {
            CAPTURE(width);
            CAPTURE(times.most);
            std::vector<HeatmapInput> inputs(3, make_input(6, 6, random));
            for (HeatmapInput& input : inputs) {
                input.width = width, input.height = 320;
                input.times = times;
                input.stretch = times.most > 1 ? 3 : 1;
            }
            inputs[0].scale = {.colors = std::vector<Color>(256), .low = 0, .high = 1};
            inputs[2].title = "A − B, of which more is said";
            inputs[2].row_labels[3] = inputs[2].column_labels[5] = "wide / tired";
            const auto pictures = heatmaps_in_line(inputs, light(), fake_measure);
            REQUIRE(pictures.size() == 3);
            for (const HeatmapFigure& picture : pictures) {
                const Box &box = picture.grid.cells, &first = pictures[0].grid.cells;
                CHECK(std::tie(box.x, box.y, box.width, box.height) ==
                      std::tie(first.x, first.y, first.width, first.height));
                CHECK(row_labels(picture) == row_labels(pictures[0]));
                if (times.number == 0) continue;
                CHECK((picture.number_size > 0) == (pictures[0].number_size > 0));
                CHECK((picture.number_size == 0 || picture.number_size >= times.number));
            }
        }
}

TEST_CASE("heatmaps in line: other shapes are drawn each by itself") {
    std::mt19937 random(19);
    const std::vector<HeatmapInput> inputs{make_input(4, 4, random), make_input(5, 5, random)};
    const auto pictures = heatmaps_in_line(inputs, light(), fake_measure);
    REQUIRE(pictures.size() == 2);
    for (std::size_t k = 0; k < 2; ++k)
        CHECK(pictures[k].grid.cells.width == paint(inputs[k]).grid.cells.width);
}

}  // namespace headlight::heatmap_figure_test
