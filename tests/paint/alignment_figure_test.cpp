#include "paint/alignment_figure.h"

#include <doctest/doctest.h>

#include "paint/marks.h"

using namespace headlight;
using namespace headlight::test;

namespace {

const Theme& light() {
    return theme_named(ThemeName::Light);
}

AlignmentInput make_input(std::size_t n_source, std::size_t n_target, std::mt19937& random) {
    AlignmentInput input;
    for (std::size_t j = 0; j < n_source; ++j) input.source.push_back(random_word(random));
    for (std::size_t i = 0; i < n_target; ++i) input.target.push_back(random_word(random));
    Matrix pattern(n_target, n_source);
    pattern.setConstant(Scalar(1) / static_cast<Scalar>(n_source));
    input.pattern = std::make_shared<const Matrix>(std::move(pattern));
    return input;
}

std::vector<CurveMark> curves_of(const Figure& figure) {
    std::vector<CurveMark> curves;
    for (const Mark& mark : figure.marks)
        if (const auto* curve = std::get_if<CurveMark>(&mark)) curves.push_back(*curve);
    return curves;
}

bool same_color(Color a, Color b) {
    return a.r == b.r && a.g == b.g && a.b == b.b;
}

}  // namespace

TEST_CASE("alignment: words apart, inside, each found at its place; one word to forty") {
    std::mt19937 random(11);
    for (const std::size_t n_source : {1, 2, 12, 40})
        for (const std::size_t n_target : {1, 7, 40})
            for (const float width : {120.f, 460.f, 1000.f}) {
                AlignmentInput input = make_input(n_source, n_target, random);
                input.width = width;
                input.query = static_cast<Index>(n_target / 2);
                const AlignmentFigure lines = alignment_figure(input, light(), fake_measure);
                INFO(n_source << " " << n_target << " " << width);
                CHECK(overlapping_texts(lines.figure) == "");
                CHECK(outside_mark(lines.figure) == "");
                for (std::size_t j = 0; j < n_source; ++j)
                    CHECK(lines.source_at(lines.sources[j].center()) == static_cast<Index>(j));
                for (std::size_t i = 0; i < n_target; ++i)
                    CHECK(lines.target_at(lines.targets[i].center()) == static_cast<Index>(i));
                CHECK(!lines.target_at(lines.sources[0].center()));
                CHECK(has_text(lines.figure, input.target[n_target / 2]));
            }
}

TEST_CASE("alignment: a curve for each weight, as wide as it is; what is looked at stands out") {
    AlignmentInput input;
    input.source = {"a", "b"};
    input.target = {"x", "y"};
    Matrix pattern(2, 2);
    pattern << Scalar(0.9), Scalar(0.1), 0, 1;
    input.pattern = std::make_shared<const Matrix>(pattern);
    input.color = {1, 2, 3};
    const auto curves = curves_of(alignment_figure(input, light(), fake_measure).figure);
    REQUIRE(curves.size() == 3);  // a weight of 0 has none
    CHECK(curves[0].width > 5 * curves[1].width);
    for (const CurveMark& curve : curves) CHECK(same_color(curve.color, input.color));
    input.query = 0;
    const auto chosen = curves_of(alignment_figure(input, light(), fake_measure).figure);
    CHECK(same_color(chosen[0].color, input.color));
    CHECK(same_color(chosen[1].color, light().selection));
    CHECK(same_color(chosen[2].color, light().selection));
}

TEST_CASE("alignment: no words and no pattern draw what there is") {
    std::mt19937 random(3);
    CHECK(alignment_figure({}, light(), fake_measure).figure.marks.empty());
    AlignmentInput input = make_input(3, 2, random);
    input.pattern = nullptr;
    const Figure figure = alignment_figure(input, light(), fake_measure).figure;
    CHECK(curves_of(figure).empty());
    CHECK(texts_of(figure).size() == 5);
}
