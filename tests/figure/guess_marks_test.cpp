
#include <doctest/doctest.h>
#include <set>

#include "figure/figure_parts.h"
#include "figure/heatmap_figure.h"
#include "figure/marks.h"

namespace headlight::guess_marks_test {
using namespace headlight::test;

namespace {

HeatmapInput pattern() {
    HeatmapInput input;
    input.row_labels = {"it", "was"};
    input.column_labels = {"cat", "street"};
    Matrix values(2, 2);
    values << 0.9f, 0.1f, 0.25f, 0.75f;
    input.values = std::make_shared<const Matrix>(values);
    input.scale = {.colors = std::vector<Color>(256, Color{1, 2, 3})};
    input.selected = {.rows = {0}, .column = 0};
    input.pinned = {{0, 0}};
    return input;
}

const HeatmapMark& cells_of(const Figure& figure) {
    for (const Mark& mark : figure.marks)
        if (const auto* cells = std::get_if<HeatmapMark>(&mark)) return *cells;
    FAIL("no cells");
    return std::get<HeatmapMark>(figure.marks.front());
}

}  // namespace

TEST_CASE("cover: labels stay, but no number, colour, legend, pin or selection reveals a value") {
    const Theme& theme = theme_named(ThemeName::Light);
    const HeatmapFigure open = heatmap_figure(pattern(), theme, fake_measure);
    REQUIRE(has_text(open.figure, "0.900"));
    HeatmapInput input = pattern();
    cover(input, theme, fake_measure);
    const HeatmapFigure covered = heatmap_figure(input, theme, fake_measure);
    for (const TextMark& text : texts_of(covered.figure))
        CHECK_MESSAGE(text.text.find_first_of("0123456789") == std::string::npos, text.text);
    for (const char* label : {"it", "was", "cat", "street"}) CHECK(has_text(covered.figure, label));
    const HeatmapMark& cells = cells_of(covered.figure);
    CHECK(cells.values->isZero());
    CHECK(cells.scale.colors.front() == cells.scale.colors.back());
    for (const Mark& mark : covered.figure.marks) CHECK(!std::holds_alternative<CircleMark>(mark));
    // Removing the cover moves nothing.
    CHECK(covered.grid.cells.x == doctest::Approx(open.grid.cells.x));
    CHECK(covered.grid.cells.width == doctest::Approx(open.grid.cells.width));
}

TEST_CASE("guess marks: each state has a shape of its own, in every theme") {
    for (const ThemeWord& word : theme_words()) {
        const Theme& theme = theme_named(word.name);
        std::set<std::string> shapes;
        for (const GuessState state :
             {GuessState::Open, GuessState::Right, GuessState::Wrong, GuessState::Answer}) {
            Figure figure{20, 20, {}};
            add_guess_mark(figure, {{10, 10}, 8, state}, theme);
            std::string shape = std::to_string(figure.marks.size());
            for (const TextMark& text : texts_of(figure)) shape += text.text;
            shapes.insert(shape);
            CHECK(outside_mark(figure, 1) == "");
        }
        CHECK(shapes.size() == 4);
    }
}

TEST_CASE("stretched cells: they fill the space up to a limit, and square is the default") {
    const auto grid_of = [](float width, float height, float stretch) {
        HeatmapInput input = pattern();
        input.width = width;
        input.height = height;
        input.stretch = stretch;
        return heatmap_figure(input, theme_named(ThemeName::Light), fake_measure).grid;
    };
    const CellGrid square = grid_of(700, 160, 1), wide = grid_of(700, 160, 1.5f);
    CHECK(square.cell_width() == doctest::Approx(square.cell_height()));
    CHECK(wide.cell_height() == doctest::Approx(square.cell_height()));
    CHECK(wide.cell_width() == doctest::Approx(1.5f * wide.cell_height()));
    const CellGrid tall = grid_of(200, 600, 1.8f);
    CHECK(tall.cell_height() == doctest::Approx(1.8f * tall.cell_width()));
}

}  // namespace headlight::guess_marks_test
