#include "io/pictures/figure_pdf.h"

#include <chrono>
#include <doctest/doctest.h>
#include <thread>

#include "broken_input.h"
#include "figure/color_scale.h"
#include "figure/theme.h"
#include "io/pictures/figure_painter.h"

namespace headlight::figure_pdf_test {
namespace {

Figure labelled_heatmap(Index side) {
    Figure figure{200, 120, {}};
    figure.add(HeatmapMark{.box = {0, 0, 100, 100},
                           .values = std::make_shared<const Matrix>(Matrix::Identity(side, side)),
                           .scale = diverging_scale(theme_named(ThemeName::Light), 1)});
    figure.add(TextMark{{5, 115}, "softmax", 12, {0, 0, 0}});
    return figure;
}

int count(const std::string& text, std::string_view part) {
    int n = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
        ++n;
    return n;
}

}  // namespace

TEST_CASE("write_pdf: text is text, and its font is embedded") {
    const auto has_font = [](const std::string& pdf) {
        return contains(pdf, "/Type1C") || contains(pdf, "/CIDFontType0C") ||
               contains(pdf, "/Length1 ");
    };
    const std::string pdf = write_pdf(labelled_heatmap(4), {});
    CHECK(pdf.starts_with("%PDF-"));
    CHECK(has_font(pdf));
    CHECK_FALSE(has_font(write_pdf(Figure{100, 50, {}}, {})));
}

TEST_CASE("write_pdf: cells are shapes up to a limit, beyond it one image") {
    CHECK(count(write_pdf(labelled_heatmap(100), {}), "/Subtype /Image") == 0);
    CHECK(count(write_pdf(labelled_heatmap(101), {}), "/Subtype /Image") == 1);
    CHECK_FALSE(contains(write_pdf(labelled_heatmap(101), {}), "/Interpolate true"));
}

TEST_CASE("write_pdf: the same figure gives the same bytes at any time") {
    const std::string before = write_pdf(labelled_heatmap(5), {});
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // dates in it are in seconds
    CHECK(write_pdf(labelled_heatmap(5), {}) == before);
    CHECK(write_pdf(labelled_heatmap(5), {.scale = 2}) != before);
}

TEST_CASE("write_pdf: a page too large for readers is an error") {
    CHECK(contains(error_of([] { write_pdf(Figure{20000, 10, {}}, {}); }), "use up to 14400"));
    CHECK(contains(error_of([] { write_pdf(Figure{0, 10, {}}, {}); }), "is not possible"));
}

}  // namespace headlight::figure_pdf_test
