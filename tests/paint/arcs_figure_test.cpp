#include "paint/arcs_figure.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "paint/marks.h"

using namespace headlight;
using namespace headlight::test;

namespace {

ArcsFigure paint(const ArcsInput& input) {
    return arcs_figure(input, theme_named(ThemeName::Light), fake_measure);
}

std::vector<CurveMark> arcs_of(const Figure& figure) {
    std::vector<CurveMark> arcs;
    for (const Mark& mark : figure.marks)
        if (const auto* arc = std::get_if<CurveMark>(&mark)) arcs.push_back(*arc);
    return arcs;
}

ArcsInput make_input(Index count, std::mt19937& random) {
    ArcsInput input;
    for (Index k = 0; k < count; ++k) input.labels.push_back(random_word(random));
    for (int h = 0; h < 3; ++h) {
        ArcRow row{static_cast<Index>(random() % count), std::vector<Scalar>(count), {0, 0, 200}};
        for (Scalar& w : row.weights) w = static_cast<Scalar>(random() % 100) / 100;
        input.rows.push_back(row);
    }
    return input;
}

}  // namespace

TEST_CASE("arcs: words never overlap and nothing leaves the figure, at any size") {
    std::mt19937 random(21);
    for (int round = 0; round < 300; ++round) {
        auto input = make_input(random() % 120 + 1, random);
        input.width = 60 + static_cast<float>(random() % 1200);
        input.height = 60 + static_cast<float>(random() % 200);
        if (random() % 2) input.hovered = random() % input.labels.size();
        const auto painted = paint(input);
        CAPTURE(input.labels.size());
        CAPTURE(input.width);
        CHECK(overlapping_texts(painted.figure) == "");
        CHECK(outside_mark(painted.figure, 2) == "");
        for (std::size_t k = 0; k < input.labels.size(); ++k)
            CHECK(painted.word_at(painted.places[k].center()) == static_cast<Index>(k));
    }
}

TEST_CASE("arcs: a larger weight is wider and stronger; a weight of zero draws nothing") {
    ArcsInput input;
    input.labels = {"a", "b", "c", "d", "e"};
    input.rows = {{0, {0, Scalar(0.2), Scalar(0.7), kMasked, std::nanf("")}, {0, 0, 200}}};
    const auto arcs = arcs_of(paint(input).figure);
    REQUIRE(arcs.size() == 2);
    CHECK(arcs[0].width < arcs[1].width);
    CHECK(arcs[0].color.a < arcs[1].color.a);
}

TEST_CASE("arcs: with 2,000 words the query, the hovered and the strongest words are named") {
    ArcsInput input;
    for (int k = 0; k < 2000; ++k) input.labels.push_back("w" + std::to_string(k));
    input.rows = {{1000, std::vector<Scalar>(2000, Scalar(0.0001)), {0, 0, 200}}};
    input.rows[0].weights[300] = Scalar(0.6);
    input.hovered = 1700;
    input.width = 800;
    const auto figure = paint(input).figure;
    for (const char* word : {"w1000", "w300", "w1700"}) CHECK(has_text(figure, word));
    CHECK(figure.marks.size() < 4100);
}

TEST_CASE("arcs: no words, a query that is no word, short weights") {
    CHECK(paint({}).figure.marks.empty());
    ArcsInput input;
    input.labels = {"one"};
    input.rows = {{5, {1}, {}}, {0, {}, {}}};
    CHECK(arcs_of(paint(input).figure).empty());
    input.rows = {{0, {1}, {}}};
    CHECK(arcs_of(paint(input).figure).size() == 1);
}
