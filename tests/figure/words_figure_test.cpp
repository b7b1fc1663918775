#include "figure/words_figure.h"

#include <cmath>
#include <doctest/doctest.h>
#include <utility>

#include "figure/color_scale.h"
#include "figure/marks.h"

namespace headlight::words_figure_test {
using namespace headlight::test;

namespace {

const Theme& light() {
    return theme_named(ThemeName::Light);
}

WordsInput make_input(std::vector<std::string> words) {
    WordsInput input;
    input.words = std::move(words);
    input.weights.assign(input.words.size(), Scalar(0.1));
    input.scale = sequential_scale(light(), head_color(light(), 0), 0, 1);
    return input;
}

}  // namespace

TEST_CASE(
    "words: words are wrapped, do not overlap, are inside, and each is found under its middle") {
    std::mt19937 random(31);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::string> words;
        for (auto left = random() % 60; left > 0; --left) words.push_back(random_word(random));
        auto input = make_input(words);
        input.width = 40 + static_cast<float>(random() % 400);
        input.queries = {static_cast<Index>(random() % 60)};
        input.hovered = random() % 60;
        const auto painted = words_figure(input, light(), fake_measure);
        CHECK(overlapping_texts(painted.figure) == "");
        CHECK(outside_mark(painted.figure) == "");
        for (std::size_t k = 0; k < words.size(); ++k)
            CHECK(painted.word_at(painted.places[k].center()) == static_cast<Index>(k));
    }
}

TEST_CASE("words: a word is shaded by its weight; the query has the selection's colour") {
    auto input = make_input({"The", "cat", "it"});
    input.weights = {0, Scalar(0.7)};
    input.queries = {2};
    const auto figure = words_figure(input, light(), fake_measure).figure;
    std::vector<Color> shades;
    for (const Mark& mark : figure.marks)
        if (const auto* rect = std::get_if<RectMark>(&mark)) shades.push_back(rect->fill);
    CHECK(shades ==
          std::vector<Color>{value_color(input.scale, 0), value_color(input.scale, Scalar(0.7))});
    CHECK(texts_of(figure)[2].color == light().selection);
    CHECK(words_figure({}, light(), fake_measure).figure.height == 0);
}

}  // namespace headlight::words_figure_test
