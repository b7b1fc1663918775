#include <algorithm>
#include <doctest/doctest.h>

#include "core/error.h"
#include "figure/color_scale.h"
#include "figure/figure_look.h"
#include "figure/marks.h"
#include "figure/tensor_figure.h"

namespace headlight::figure_type_test {
using namespace headlight::test;

namespace {

using Unit = FigureLength::Unit;

HeatmapInput pattern_of(const std::vector<std::string>& words) {
    const auto n = static_cast<Index>(words.size());
    HeatmapInput input;
    input.title = "A · head 0";
    input.formula = "A = softmax(S)";
    input.caption = "query ↓ reads key →";
    input.row_labels = input.column_labels = words;
    input.values = std::make_shared<const Matrix>(Matrix::Constant(n, n, Scalar(0.1)));
    input.scale = diverging_scale(theme_named(ThemeName::Light), 1);
    input.legend_name = "linear";
    return input;
}

std::vector<std::string> words_of(int n) {
    static const std::vector<std::string> kWords = {"The",   "animal", "did",    "not",
                                                    "cross", "the",    "street", "because",
                                                    "it",    "was",    "too",    "tired"};
    std::vector<std::string> words;
    for (int k = 0; k < n; ++k) words.push_back(kWords[static_cast<std::size_t>(k) % 12]);
    return words;
}

LaidOutFigure laid_out(int n_words, const FigureLook& look) {
    const HeatmapInput input = pattern_of(words_of(n_words));
    return lay_out_figure(
        look, [&](const FigureLook& typed) { return tensor_picture(input, typed, fake_measure); });
}

FigureLook look_of(FigureLength width, std::optional<FigureLength> type = {}) {
    FigureLook look;
    look.width = width;
    look.type = type;
    look.dpi = 300;
    return look;
}

float scale_of(const LaidOutFigure& figure) {
    return sheet_for(figure.figure, figure.look, {}).scale;
}

/// The printed sizes of the labels of rows and columns.
std::vector<float> printed_sizes(const LaidOutFigure& figure, const std::vector<std::string>& of) {
    std::vector<float> sizes;
    for (const TextMark& text : texts_of(figure.figure))
        for (const std::string& word : of)
            if (text.text == word) {
                sizes.push_back(text.size * scale_of(figure));
                break;
            }
    return sizes;
}

/// The number of labels, including shortened ones.
Index count_labels(const LaidOutFigure& figure) {
    const auto texts = texts_of(figure.figure);
    return std::count_if(texts.begin(), texts.end(), [](const TextMark& text) {
        return text.size == kLabelType && text.color == theme_named(ThemeName::Light).text;
    });
}

/// Labels, not those that are there but cut.
Index count_left_out(const LaidOutFigure& figure) {
    Index n = 0;
    for (const LeftOut& missing : figure.figure.left_out)
        if (!missing.is_cut) n += missing.count;
    return n;
}

std::string error_of(const FigureLook& look) {
    try {
        laid_out(12, look);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("type: twelve words at 85 mm and 7 pt have all labels of rows and columns, at 7 pt") {
    const auto figure = laid_out(12, look_of({Unit::Millimetres, 85}, {{Unit::Points, 7}}));
    const auto sizes = printed_sizes(figure, words_of(12));
    CHECK(sizes.size() == 24);
    for (const float size : sizes) CHECK(size == doctest::Approx(7).epsilon(0.001));
    CHECK(figure.note == "");
    CHECK(overlapping_texts(figure.figure) == "");
    CHECK(outside_mark(figure.figure) == "");
}

TEST_CASE("type: the printed font size and width are those requested") {
    for (const float width : {60.0f, 85.0f, 120.5f, 180.0f, 400.0f})
        for (const float type : {4.0f, 5.5f, 7.0f, 8.0f, 11.0f})
            for (const int n : {1, 2, 5, 12, 24, 60}) {
                INFO(width << " mm, " << type << " pt, " << n << " words");
                const auto figure =
                    laid_out(n, look_of({Unit::Millimetres, width}, {{Unit::Points, type}}));
                CHECK(scale_of(figure) * figure.figure.width / 72 * 25.4f ==
                      doctest::Approx(width).epsilon(0.001));
                const auto sizes = printed_sizes(figure, words_of(n));
                CHECK(!sizes.empty());
                for (const float size : sizes) CHECK(size == doctest::Approx(type).epsilon(0.001));
                CHECK(count_labels(figure) + count_left_out(figure) == 2 * n);
                CHECK(figure.note.empty() == figure.figure.left_out.empty());
                CHECK(overlapping_texts(figure.figure) == "");
                CHECK(outside_mark(figure.figure) == "");
            }
}

TEST_CASE(
    "type: with words for rows and numbers for columns all words are shown, and cells become "
    "taller") {
    HeatmapInput input = pattern_of(words_of(20));
    input.column_labels.clear();
    for (int k = 0; k < 48; ++k) input.column_labels.push_back(std::to_string(k));
    input.values = std::make_shared<const Matrix>(Matrix::Constant(20, 48, Scalar(0.1)));
    const FigureLook look = look_of({Unit::Millimetres, 85}, {{Unit::Points, 7}});
    const auto figure = lay_out_figure(
        look, [&](const FigureLook& typed) { return tensor_picture(input, typed, fake_measure); });
    CHECK(printed_sizes(figure, words_of(12)).size() == 20);
    CHECK(figure.note == "");
    CHECK(overlapping_texts(figure.figure) == "");
}

TEST_CASE("type: font sizes in millimetres and pixels hold on paper, too") {
    const auto mm = laid_out(5, look_of({Unit::Millimetres, 85}, {{Unit::Millimetres, 2.5f}}));
    CHECK(scale_of(mm) * kLabelType == doctest::Approx(2.5 / 25.4 * 72).epsilon(0.001));
    const auto pixels = laid_out(5, look_of({Unit::Pixels, 1200}, {{Unit::Pixels, 30}}));
    CHECK(scale_of(pixels) * kLabelType == doctest::Approx(7.2).epsilon(0.001));
    FigureLook only_type;
    only_type.type = {Unit::Points, 7};
    CHECK(scale_of(laid_out(5, only_type)) == doctest::Approx(0.7));
}

TEST_CASE("type: omitted labels are reported, with the font size that has room for all") {
    const auto figure = laid_out(24, look_of({Unit::Millimetres, 85}, {{Unit::Points, 9}}));
    CHECK(figure.note.starts_with("left out at 9pt: "));
    CHECK(figure.note.find("of 24 column labels") != std::string::npos);
    const auto at = figure.note.find("; all fit at --type ");
    REQUIRE(at != std::string::npos);
    const float fits = std::stof(figure.note.substr(at + 20));
    const FigureLength millimetres{Unit::Millimetres, 85};
    CHECK(laid_out(24, look_of(millimetres, {{Unit::Points, fits}})).note == "");
    CHECK(laid_out(24, look_of(millimetres, {{Unit::Points, fits + 0.5f}})).note != "");
    const auto hopeless = laid_out(300, look_of(millimetres, {{Unit::Points, 7}}));
    CHECK(hopeless.note.ends_with("choose a larger --width"));
}

TEST_CASE("type: for a width alone it is 8 pt, or as large as fits all labels, down to 5 pt") {
    const auto few = laid_out(5, look_of({Unit::Millimetres, 85}));
    CHECK(scale_of(few) * kLabelType == doctest::Approx(8).epsilon(0.001));
    const auto many = laid_out(20, look_of({Unit::Millimetres, 85}));
    const float type = scale_of(many) * kLabelType;
    CHECK(type < 8);
    CHECK(type > 4.99f);
    CHECK(many.figure.left_out.empty());
    FigureLook larger = many.look;
    larger.type->value += 0.5f;
    CHECK(!laid_out(20, larger).figure.left_out.empty());
    CHECK(scale_of(laid_out(300, look_of({Unit::Millimetres, 85}))) * kLabelType > 4.99f);
}

TEST_CASE("type: a space of 241 × 241 points keeps all twelve labels of rows and columns") {
    FigureLook look;
    look.room = Point{241, 241};
    const auto figure = laid_out(12, look);
    CHECK(printed_sizes(figure, words_of(12)).size() == 24);
    CHECK(figure.figure.left_out.empty());
    CHECK(scale_of(figure) * figure.figure.width == doctest::Approx(241).epsilon(0.001));
    CHECK(scale_of(figure) * figure.figure.height == doctest::Approx(241).epsilon(0.001));
}

TEST_CASE("type: labels without any room are an error that names the option") {
    const FigureLength tiny{Unit::Millimetres, 5};
    CHECK(error_of(look_of(tiny, {{Unit::Points, 12}})) ==
          "[--type] labels of 12pt need a figure that is at least 60mm wide; this one is 5mm wide");
    CHECK(error_of(look_of(tiny, {{Unit::Points, 5.5f}}))
              .starts_with("[--type] labels of 5.5pt need a figure"));
    CHECK(error_of(look_of(tiny)) ==
          "[--width] labels of 5pt need a figure that is at least 25mm wide");
    FigureLook low = look_of({Unit::Millimetres, 85}, {{Unit::Points, 7}});
    low.room = Point{400, 40};
    CHECK(error_of(low).starts_with(
        "[--type] labels of 7pt have no room at this --size; make it taller"));
    low.type = std::nullopt;
    low.room = Point{600, 40};
    CHECK(error_of(low).starts_with(
        "[--size] labels of 5pt have no room at this --size; make it taller"));
}

TEST_CASE("type: in a low space the text becomes smaller before the picture loses its height") {
    FigureLook look = look_of({Unit::Millimetres, 85});
    look.room = Point{600, 200};
    const auto figure = laid_out(12, look);
    CHECK(figure.figure.height > 149);
    CHECK(figure.note.find("1 of 1 legends") != std::string::npos);
    CHECK(overlapping_texts(figure.figure) == "");
    CHECK(outside_mark(figure.figure) == "");
}

}  // namespace headlight::figure_type_test
