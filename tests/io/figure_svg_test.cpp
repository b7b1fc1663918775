#include "io/pictures/figure_svg.h"

#include <doctest/doctest.h>
#include <glib.h>
#include <map>
#include <memory>

#include "broken_input.h"
#include "figure/color_scale.h"
#include "figure/theme.h"
#include "io/pictures/figure_painter.h"
#include "text/utf8.h"

namespace headlight::figure_svg_test {
namespace {

/// The result of an XML parser.
struct Parsed {
    std::map<std::string, int> elements;
    std::string text, problem;
};

void begin_element(GMarkupParseContext*, const gchar* name, const gchar**, const gchar**,
                   gpointer parsed, GError**) {
    ++static_cast<Parsed*>(parsed)->elements[name];
}

void take_text(GMarkupParseContext*, const gchar* text, gsize size, gpointer parsed, GError**) {
    static_cast<Parsed*>(parsed)->text.append(text, size);
}

Parsed parse(const std::string& xml) {
    Parsed parsed;
    const GMarkupParser parser{begin_element, nullptr, take_text, nullptr, nullptr};
    const std::unique_ptr<GMarkupParseContext, void (*)(GMarkupParseContext*)> context(
        g_markup_parse_context_new(&parser, GMarkupParseFlags(0), &parsed, nullptr),
        g_markup_parse_context_free);
    GError* error = nullptr;
    if (!g_markup_parse_context_parse(context.get(), xml.data(), gssize(xml.size()), &error) ||
        !g_markup_parse_context_end_parse(context.get(), &error)) {
        parsed.problem = error->message;
        g_error_free(error);
    }
    return parsed;
}

Figure heatmap(Index rows, Index columns) {
    Figure figure{200, 100, {}};
    figure.add(HeatmapMark{.box = {0, 0, 200, 100},
                           .values = std::make_shared<const Matrix>(Matrix::Random(rows, columns)),
                           .scale = diverging_scale(theme_named(ThemeName::Light), 1),
                           .grid_width = 1});
    return figure;
}

Figure text(const std::string& words) {
    Figure figure{100, 20, {}};
    figure.add(TextMark{{5, 15}, words, 12, {0, 0, 0}});
    return figure;
}

}  // namespace

TEST_CASE("write_svg: every kind of mark becomes an element, and a parser accepts the file") {
    const Color red{200, 30, 30, 128};
    Figure figure{120, 80, {}};
    figure.add(RectMark{{1, 2, 30, 20}, red, {0, 0, 0}, 1.5f, 4});
    figure.add(CircleMark{{30, 20}, 10, red});
    figure.add(LineMark{{0, 20}, {60, 20}, red, 2});
    figure.add(CurveMark{{0, 20}, {20, 20}, {40, 20}, {60, 20}, red, 2});
    figure.add(TriangleMark{{10, 10}, {50, 10}, {30, 35}, red});
    for (Font font : {Font::Regular, Font::Bold, Font::Math, Font::Mono})
        figure.add(TextMark{{5, 25}, "softmax", 10, red, font, Align::End, -45});
    figure.add(
        PictureMark{{1, 2, 10, 5}, std::make_shared<const Pixels>(Pixels{1, 1, {1, 2, 3, 255}})});
    const std::string svg = write_svg(figure, {});
    const Parsed parsed = parse(svg);
    CHECK(parsed.problem == "");
    CHECK(parsed.elements.at("rect") == 2);  // one is the background
    CHECK(parsed.elements.at("circle") == 1);
    CHECK(parsed.elements.at("path") == 3);
    CHECK(parsed.elements.at("text") == 4);
    CHECK(parsed.elements.at("image") == 1);
    CHECK(contains(svg, "fill=\"#c81e1e\" fill-opacity=\"0.502\""));
    CHECK(contains(svg, "transform=\"rotate(-45 5 25)\""));
    CHECK(contains(svg, "font-style=\"italic\""));
    CHECK(contains(svg, "text-anchor=\"end\""));
}

TEST_CASE("write_svg: text stays text, whatever it contains") {
    const std::string words = "<a href=\"x\">&amp;</a> ]]> 'q'";
    const Parsed parsed = parse(write_svg(text(words), {}));
    CHECK(parsed.problem == "");
    CHECK(contains(parsed.text, words));
    const Parsed controls =
        parse(write_svg(text(std::string("a\x01\x00\x1b[0mb\xff\xfe", 10)), {}));
    CHECK(controls.problem == "");
    CHECK(contains(controls.text, "a▯▯▯[0mb\uFFFD"));
    CHECK(parse("<svg><text>a & b</text></svg>").problem != "");
}

TEST_CASE("write_svg: a control character is a sign in its place") {
    for (char32_t c = 0; c < 0xA0; ++c) {
        if (!is_control(c) || c == '\t' || c == '\n') continue;
        CAPTURE(static_cast<int>(c));
        const Parsed parsed = parse(write_svg(text("a" + encode_code_point(c) + "b"), {}));
        CHECK(parsed.problem == "");
        CHECK(parsed.text.find("a▯b") != std::string::npos);
    }
    CHECK(parse(write_svg(text("a\uFFFEb"), {})).text.find("a�b") != std::string::npos);
}

TEST_CASE("write_svg: blanks at the ends of a text, and two of them, are kept") {
    for (const char* text : {" / √d", "A = ", "A  ·  now", "one two"}) {
        Figure figure{100, 20, {}};
        figure.add(TextMark{{0, 10}, text});
        const std::string svg = write_svg(figure, {.scale = 1, .dpi = 72, .background = {}});
        const bool is_kept = svg.find("xml:space=\"preserve\" fill") != std::string::npos;
        CHECK(is_kept == (std::string(text) != "one two"));
    }
}

TEST_CASE("write_svg: cells are rectangles up to a limit, beyond it one sharp image") {
    const Parsed few = parse(write_svg(heatmap(100, 100), {}));
    CHECK(few.problem == "");
    CHECK(few.elements.at("rect") == kMostVectorCells + 1);
    CHECK(few.elements.count("image") == 0);
    const std::string svg = write_svg(heatmap(101, 100), {});
    const Parsed many = parse(svg);
    CHECK(many.problem == "");
    CHECK(many.elements.at("image") == 1);
    CHECK(many.elements.at("rect") == 1);
    CHECK(contains(svg, "image-rendering:pixelated"));
    CHECK(contains(svg, "data:image/png;base64,iVBORw0KGgo"));
}

TEST_CASE("write_svg: a zoomed heatmap is clipped to its frame") {
    Figure figure = heatmap(40, 40);
    std::get<HeatmapMark>(figure.marks[0]).clip = {20, 20, 50, 25};
    const Parsed parsed = parse(write_svg(figure, {}));
    CHECK(parsed.elements.at("clipPath") == 1);
    CHECK(parsed.elements.at("rect") < 1600);
}

TEST_CASE("write_svg: it has the size of the sheet, and its background or none") {
    const Figure figure = text("a");
    CHECK(contains(write_svg(figure, {.scale = 2}),
                   "width=\"200pt\" height=\"40pt\" viewBox=\"0 0 100 20\""));
    CHECK(contains(write_svg(figure, {.background = {1, 2, 3}}), "fill=\"#010203\""));
    CHECK_FALSE(contains(write_svg(figure, {.background = {1, 2, 3, 0}}), "<rect"));
    CHECK(write_svg(figure, {}) == write_svg(figure, {}));
}

}  // namespace headlight::figure_svg_test
