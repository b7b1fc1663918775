#include "figure/word_lines.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <utility>

#include "figure/marks.h"

namespace headlight::word_lines_test {
using namespace headlight::test;

namespace {

const Theme& light() {
    return theme_named(ThemeName::Light);
}

/// `n` words that read each other, mostly themselves.
WordLinesInput make_input(std::size_t n, std::size_t n_heads, std::mt19937& random) {
    WordLinesInput input;
    for (std::size_t k = 0; k < n; ++k) input.readers.push_back(random_word(random));
    input.read = input.readers;
    const auto size = static_cast<Index>(n);
    Matrix A = Matrix::Constant(size, size, Scalar(0.25) / static_cast<Scalar>(n));
    A.diagonal().array() += Scalar(0.75);
    for (std::size_t h = 0; h < n_heads; ++h)
        input.heads.push_back({std::make_shared<const Matrix>(A), head_color(light(), int(h)),
                               "head " + std::to_string(h)});
    return input;
}

WordLinesFigure paint(WordLinesInput input) {
    input.lines = choose_lines(input.heads, {.picked = input.picked});
    return columns_figure(input, light(), fake_measure);
}

std::size_t count_curves(const Figure& figure) {
    return static_cast<std::size_t>(
        std::count_if(figure.marks.begin(), figure.marks.end(),
                      [](const Mark& mark) { return std::holds_alternative<CurveMark>(mark); }));
}

WordLinesInput two_words() {
    WordLinesInput input;
    input.readers = input.read = {"The", "cat"};
    Matrix A(2, 2);
    A << 1, 0, Scalar(0.25), Scalar(0.75);
    input.heads = {{std::make_shared<const Matrix>(A), {0, 0, 200}, "head 0"}};
    return input;
}

}  // namespace

TEST_CASE("columns: words that need more than the page are thinned and counted") {
    std::mt19937 random(7);
    WordLinesInput input = make_input(1000, 2, random);
    input.width = 500;
    const WordLinesFigure whole = paint(input);
    CHECK(std::ranges::none_of(whole.figure.left_out,
                               [](const LeftOut& missing) { return !missing.is_cut; }));
    CHECK(whole.figure.height > 10'000);
    input.tallest = 800;
    input.picked.readers = {501};
    const WordLinesFigure page = paint(input);
    CHECK(page.figure.height <= 800.5f);
    REQUIRE_FALSE(page.figure.left_out.empty());
    CHECK(page.figure.left_out.front().what == std::string("words"));
    CHECK(page.figure.left_out.front().of == 1000);
    CHECK(page.figure.left_out.front().count > 900);
    CHECK(count_curves(page.figure) > 0);
    const bool has_picked = std::ranges::any_of(page.figure.marks, [&](const Mark& mark) {
        const auto* text = std::get_if<TextMark>(&mark);
        return text && text->text == input.readers[501] && text->font == Font::Bold;
    });
    CHECK(has_picked);
}

TEST_CASE(
    "columns: a difference of three heads has the numbers of each under the dot of the head") {
    std::mt19937 random(7);
    WordLinesInput input = make_input(4, 3, random);
    const std::vector<LinesOfHead> heads = std::exchange(input.heads, {});
    for (std::size_t h = 0; h < heads.size(); ++h) {
        Matrix above = Matrix::Zero(4, 4), below = above;
        above(0, 1) = Scalar(0.25) * static_cast<Scalar>(h + 1), below(0, 2) = Scalar(0.5);
        input.heads.push_back({std::make_shared<const Matrix>(above), light().positive,
                               heads[h].name, false, heads[h].color});
        input.heads.push_back({std::make_shared<const Matrix>(below), light().negative,
                               heads[h].name, true, heads[h].color});
    }
    input.picked.readers = {0};
    input.width = 700;
    CHECK(head_places(input) == std::vector<std::size_t>{0, 2, 4});
    CHECK(read_numbers(input, 4) == std::vector<Scalar>{0, Scalar(0.75), Scalar(-0.5), 0});
    REQUIRE(has_numbers_of_each_head(input));
    const auto dots = [](const Figure& figure) {
        std::vector<Color> colors;
        for (const Mark& mark : figure.marks)
            if (const auto* circle = std::get_if<CircleMark>(&mark)) colors.push_back(circle->fill);
        return colors;
    };
    const std::vector<Color> own{heads[0].color, heads[1].color, heads[2].color};
    CHECK(dots(paint(input).figure) == own);
    CHECK(dots(heads_legend(input, 700, light(), fake_measure)) == own);
}

TEST_CASE("columns: texts never overlap and stay inside, at any size and with any heads") {
    std::mt19937 random(5);
    for (const std::size_t n : {1, 2, 12, 60, 300})
        for (const std::size_t n_heads : {1, 4, 12})
            for (const float width : {260.f, 540.f, 800.f}) {
                WordLinesInput input = make_input(n, n_heads, random);
                input.width = width;
                input.height = 500;
                const auto word = static_cast<Index>(n / 2);
                input.picked = {{word}, {word}};
                const WordLinesFigure lines = paint(input);
                INFO(n << " words, " << n_heads << " heads, " << width);
                CHECK(overlapping_texts(lines.figure) == "");
                CHECK(outside_mark(lines.figure, 2) == "");
                for (std::size_t k = 0; k < n; ++k) {
                    CHECK(lines.reader_at(lines.readers[k].center()) == static_cast<Index>(k));
                    CHECK(lines.read_at(lines.read[k].center()) == static_cast<Index>(k));
                }
            }
}

TEST_CASE("columns: few words share the height, many make the figure taller") {
    std::mt19937 random(6);
    WordLinesInput input = make_input(20, 1, random);
    input.height = 500;
    CHECK(paint(input).figure.height <= 500);
    CHECK(paint(make_input(300, 1, random)).figure.height > 300 * 12);
}

TEST_CASE("columns: of a long text only the visible part is drawn, at the same places") {
    std::mt19937 random(7);
    WordLinesInput input = make_input(300, 1, random);
    input.height = 500;
    const WordLinesFigure all = paint(input);
    input.visible_top = 1000;
    input.visible_bottom = 1500;
    const WordLinesFigure some = paint(input);
    CHECK(some.figure.height == all.figure.height);
    CHECK(texts_of(some.figure).size() < 90);
    CHECK(texts_of(some.figure).size() > 60);
    CHECK(count_curves(some.figure) < count_curves(all.figure));
    CHECK(some.readers[100].y == all.readers[100].y);
}

TEST_CASE(
    "columns: the numbers at the words are the weights; for several words their sum or mean") {
    WordLinesInput input = two_words();
    input.picked = {{1}, {}};
    for (const char* number : {"0.25", "0.75"}) CHECK(has_text(paint(input).figure, number));
    input.picked = {{0, 1}, {}};
    for (const char* number : {"1.25", "0.75"}) CHECK(has_text(paint(input).figure, number));
    input.rows_as = RowsAs::Mean;
    CHECK(read_numbers(input, 0) == std::vector<Scalar>{Scalar(0.625), Scalar(0.375)});
    input.picked = {{}, {0}};
    CHECK(read_numbers(input, 0).empty());
    CHECK(reader_numbers(input, 0) == std::vector<Scalar>{1, Scalar(0.25)});
    input.picked = {};
    CHECK(!has_text(paint(input).figure, "0.25"));
}

TEST_CASE("columns: with too many heads a word shows its largest weight") {
    WordLinesInput input = two_words();
    for (int h = 1; h < 12; ++h) {
        Matrix A = Matrix::Constant(2, 2, Scalar(0.5));
        input.heads.push_back({std::make_shared<const Matrix>(A), {}, "head " + std::to_string(h)});
    }
    input.picked = {{1}, {}};
    CHECK(most_read_numbers(input) == std::vector<Scalar>{Scalar(0.5), Scalar(0.75)});
    CHECK(has_text(paint(input).figure, "0.75"));
    CHECK(!has_text(paint(input).figure, "0.25"));
}

TEST_CASE("notes: they say how many lines there are, and what their width and the numbers mean") {
    WordLinesInput input = two_words();
    input.lines = choose_lines(input.heads, {});
    using Notes = std::vector<std::string>;
    CHECK(line_notes(input) == Notes{"all 3 lines"});
    input.lines = choose_lines(input.heads, {.strongest_percent = 50, .picked = {}});
    CHECK(line_notes(input) == Notes{"2 of 3 lines, the strongest"});
    input.picked = {{1}, {1}};
    CHECK(line_notes(input)[1] == "thick: what “cat” reads");
    CHECK(line_notes(input)[2] == "thin: who reads “cat”");
    CHECK(line_notes(input)[3] == "numbers: weight");
    input.picked = {{0, 1}, {}};
    CHECK(line_notes(input)[1] == "thick: what “The”, “cat” read");
    CHECK(line_notes(input)[2] == "numbers: sum of “The”, “cat”");
    input.picked = {{0, 1}, {1}};
    CHECK(line_notes(input).back() ==
          "numbers: sum of “The”, “cat”, beside readers weight of “cat”");
}

TEST_CASE("notes: they say what was left out, and where its weight went") {
    WordLinesInput input = two_words();
    CHECK(left_out_note(input, LeftOutWeight::Missing) == "");
    input.left_out = {0};
    CHECK(left_out_note(input, LeftOutWeight::Missing) == "without “The”: rows sum to less than 1");
    CHECK(left_out_note(input, LeftOutWeight::SharedOut) == "without “The”: rows sum to 1 again");
}

TEST_CASE("notes: they are side by side while they fit, and never overlap") {
    const std::vector<std::string> notes{"all 144 lines", "", "thick: what “it” reads"};
    const Figure wide = notes_figure(notes, 800, light(), fake_measure);
    CHECK(texts_of(wide).size() == 1);
    const Figure narrow = notes_figure(notes, 160, light(), fake_measure);
    CHECK(texts_of(narrow).size() == 2);
    CHECK(overlapping_texts(narrow) == "");
    CHECK(narrow.height > wide.height);
}

}  // namespace headlight::word_lines_test
