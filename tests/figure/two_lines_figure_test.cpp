#include <doctest/doctest.h>
#include <utility>

#include "figure/marks.h"
#include "figure/word_lines.h"

namespace headlight::two_lines_figure_test {
using namespace headlight::test;

namespace {

const Theme& light() {
    return theme_named(ThemeName::Light);
}

WordLinesInput make_input(std::size_t n_source, std::size_t n_target, std::mt19937& random) {
    WordLinesInput input;
    input.texts = WordLinesInput::Texts::Two;
    for (std::size_t j = 0; j < n_source; ++j) input.read.push_back(random_word(random));
    for (std::size_t i = 0; i < n_target; ++i) input.readers.push_back(random_word(random));
    Matrix pattern(n_target, n_source);
    pattern.setConstant(Scalar(1) / static_cast<Scalar>(n_source));
    input.heads = {{std::make_shared<const Matrix>(std::move(pattern)), {0, 0, 200}, "head 0"}};
    return input;
}

WordLinesFigure paint(WordLinesInput input) {
    input.lines = choose_lines(input.heads, {.picked = input.picked});
    return line_figure(input, light(), fake_measure);
}

std::vector<CurveMark> curves_of(const Figure& figure) {
    std::vector<CurveMark> curves;
    for (const Mark& mark : figure.marks)
        if (const auto* curve = std::get_if<CurveMark>(&mark)) curves.push_back(*curve);
    return curves;
}

}  // namespace

TEST_CASE(
    "alignment: one to forty words do not overlap, are inside, and each is found at its place") {
    std::mt19937 random(11);
    for (const std::size_t n_source : {1, 2, 12, 40})
        for (const std::size_t n_target : {1, 7, 40})
            for (const float width : {120.f, 460.f, 1000.f})
                for (const auto detail :
                     {WordLinesInput::Detail::Small, WordLinesInput::Detail::Full}) {
                    WordLinesInput input = make_input(n_source, n_target, random);
                    input.width = width;
                    input.detail = detail;
                    input.picked.readers = {static_cast<Index>(n_target / 2)};
                    const WordLinesFigure lines = paint(input);
                    INFO(n_source << " " << n_target << " " << width);
                    CHECK(overlapping_texts(lines.figure) == "");
                    CHECK(outside_mark(lines.figure) == "");
                    for (std::size_t j = 0; j < n_source; ++j)
                        CHECK(lines.read_at(lines.read[j].center()) == static_cast<Index>(j));
                    for (std::size_t i = 0; i < n_target; ++i)
                        CHECK(lines.reader_at(lines.readers[i].center()) == static_cast<Index>(i));
                    CHECK(!lines.reader_at(lines.read[0].center()));
                    CHECK(has_text(lines.figure, input.readers[n_target / 2]));
                }
}

TEST_CASE("alignment: each weight has a curve with that width; selected words stand out") {
    WordLinesInput input;
    input.texts = WordLinesInput::Texts::Two;
    input.read = {"a", "b"};
    input.readers = {"x", "y"};
    Matrix pattern(2, 2);
    pattern << Scalar(0.9), Scalar(0.1), 0, 1;
    input.heads = {{std::make_shared<const Matrix>(pattern), {1, 2, 3}, "head 0"}};
    const auto curves = curves_of(paint(input).figure);
    REQUIRE(curves.size() == 3);  // a weight of 0 has none
    CHECK(curves[0].width < curves[1].width);
    CHECK(curves[1].width < curves[2].width);
    for (const CurveMark& curve : curves) CHECK(curve.color.b == 3);
    input.picked.readers = {0};
    const Figure figure = paint(input).figure;
    const auto chosen = curves_of(figure);
    REQUIRE(chosen.size() == 3);
    CHECK(chosen[0].width < curves[2].width);  // what y reads
    CHECK(chosen[2].width > curves[1].width);  // what x reads
    for (const char* number : {"0.90", "0.10"}) CHECK(has_text(figure, number));
}

TEST_CASE("alignment: without words or pattern the rest is drawn") {
    std::mt19937 random(3);
    CHECK(paint({}).figure.marks.empty());
    WordLinesInput input = make_input(3, 2, random);
    input.heads[0].pattern = nullptr;
    const Figure figure = paint(input).figure;
    CHECK(curves_of(figure).empty());
    CHECK(texts_of(figure).size() == 5);
}

}  // namespace headlight::two_lines_figure_test
