#include <doctest/doctest.h>
#include <utility>

#include "figure/figure_parts.h"
#include "figure/marks.h"

namespace headlight::figure_extent_test {
namespace {

Point corner_of(Mark mark) {
    Figure figure{.width = 100, .height = 100, .marks = {std::move(mark)}};
    return far_corner(figure, test::fake_measure);
}

}  // namespace

TEST_CASE("figure extent: the corner of each kind of mark") {
    const auto check = [](Mark mark, float x, float y) {
        const Point corner = corner_of(std::move(mark));
        CHECK(corner.x == doctest::Approx(x));
        CHECK(corner.y == doctest::Approx(y));
    };
    check(RectMark{.box = {10, 20, 30, 40}, .stroke_width = 2}, 41, 61);
    check(CircleMark{.center = {10, 20}, .radius = 5}, 15, 25);
    check(LineMark{.from = {50, 10}, .to = {20, 30}, .color = {}, .width = 4}, 52, 32);
    check(TriangleMark{{1, 2}, {3, 9}, {8, 4}, {}}, 8, 9);
    check(HeatmapMark{.box = {0, 0, 7, 8}, .values = {}, .scale = {}}, 7, 8);
    check(CurveMark{{0, 0}, {9, 2}, {3, 8}, {1, 1}, {}, 2}, 10, 9);
}

TEST_CASE("figure extent: texts by their alignment and angle") {
    const float width = test::fake_measure("word", 10, Font::Regular);
    const auto right_of = [](Align align, float angle_deg) {
        return corner_of(TextMark{
            .at = {50, 50}, .text = "word", .size = 10, .align = align, .angle_deg = angle_deg});
    };
    CHECK(right_of(Align::Start, 0).x == doctest::Approx(50 + width));
    CHECK(right_of(Align::Middle, 0).x == doctest::Approx(50 + width / 2));
    CHECK(right_of(Align::End, 0).x == doctest::Approx(50));
    CHECK(right_of(Align::Start, 0).y == doctest::Approx(53));
    CHECK(right_of(Align::Start, 90).y == doctest::Approx(50 + width));
    CHECK(right_of(Align::Start, -90).y == doctest::Approx(50));
}

TEST_CASE("figure extent: trimming removes empty space and never adds any") {
    Figure figure{.width = 100, .height = 45, .marks = {}};
    figure.add(RectMark{.box = {0, 0, 30, 40}});
    trim(figure, 10, test::fake_measure);
    CHECK(figure.width == 40);
    CHECK(figure.height == 45);
}

}  // namespace headlight::figure_extent_test
