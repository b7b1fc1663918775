#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <utility>

#include "figure/marks.h"
#include "figure/word_lines.h"

namespace headlight::arcs_figure_test {
using namespace headlight::test;

namespace {

using Detail = WordLinesInput::Detail;

MatrixPtr shared(Matrix matrix) {
    return std::make_shared<const Matrix>(std::move(matrix));
}

WordLinesFigure paint(WordLinesInput input) {
    input.read = input.readers;
    input.lines = choose_lines(input.heads, {.picked = input.picked});
    return line_figure(input, theme_named(ThemeName::Light), fake_measure);
}

std::vector<CurveMark> arcs_of(const Figure& figure) {
    std::vector<CurveMark> arcs;
    for (const Mark& mark : figure.marks)
        if (const auto* arc = std::get_if<CurveMark>(&mark)) arcs.push_back(*arc);
    return arcs;
}

WordLinesInput make_input(Index count, std::mt19937& random) {
    WordLinesInput input;
    for (Index k = 0; k < count; ++k) input.readers.push_back(random_word(random));
    for (int h = 0; h < 2; ++h) {
        Matrix A(count, count);
        for (Index k = 0; k < A.size(); ++k)
            A.data()[k] = static_cast<Scalar>(random() % 100) / 100;
        input.heads.push_back({shared(A), {0, 0, 200}, "head " + std::to_string(h)});
    }
    return input;
}

}  // namespace

TEST_CASE("arcs: words and numbers never overlap and nothing leaves the figure, at any size") {
    std::mt19937 random(21);
    for (int round = 0; round < 120; ++round) {
        auto input = make_input(static_cast<Index>(random() % 100) + 1, random);
        input.width = 60 + static_cast<float>(random() % 1200);
        input.height = 90 + static_cast<float>(random() % 400);
        if (random() % 2) input.detail = Detail::Small;
        const auto word = static_cast<Index>(random() % input.readers.size());
        if (random() % 2) input.picked = {{word}, {word}};
        const auto painted = paint(input);
        CAPTURE(input.readers.size());
        CAPTURE(input.width);
        CHECK(overlapping_texts(painted.figure) == "");
        CHECK(outside_mark(painted.figure, 2) == "");
        for (std::size_t k = 0; k < input.readers.size(); ++k)
            CHECK(painted.reader_at(painted.readers[k].center()) == static_cast<Index>(k));
    }
}

TEST_CASE("arcs: a larger weight gives a wider, stronger arc; a weight of zero gives none") {
    WordLinesInput input;
    input.readers = {"a", "b", "c", "d", "e"};
    Matrix A = Matrix::Zero(5, 5);
    A.row(0) << 0, Scalar(0.2), Scalar(0.7), kMasked, std::nanf("");
    input.heads = {{shared(A), {0, 0, 200}, "head 0"}};
    const auto arcs = arcs_of(paint(input).figure);
    REQUIRE(arcs.size() == 2);
    CHECK(arcs[0].width < arcs[1].width);
    CHECK(arcs[0].color.a < arcs[1].color.a);
}

TEST_CASE("arcs: arcs above the words read backwards, arcs below read forwards") {
    WordLinesInput input;
    input.readers = {"a", "b", "c"};
    Matrix A = Matrix::Zero(3, 3);
    A(1, 0) = Scalar(0.25);
    A(1, 2) = Scalar(0.75);
    input.heads = {{shared(A), {0, 0, 200}, "head 0"}};
    input.picked = {{1}, {1}};
    input.height = 300;
    const WordLinesFigure full = paint(input);
    const auto arcs = arcs_of(full.figure);
    REQUIRE(arcs.size() == 2);
    CHECK(arcs[0].control_1.y < full.readers[0].y);
    CHECK(arcs[1].control_1.y > full.readers[0].bottom());
    for (const char* number : {"0.25", "0.75"}) CHECK(has_text(full.figure, number));
    input.detail = Detail::Small;
    const WordLinesFigure small = paint(input);
    for (const CurveMark& arc : arcs_of(small.figure)) CHECK(arc.control_1.y < small.readers[0].y);
    CHECK(!has_text(small.figure, "0.25"));
}

TEST_CASE("arcs: with 1,000 words the selected and the strongest words are named") {
    WordLinesInput input;
    for (int k = 0; k < 1000; ++k) input.readers.push_back("w" + std::to_string(k));
    Matrix A = Matrix::Zero(1000, 1000);
    A.row(500).setConstant(Scalar(0.0001));
    A(500, 300) = Scalar(0.6);
    input.heads = {{shared(A), {0, 0, 200}, "head 0"}};
    input.picked = {{500}, {700}};
    input.width = 800;
    const auto figure = paint(input).figure;
    for (const char* word : {"w500", "w300", "w700"}) CHECK(has_text(figure, word));
    CHECK(figure.marks.size() < 2200);
}

TEST_CASE("arcs: no words, no heads, and a pattern smaller than the words are handled") {
    CHECK(paint({}).figure.marks.empty());
    WordLinesInput input;
    input.readers = {"one", "two"};
    CHECK(arcs_of(paint(input).figure).empty());
    input.heads = {{shared(Matrix::Ones(1, 1)), {}, "head 0"}};
    CHECK(arcs_of(paint(input).figure).size() == 1);
    input.heads = {{shared(Matrix::Ones(5, 5)), {}, "head 0"}};  // a pattern larger than the words
    CHECK(arcs_of(paint(input).figure).size() == 4);
}

}  // namespace headlight::arcs_figure_test
