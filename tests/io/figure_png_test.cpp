#include <cairo.h>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <memory>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "figure/color_scale.h"
#include "figure/theme.h"
#include "io/pictures/figure_text.h"
#include "io/pictures/png_image.h"

namespace headlight::figure_png_test {
namespace {

struct Picture {
    int width = 0, height = 0;
    std::vector<Color> pixels;

    Color at(int x, int y) const { return pixels.at(static_cast<std::size_t>(y) * width + x); }
};

cairo_status_t read_bytes(void* rest, unsigned char* out, unsigned int size) {
    auto& bytes = *static_cast<std::string_view*>(rest);
    if (bytes.size() < size) return CAIRO_STATUS_READ_ERROR;
    std::memcpy(out, bytes.data(), size);
    bytes.remove_prefix(size);
    return CAIRO_STATUS_SUCCESS;
}

Picture decode(const std::string& png) {
    std::string_view rest = png;
    const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface(
        cairo_image_surface_create_from_png_stream(read_bytes, &rest), cairo_surface_destroy);
    REQUIRE(cairo_surface_status(surface.get()) == CAIRO_STATUS_SUCCESS);
    Picture picture{cairo_image_surface_get_width(surface.get()),
                    cairo_image_surface_get_height(surface.get()),
                    {}};
    const unsigned char* data = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x) {
            std::uint32_t p = 0;
            std::memcpy(&p, data + y * stride + 4 * x, 4);
            picture.pixels.push_back({static_cast<std::uint8_t>(p >> 16),
                                      static_cast<std::uint8_t>(p >> 8),
                                      static_cast<std::uint8_t>(p)});
        }
    return picture;
}

constexpr Color kWhite{255, 255, 255};

std::string png(const Figure& figure, float pixels_per_point, Color background) {
    return write_png(figure, {.scale = 1, .dpi = pixels_per_point * 72, .background = background});
}

Figure heatmap(const Matrix& values, float width, float height) {
    Figure figure{width, height, {}};
    HeatmapMark mark;
    mark.box = {0, 0, width, height};
    mark.values = std::make_shared<const Matrix>(values);
    mark.scale = diverging_scale(theme_named(ThemeName::Light), 1);
    figure.add(mark);
    return figure;
}

const HeatmapMark& cells_of(const Figure& figure) {
    return std::get<HeatmapMark>(figure.marks.at(0));
}

/// The number of pixels that differ from the background.
int inked(const Picture& picture) {
    int count = 0;
    for (Color pixel : picture.pixels) count += pixel != kWhite;
    return count;
}

}  // namespace

TEST_CASE("write_png: every cell has exactly the colour that value_color gives") {
    Matrix values = Matrix::Random(7, 5);
    values(2, 3) = kMasked;
    values(4, 1) = std::nanf("");
    const Figure figure = heatmap(values, 55, 77);
    for (int scale : {1, 2, 3}) {
        const Picture picture = decode(png(figure, static_cast<float>(scale), kWhite));
        CHECK(picture.width == 55 * scale);
        for (int y = 0; y < picture.height; ++y)
            for (int x = 0; x < picture.width; ++x)
                CHECK(picture.at(x, y) == value_color(cells_of(figure).scale,
                                                      values(y / (11 * scale), x / (11 * scale))));
    }
}

TEST_CASE("write_png: every pixel of a picture has exactly its colour") {
    const auto pixels = std::make_shared<const Pixels>(
        Pixels{2, 2, {250, 0, 0, 255, 0, 240, 0, 255, 0, 0, 230, 255, 7, 8, 9, 255}});
    Figure figure{40, 20, {}};
    figure.add(PictureMark{{0, 0, 40, 20}, pixels});
    const Picture picture = decode(png(figure, 1, kWhite));
    for (int y = 0; y < 20; ++y)
        for (int x = 0; x < 40; ++x) {
            const std::uint8_t* p = pixels->at(x / 20, y / 10);
            CHECK(picture.at(x, y) == Color{p[0], p[1], p[2]});
        }
}

TEST_CASE("write_png: zoomed out, a pixel shows the largest magnitude, never a mask over it") {
    Matrix values = Matrix::Constant(1000, 1000, Scalar(0.01));
    values(517, 333) = Scalar(-0.9);
    values(516, 333) = kMasked;
    values.block(0, 0, 40, 40).setConstant(kMasked);
    const Figure figure = heatmap(values, 100, 100);
    const Picture picture = decode(png(figure, 1, kWhite));
    const ColorScale& scale = cells_of(figure).scale;
    CHECK(picture.at(33, 51) == value_color(scale, Scalar(-0.9)));
    CHECK(picture.at(70, 70) == value_color(scale, Scalar(0.01)));
    CHECK(picture.at(1, 1) == value_color(scale, kMasked));
}

TEST_CASE("write_png: every kind of mark leaves ink where it is") {
    const Color red{200, 30, 30};
    const auto drawn = [](auto mark) {
        Figure figure{60, 40, {}};
        figure.add(std::move(mark));
        return decode(png(figure, 2, kWhite));
    };
    CHECK(drawn(RectMark{{10, 10, 20, 20}, red}).at(40, 40) == red);
    CHECK(drawn(RectMark{{10, 10, 20, 20}, red, {}, 0, 6}).at(20, 20) == kWhite);
    CHECK(drawn(CircleMark{{30, 20}, 10, red}).at(60, 40) == red);
    CHECK(drawn(LineMark{{0, 20}, {60, 20}, red, 2}).at(60, 40) == red);
    CHECK(drawn(CurveMark{{0, 20}, {20, 20}, {40, 20}, {60, 20}, red, 2}).at(60, 40) == red);
    CHECK(drawn(TriangleMark{{10, 10}, {50, 10}, {30, 35}, red}).at(60, 30) == red);
    for (Font font : {Font::Regular, Font::Bold, Font::Math, Font::Mono})
        CHECK(inked(drawn(TextMark{{5, 25}, "Привет √α₁", 10, red, font})) > 100);
    CHECK(inked(drawn(TextMark{{5, 25}, "", 10, red})) == 0);
}

TEST_CASE("write_png: aligned and rotated text is where the mark says") {
    const auto ink_left_of = [](Align align, float angle_deg) {
        Figure figure{200, 200, {}};
        figure.add(TextMark{{100, 100}, "wwww", 12, {0, 0, 0}, Font::Regular, align, angle_deg});
        const Picture picture = decode(png(figure, 1, kWhite));
        int left = 0, all = inked(picture);
        for (int y = 0; y < 200; ++y)
            for (int x = 0; x < 100; ++x) left += picture.at(x, y) != kWhite;
        return static_cast<double>(left) / all;
    };
    CHECK(ink_left_of(Align::Start, 0) < 0.05);
    CHECK(ink_left_of(Align::End, 0) > 0.95);
    CHECK(ink_left_of(Align::Middle, 0) == doctest::Approx(0.5).epsilon(0.2));
    CHECK(ink_left_of(Align::Start, 180) > 0.95);
}

TEST_CASE("write_png: the same figure gives the same bytes, invalid UTF-8 included") {
    Figure figure = heatmap(Matrix::Identity(9, 9), 90, 90);
    figure.width = 120;
    figure.add(TextMark{{10, 50}, "bad \xff\xfe bytes", 12, {0, 0, 0}});
    CHECK(png(figure, 1.5f, kWhite) == png(figure, 1.5f, kWhite));
    CHECK(png(figure, 1.5f, kWhite) != png(figure, 1.5f, {0, 0, 0}));
}

TEST_CASE("write_png: an impossible size is an error") {
    Figure figure{0, 10, {}};
    CHECK_THROWS_AS(png(figure, 1, kWhite), Error);
    figure.width = 40000;
    CHECK_THROWS_AS(png(figure, 1, kWhite), Error);
    figure.width = std::nanf("");
    CHECK_THROWS_AS(png(figure, 1, kWhite), Error);
}

TEST_CASE("pango_measure: width grows with text and size, and bold text is wider") {
    const auto measure = pango_measure();
    const float width = measure("attention", 12, Font::Regular);
    CHECK(width > 40);
    CHECK(width < 80);
    CHECK(measure("attention", 24, Font::Regular) == doctest::Approx(2 * width).epsilon(0.01));
    CHECK(measure("attention heads", 12, Font::Regular) > width);
    CHECK(measure("attention", 12, Font::Bold) > width);
    CHECK(measure("", 12, Font::Regular) == 0);
}

TEST_CASE("write_png: of a zoomed heatmap only the part within its frame is drawn") {
    Matrix values = Matrix::Constant(100, 100, -1);
    values(50, 60) = 1;
    Figure figure = heatmap(values, 100, 80);
    auto& mark = std::get<HeatmapMark>(figure.marks[0]);
    mark.box = {-550, -460, 1000, 1000};  // cells of 10 × 10
    mark.clip = {20, 10, 60, 60};
    const Picture picture = decode(png(figure, 1, kWhite));
    const Color high = mark.scale.colors.back(), low = mark.scale.colors.front();
    CHECK(picture.at(55, 45) == high);
    CHECK(picture.at(45, 45) == low);
    CHECK(picture.at(21, 11) == low);
    CHECK(picture.at(19, 45) == kWhite);
    CHECK(picture.at(81, 45) == kWhite);
    CHECK(picture.at(55, 71) == kWhite);
}

TEST_CASE("write_png: cells that share a pixel show their mean if requested") {
    Matrix values = Matrix::Constant(64, 64, Scalar(0.5));
    for (Index i = 0; i < 64; i += 2) values.row(i).setConstant(-1);
    Figure figure = heatmap(values, 8, 8);
    auto& mark = std::get<HeatmapMark>(figure.marks[0]);
    CHECK(decode(png(figure, 1, kWhite)).at(4, 4) == mark.scale.colors.front());
    mark.far_out = FarOut::Mean;
    CHECK(decode(png(figure, 1, kWhite)).at(4, 4) == value_color(mark.scale, Scalar(-0.25)));
}

TEST_CASE("write_png: the file states its resolution, and a scaled sheet has more pixels") {
    const Figure figure{100, 50, {}};
    const std::string bytes = write_png(figure, {.scale = 0.5f, .dpi = 300, .background = kWhite});
    const std::size_t at = bytes.find("pHYs");
    REQUIRE(at != std::string::npos);
    // 300 dpi are 11811 pixels a metre: 0x2E23; the unit 1 is the metre.
    CHECK(bytes.substr(at + 4, 9) == std::string("\0\0\x2E\x23\0\0\x2E\x23\x01", 9));
    CHECK(decode(bytes).width == 209);  // 50 points at 300 dpi
    CHECK(decode(bytes).height == 105);
}

TEST_CASE(
    "rasterize: a transparent background stays transparent, and colours on it are not darkened") {
    Figure figure{20, 10, {}};
    figure.add(RectMark{.box = {0, 0, 10, 10}, .fill = {200, 100, 50, 128}});
    const Pixels pixels =
        rasterize(figure, {.scale = 1, .dpi = 72, .background = {255, 255, 255, 0}});
    CHECK(pixels.at(15, 5)[3] == 0);
    CHECK(pixels.at(5, 5)[3] == 128);
    CHECK(std::abs(pixels.at(5, 5)[0] - 200) <= 1);
    CHECK(std::abs(pixels.at(5, 5)[1] - 100) <= 1);
}

TEST_CASE("write_png: the sign for an invisible character is fainter than the text around it") {
    const auto darkest = [](const std::string& text) {
        Figure figure{60, 40, {}};
        figure.add(TextMark{{10, 30}, text, 40, {0, 0, 0}});
        std::uint8_t least = 255;
        for (const Color color : decode(png(figure, 2, kWhite)).pixels)
            least = std::min(least, color.r);
        return static_cast<int>(least);
    };
    CHECK(darkest("l") == 0);
    CHECK(darkest("␣") == doctest::Approx(0.4 * 255).epsilon(0.03));
}

}  // namespace headlight::figure_png_test
