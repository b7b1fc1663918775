#include "figure/plots/curves_figure.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <optional>

#include "marks.h"

namespace headlight::curves_figure_test {

const Theme& theme() {
    return theme_named(ThemeName::Light);
}

float width_of(const std::string& text, float size, Font) {
    return 0.5f * size * static_cast<float>(text.size());
}

CurvesInput two_curves() {
    CurvesInput input;
    input.lines = {{"accuracy", {{0, 0}, {50, 0.5}, {100, 1}}, {0, 0, 200}},
                   {"loss", {{0, 4}, {100, 2}}, {90, 90, 90}, CurveLine::Scale::Right}};
    input.x_high = 200;
    input.right_name = "loss";
    input.marked_x = 60;
    return input;
}

bool has_text(const Figure& figure, const std::string& text) {
    return std::ranges::any_of(figure.marks, [&](const Mark& mark) {
        const auto* words = std::get_if<TextMark>(&mark);
        return words && words->text == text;
    });
}

std::vector<LineMark> lines_of(const Figure& figure, Color color) {
    std::vector<LineMark> lines;
    for (const Mark& mark : figure.marks)
        if (const auto* line = std::get_if<LineMark>(&mark); line && line->color == color)
            lines.push_back(*line);
    return lines;
}

TEST_CASE("curves: points stand where their scales put them") {
    const CurvesFigure made = curves_figure(two_curves(), theme(), width_of);
    const auto accuracy = lines_of(made.figure, {0, 0, 200});
    REQUIRE(accuracy.size() == 3);  // one in the legend
    const LineMark& last = accuracy.back();
    CHECK(last.to.x == doctest::Approx(made.plot.x + made.plot.width / 2));
    CHECK(last.to.y == doctest::Approx(made.plot.y));
    const auto loss = lines_of(made.figure, {90, 90, 90});
    // 4 is just below the top of the right scale, 2 half of that.
    const float down_4 = made.plot.bottom() - loss.back().from.y;
    const float down_2 = made.plot.bottom() - loss.back().to.y;
    CHECK(down_4 == doctest::Approx(2 * down_2));
    CHECK(down_4 < made.plot.height);
}

TEST_CASE("curves: the legend states the values at the marked step") {
    const CurvesFigure made = curves_figure(two_curves(), theme(), width_of);
    CHECK(has_text(made.figure, "0.500"));  // the last one before it
    CHECK(has_text(made.figure, "4.000"));
    CHECK(has_text(made.figure, "200"));
    CHECK(value_at(two_curves().lines[0], -1) == std::nullopt);
}

TEST_CASE("curves: a point of the plot is a step; nothing outside") {
    const CurvesFigure made = curves_figure(two_curves(), theme(), width_of);
    CHECK(*made.x_at(made.plot.center()) == doctest::Approx(100));
    CHECK_FALSE(made.x_at({made.plot.x - 1, made.plot.y + 1}));
}

TEST_CASE("curves: NaN is a gap, and an empty plot has its scales") {
    CurvesInput input = two_curves();
    input.lines[0].points[1].y = std::numeric_limits<double>::quiet_NaN();
    const CurvesFigure made = curves_figure(input, theme(), width_of);
    CHECK(lines_of(made.figure, {0, 0, 200}).size() == 1);
    input.lines.clear();
    CHECK(has_text(curves_figure(input, theme(), width_of).figure, "0"));
}

TEST_CASE("curves: a dashed line is made of short pieces") {
    CurvesInput input = two_curves();
    input.lines[0].stroke = CurveLine::Stroke::Dashed;
    const CurvesFigure made = curves_figure(input, theme(), width_of);
    const auto pieces = lines_of(made.figure, {0, 0, 200});
    CHECK(pieces.size() > 20);
    for (const LineMark& piece : pieces)
        CHECK(std::hypot(piece.to.x - piece.from.x, piece.to.y - piece.from.y) < 5.1f);
}

}  // namespace headlight::curves_figure_test
