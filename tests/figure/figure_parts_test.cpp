#include "figure/figure_parts.h"

#include <doctest/doctest.h>

#include "figure/marks.h"

namespace headlight::figure_parts_test {

TEST_CASE("figure parts: every kind of mark moves as a whole") {
    Figure part{.width = 10, .height = 10, .marks = {}};
    part.add(RectMark{.box = {1, 2, 3, 4}});
    part.add(CircleMark{.center = {1, 2}, .radius = 3});
    part.add(LineMark{{1, 2}, {3, 4}, {}});
    part.add(CurveMark{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {}});
    part.add(TriangleMark{{1, 2}, {3, 4}, {5, 6}, {}});
    part.add(TextMark{{1, 2}, "text"});
    part.add(HeatmapMark{.box = {1, 2, 3, 4}, .values = {}, .scale = {}});
    Figure whole{.width = 200, .height = 200, .marks = {}};
    whole.add(RectMark{.box = {0, 0, 5, 5}});
    add_part(whole, part, {100, 50});
    REQUIRE(whole.marks.size() == 8);
    CHECK(std::get<RectMark>(whole.marks[0]).box.x == 0);
    CHECK(std::get<RectMark>(whole.marks[1]).box.x == 101);
    CHECK(std::get<RectMark>(whole.marks[1]).box.width == 3);
    CHECK(std::get<CircleMark>(whole.marks[2]).center.y == 52);
    CHECK(std::get<LineMark>(whole.marks[3]).to.x == 103);
    CHECK(std::get<CurveMark>(whole.marks[4]).control_2.y == 56);
    CHECK(std::get<TriangleMark>(whole.marks[5]).c.x == 105);
    CHECK(std::get<TextMark>(whole.marks[6]).at.y == 52);
    CHECK(std::get<HeatmapMark>(whole.marks[7]).box.y == 52);
    CHECK(std::get<RectMark>(part.marks[0]).box.x == 1);
}

TEST_CASE("figure parts: pictures are arranged as large as possible, inside") {
    const auto boxes = place_pictures({10, 20, 900, 300}, 3, 12);
    REQUIRE(boxes.size() == 3);
    CHECK(boxes[0].y == boxes[2].y);  // flat: in a row
    CHECK(boxes[1].x == doctest::Approx(boxes[0].right() + 12));
    CHECK(boxes[2].right() == doctest::Approx(910));
    const auto tall = place_pictures({0, 0, 300, 900}, 3, 12);
    CHECK(tall[0].x == tall[2].x);  // one above the other
    CHECK(tall[2].bottom() == doctest::Approx(900));
    const auto square = place_pictures({0, 0, 600, 600}, 4, 0);
    CHECK(square[3].x == 300);
    CHECK(square[3].y == 300);
    CHECK(place_pictures({0, 0, 600, 600}, 0, 12).empty());
    // Flat ones are larger one above the other.
    const auto rows = place_pictures({0, 0, 800, 340}, 2, 12, 3);
    CHECK(rows[0].x == rows[1].x);
    CHECK(rows[0].width == 800);
    const auto squares = place_pictures({0, 0, 800, 340}, 2, 12);
    CHECK(squares[0].y == squares[1].y);
}

}  // namespace headlight::figure_parts_test
