#include "figure/bars_figure.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "figure/marks.h"

namespace headlight::bars_figure_test {
using namespace headlight::test;

namespace {

BarsFigure paint(const BarsInput& input) {
    return bars_figure(input, theme_named(ThemeName::Light), fake_measure);
}

std::vector<float> bar_widths(const Figure& figure) {
    std::vector<float> widths;
    for (const Mark& mark : figure.marks)
        if (const auto* rect = std::get_if<RectMark>(&mark)) widths.push_back(rect->box.width);
    return widths;
}

}  // namespace

TEST_CASE("bars: texts do not overlap, everything is inside, each row is found under its middle") {
    std::mt19937 random(41);
    for (int round = 0; round < 300; ++round) {
        BarsInput input;
        for (auto left = random() % 40; left > 0; --left) {
            input.labels.push_back(random_word(random));
            input.values.push_back(static_cast<Scalar>(random() % 2000) / 100 - (round % 3) * 7);
        }
        if (!input.values.empty() && round % 4 == 0) input.values[0] = kMasked;
        if (round % 5 == 0) input.full_scale = 1;
        input.max_rows = random() % 20 + 1;
        input.width = 200 + static_cast<float>(random() % 300);
        const auto painted = paint(input);
        CHECK(overlapping_texts(painted.figure) == "");
        CHECK(outside_mark(painted.figure) == "");
        CHECK(painted.rows.size() <= static_cast<std::size_t>(std::max(2, input.max_rows)));
        for (const auto& row : painted.rows) CHECK(painted.item_at(row.box.center()) == row.item);
    }
}

TEST_CASE("bars: lengths show the values; probabilities have a full scale of 1") {
    BarsInput input;
    input.values = {Scalar(0.2), Scalar(0.4), Scalar(0.1)};
    const auto relative = bar_widths(paint(input).figure);
    CHECK(relative[1] == doctest::Approx(2 * relative[0]));
    input.full_scale = 1;
    const auto absolute = bar_widths(paint(input).figure);
    CHECK(absolute[1] == doctest::Approx(relative[1] * 0.4).epsilon(0.02));
}

TEST_CASE("bars: bars that do not fit are counted and summed") {
    BarsInput input;
    input.values.assign(2000, Scalar(0.001));
    input.values[1500] = Scalar(0.5);
    input.max_rows = 12;
    const auto painted = paint(input);
    REQUIRE(painted.rows.size() == 12);
    CHECK(painted.rows[10].item == 1500);
    CHECK_FALSE(painted.rows[11].item);
    CHECK(has_text(painted.figure, "… 1,989 more, in sum 1.99"));
    input.order = BarsInput::Order::StrongestFirst;
    CHECK(paint(input).rows[0].item == 1500);
}

TEST_CASE("bars: the selected one is among those that fit, however short it is") {
    BarsInput input;
    for (int i = 0; i < 30; ++i) input.values.push_back(static_cast<Scalar>(30 - i));
    input.max_rows = 6;
    input.selected = 28;
    const auto painted = paint(input);
    REQUIRE(painted.rows.size() == 6);
    CHECK(painted.rows[3].item == 3);
    CHECK(painted.rows[4].item == 28);
    CHECK(!painted.rows[5].item);
}

TEST_CASE("bars: −∞ and NaN have a text and no bar; negative bars go the other way") {
    BarsInput input;
    input.values = {kMasked, std::nanf(""), Scalar(-2), Scalar(1)};
    const auto figure = paint(input).figure;
    CHECK(has_text(figure, "−∞"));
    CHECK(has_text(figure, "NaN"));
    std::vector<Box> bars;
    for (const Mark& mark : figure.marks)
        if (const auto* rect = std::get_if<RectMark>(&mark)) bars.push_back(rect->box);
    REQUIRE(bars.size() == 2);
    CHECK(bars[0].right() == doctest::Approx(bars[1].x));
    CHECK(bars[0].width == doctest::Approx(2 * bars[1].width));
    CHECK(paint({}).figure.marks.empty());
}

TEST_CASE("bars: in a comparison each value has two bars on one scale") {
    BarsInput input;
    input.labels = {"a", "b"};
    input.values = {Scalar(0.2), Scalar(0.4)};
    input.others = {Scalar(0.8), Scalar(0.1)};
    const auto painted = paint(input);
    const auto widths = bar_widths(painted.figure);
    REQUIRE(widths.size() == 4);
    const float unit = *std::max_element(widths.begin(), widths.end()) / 0.8f;
    for (const float value : {0.2f, 0.4f, 0.8f, 0.1f})
        CHECK(std::any_of(widths.begin(), widths.end(), [&](float width) {
            return width == doctest::Approx(value * unit).epsilon(0.01);
        }));
    CHECK(overlapping_texts(painted.figure) == "");
    CHECK(outside_mark(painted.figure) == "");
    for (const Mark& mark : painted.figure.marks) {
        const auto* text = std::get_if<TextMark>(&mark);
        if (!text || text->text != "0.200 | 0.800") continue;
        CHECK(text->at.x > widths[0]);
    }
    CHECK(has_text(painted.figure, "0.200 | 0.800"));
    CHECK(has_text(painted.figure, "0.400 | 0.100"));
    input.others = {Scalar(0.8)};  // their number does not match: ignored
    CHECK(bar_widths(paint(input).figure).size() == 2);
}

TEST_CASE("bars: two pictures to be compared have one scale and the same columns") {
    BarsInput a, b;
    a.labels = {"a long name", "x"}, a.values = {Scalar(8), Scalar(-2)};
    b.labels = {"x", "y"}, b.values = {Scalar(0.5), Scalar(0.25)};
    CHECK(bar_widths(paint(b).figure)[0] > bar_widths(paint(a).figure)[0]);
    a.beside = &b, b.beside = &a;
    const std::vector<float> of_a = bar_widths(paint(a).figure), of_b = bar_widths(paint(b).figure);
    CHECK(of_a[0] == doctest::Approx(16 * of_b[0]));
    CHECK(of_a[0] == doctest::Approx(4 * of_a[1]));
}

}  // namespace headlight::bars_figure_test
