// Arrows in the plane.
#include "figure/plots/plane_figure.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>

using namespace headlight;

namespace {

const MeasureText kMeasurePlane = [](const std::string& text, float size, Font) {
    return 0.5f * size * static_cast<float>(text.size());
};

PlaneInput compass_input() {
    PlaneInput input;
    input.arrows = {{"east", 1, 0, {}}, {"north", 0, 1, {}},     {"west", -1, 0, {}},
                    {"up", 0, 1, {}},   {"far north", 0, 3, {}}, {"nowhere", 0, 0, {}}};
    return input;
}

}  // namespace

TEST_CASE("arrows in the plane: equal scales, everything inside, one label for one place") {
    for (const Point size : {Point{480, 480}, Point{900, 200}, Point{120, 700}}) {
        PlaneInput input = compass_input();
        input.width = size.x;
        input.height = size.y;
        const PlaneFigure plane = plane_figure(input, theme_named(ThemeName::Light), kMeasurePlane);
        const Point origin = plane.tips[5], east = plane.tips[0], north = plane.tips[1];
        CHECK(east.x - origin.x == doctest::Approx(origin.y - north.y));
        CHECK(east.y == doctest::Approx(origin.y));
        CHECK(origin.y - plane.tips[4].y == doctest::Approx(3 * (origin.y - north.y)));
        for (const Point& tip : plane.tips) {
            CHECK(tip.x >= 0);
            CHECK(tip.x <= size.x);
            CHECK(tip.y >= 0);
            CHECK(tip.y <= size.y);
        }
        int n_both = 0, n_up = 0;
        for (const Mark& mark : plane.figure.marks)
            if (const auto* text = std::get_if<TextMark>(&mark)) {
                n_both += text->text == "north, up";
                n_up += text->text == "up";
            }
        if (size.x > 300) CHECK(n_both == 1);
        CHECK(n_up == 0);
    }
}

TEST_CASE("arrows in the plane: what is not finite is left out, and that is said") {
    PlaneInput input = compass_input();
    input.arrows[1].x = std::numeric_limits<double>::quiet_NaN();
    const PlaneFigure plane = plane_figure(input, theme_named(ThemeName::Light), kMeasurePlane);
    REQUIRE(plane.figure.left_out.size() == 1);
    CHECK(plane.figure.left_out[0].count == 1);
}

TEST_CASE("arrows in the plane: names stand off each other and off the arrows") {
    PlaneInput input;
    const Color query{0, 90, 200, 255}, key{200, 90, 0, 255};
    input.legend = {{"Q", query}, {"K_src", key, "K_{src}"}};
    input.arrows = {{"east", 1, 0, query}, {"north", 0, 1, query}, {"east", 1, 0, key},
                    {"north", 0, 1, key},  {"far", 3, 3, key},     {"west", -1, 0, key},
                    {"none", 0, 0, key}};
    const PlaneFigure plane = plane_figure(input, theme_named(ThemeName::Light), kMeasurePlane);
    std::vector<Box> names;
    for (const Mark& mark : plane.figure.marks) {
        const auto* text = std::get_if<TextMark>(&mark);
        if (!text || text->text.size() < 3 || text->text.find('.') != std::string::npos) continue;
        names.push_back({text->at.x, text->at.y - 0.75f * text->size,
                         kMeasurePlane(text->text, text->size, text->font), text->size});
    }
    REQUIRE(names.size() >= 7);
    const Point origin = plane.tips.back();
    for (std::size_t a = 0; a < names.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) CHECK(common_part(names[a], names[b]).is_empty());
        for (const Point& tip : plane.tips)
            for (int k = 0; k <= 100; ++k) {
                const float share = static_cast<float>(k) / 100;
                const Point on{origin.x + share * (tip.x - origin.x),
                               origin.y + share * (tip.y - origin.y)};
                const bool is_own_end = tip.x == origin.x && tip.y == origin.y;
                CHECK((is_own_end || !names[a].contains(on)));
            }
        CHECK(names[a].x >= 0);
        CHECK(names[a].right() <= input.width);
    }
}

TEST_CASE("arrows in the plane: two of one place lie beside each other") {
    PlaneInput input;
    const Color query{0, 90, 200, 255}, key{200, 90, 0, 255};
    input.legend = {{"Q", query}, {"K", key}};
    input.arrows = {{"east", 1, 0, query}, {"east", 1, 0, key}, {"north", 0, 1, key}};
    const PlaneFigure plane = plane_figure(input, theme_named(ThemeName::Light), kMeasurePlane);
    std::vector<TriangleMark> heads;
    for (const Mark& mark : plane.figure.marks)
        if (const auto* head = std::get_if<TriangleMark>(&mark)) heads.push_back(*head);
    REQUIRE(heads.size() == 3);
    CHECK(std::abs(heads[0].a.y - heads[1].a.y) > 3);
    CHECK(heads[2].a.x == doctest::Approx(plane.tips[2].x));
}

TEST_CASE("the projection in words: dot product, length, projection and angle") {
    const auto words = [](double x, double y) {
        return projection_text({"a", 2, 0, {}}, {"b", x, y, {}});
    };
    CHECK(words(1, 1) == "a · b = 2.00 = length 2.00 × projection 1.00; angle 45°");
    CHECK(words(-3, 0) == "a · b = −6.00 = length 2.00 × projection −3.00; angle 180°");
    CHECK(words(0, 5) == "a · b = 0 = length 2.00 × projection 0; angle 90°");
    CHECK(words(0, 0) == "a · b = 0");
}
