#include "figure/picture_scales.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>

#include "figure/color.h"
#include "figure/legend.h"
#include "figure/marks.h"
#include "traces.h"

namespace headlight::picture_scales_test {
using namespace headlight::test;

namespace {

const Theme& light() {
    return theme_named(ThemeName::Light);
}

Tensor tensor_of(Quantity quantity, const Matrix& values) {
    const Location attention{.component = ComponentKind::Attention, .layer = 0};
    Named named = attention.of_head(1).at(Role::Pattern);
    return tensor_with({.path = std::move(named.path),
                        .identity = named.identity,
                        .symbol = "A",
                        .equation = "",
                        .rows = {.kind = AxisKind::Query, .size = values.rows()},
                        .columns = {.kind = AxisKind::Key, .size = values.cols()},
                        .quantity = quantity},
                       values);
}

MatrixColors colors_of(const PictureScales& scales, const Tensor& tensor) {
    return scales.colors(tensor, tensor.value, light());
}

}  // namespace

TEST_CASE(
    "picture scales: by default probabilities go from 0 to 1, and signed values are symmetric") {
    const PictureScales scales;
    const Matrix values = Matrix::Constant(2, 3, Scalar(0.2));
    const MatrixColors pattern = colors_of(scales, tensor_of(Quantity::Probability, values));
    CHECK(pattern.scale.low == 0);
    CHECK(pattern.scale.high == 1);
    CHECK(pattern.scale.colors.back() == head_color(light(), 1));
    CHECK(pattern.legend == "probability, linear");
    const MatrixColors scores = colors_of(scales, tensor_of(Quantity::Signed, values));
    CHECK(scores.scale.low == -scores.scale.high);
    CHECK(scores.scale.high == doctest::Approx(0.2));
}

TEST_CASE(
    "picture scales: a log scale of probabilities begins below a hundredth of a uniform weight") {
    PictureScales scales;
    scales.of(Quantity::Probability).scale = PictureSettings::Scale::Log;
    Matrix values = Matrix::Zero(1, 20);
    const Tensor tensor = tensor_of(Quantity::Probability, values);
    const MatrixColors colors = colors_of(scales, tensor);
    CHECK(colors.scale.floor == doctest::Approx(1e-4));
    CHECK(colors.legend == "probability, log from 0.0001");
    CHECK(color_index(colors.scale, 0) == 0);
    CHECK(color_index(colors.scale, Scalar(1e-4)) == 0);
    CHECK(color_index(colors.scale, Scalar(0.01)) == 128);
    CHECK(color_index(colors.scale, 1) == 255);
    CHECK(value_color(colors.scale, kMasked) == colors.scale.masked_color);
    // Signed values: both ways from 0, and the smallest look like 0.
    scales.of(Quantity::Signed).scale = PictureSettings::Scale::Log;
    values(0, 0) = -1;
    const MatrixColors both = colors_of(scales, tensor_of(Quantity::Signed, values));
    CHECK(color_index(both.scale, -1) == 0);
    CHECK(color_index(both.scale, 1) == 255);
    CHECK(position_in(both.scale, 0) == doctest::Approx(0.5));
    CHECK(position_in(both.scale, Scalar(-0.03162)) == doctest::Approx(0.25).epsilon(0.001));
}

TEST_CASE("picture scales: \"per row\" scales each row by its largest value") {
    PictureScales scales;
    scales.of(Quantity::Signed).scale = PictureSettings::Scale::PerRow;
    Matrix values(4, 3);
    values << 1, -4, 2,                        //
        0, 0, 0,                               //
        kMasked, Scalar(0.01), std::nanf(""),  //
        1, 2, std::numeric_limits<Scalar>::infinity();
    const MatrixColors colors = colors_of(scales, tensor_of(Quantity::Signed, values));
    CHECK(colors.legend.starts_with("per row"));
    CHECK((*colors.values)(0, 1) == -1);
    CHECK((*colors.values)(0, 2) == Scalar(0.5));
    CHECK((*colors.values)(1, 1) == 0);
    CHECK((*colors.values)(2, 0) == kMasked);
    CHECK((*colors.values)(2, 1) == 1);
    CHECK(std::isnan((*colors.values)(2, 2)));
    CHECK((*colors.values)(3, 1) == 1);
    CHECK(colors.scale.low == -1);
    CHECK(colors.scale.high == 1);
}

TEST_CASE("picture scales: a computed scale is cached, and forgotten with its matrix") {
    PictureScales scales;
    scales.of(Quantity::Amount).scale = PictureSettings::Scale::PerRow;
    Tensor tensor = tensor_of(Quantity::Amount, Matrix::Constant(2, 2, 3));
    const MatrixPtr first = colors_of(scales, tensor).values;
    CHECK(colors_of(scales, tensor).values == first);
    tensor.value = std::make_shared<const Matrix>(Matrix::Constant(2, 2, 8));
    scales.of(Quantity::Amount).scale = PictureSettings::Scale::Linear;
    CHECK(colors_of(scales, tensor).scale.high == 8);
}

TEST_CASE("picture scales: ranges are fitted or fixed; an empty one is refused") {
    PictureScales scales;
    PictureSettings& settings = scales.of(Quantity::Probability);
    const Tensor tensor = tensor_of(Quantity::Probability, Matrix::Constant(2, 3, Scalar(0.21)));
    settings.range = PictureSettings::Range::Fitted;
    CHECK(colors_of(scales, tensor).scale.high == doctest::Approx(0.25));
    settings.range = PictureSettings::Range::Fixed;
    settings.low = Scalar(0.1);
    settings.high = Scalar(0.3);
    CHECK(colors_of(scales, tensor).scale.low == Scalar(0.1));
    CHECK(colors_of(scales, tensor).scale.high == Scalar(0.3));
    settings.high = Scalar(0.1);
    CHECK(colors_of(scales, tensor).scale.high == 1);
    // One quantity does not affect the others, and masks have no settings.
    CHECK(colors_of(scales, tensor_of(Quantity::Signed, Matrix::Ones(1, 1))).scale.low == -1);
    scales.of(Quantity::Mask).scale = PictureSettings::Scale::Log;
    CHECK(colors_of(scales, tensor_of(Quantity::Mask, Matrix::Zero(2, 2))).scale.steps ==
          ColorScale::Steps::Linear);
}

TEST_CASE("picture scales: where 0 is dark, masked cells look neither like it nor like a value") {
    Matrix values = Matrix::Zero(2, 2), mask = Matrix::Zero(4, 4);
    values(0, 0) = 1;
    mask(0, 2) = mask(0, 3) = mask(1, 2) = mask(1, 3) = mask(3, 0) = kMasked;
    const Tensor tensor = tensor_of(Quantity::Probability, values);
    const auto closing = std::make_shared<const Matrix>(mask);
    const auto difference = [](Color a, Color b) {
        const OkLab p = oklab_from(a), q = oklab_from(b);
        return std::hypot(p.L - q.L, p.a - q.a, p.b - q.b);
    };
    int n_dark = 0;
    for (const ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Contrast})
        for (const ColorMap& map : sequential_maps()) {
            CAPTURE(map.name);
            PictureScales scales;
            scales.of(Quantity::Probability).colors = map.name;
            const MatrixColors colors =
                scales.colors(tensor, tensor.value, theme_named(name), closing);
            const bool is_dark = oklab_from(map.anchors.front()).L < 0.5;
            CHECK(scales.has_dark_zero(Quantity::Probability) == is_dark);
            if (!is_dark) {
                CHECK(colors.values == tensor.value);
                continue;
            }
            ++n_dark;
            CHECK((*colors.values)(0, 1) == kMasked);  // all of its block is closed
            CHECK((*colors.values)(1, 0) == 0);
            CHECK(colors.legend == "probability, linear; masked: light");
            const Color masked = value_color(colors.scale, kMasked);
            CHECK(difference(masked, colors.scale.colors.front()) > 0.5);
            for (const Color& color : colors.scale.colors) CHECK(difference(masked, color) > 0.07);
            const auto open = std::make_shared<const Matrix>(Matrix::Zero(4, 4));
            CHECK(scales.colors(tensor, tensor.value, theme_named(name), open).values ==
                  tensor.value);
        }
    CHECK(n_dark >= 9);
}

TEST_CASE(
    "color maps: lightness changes monotonically in even steps; the ends of signed ones differ") {
    REQUIRE(sequential_maps().size() >= 3);
    for (const ColorMap& map : sequential_maps()) {
        CAPTURE(map.name);
        const std::vector<Color> colors = sequential_colors(map);
        REQUIRE(colors.size() == 256);
        CHECK(colors.front() == map.anchors.front());
        CHECK(colors.back() == map.anchors.back());
        const auto lightness = [&](int k) { return oklab_from(colors[k]).L; };
        const double step = (lightness(255) - lightness(0)) / 16;
        // Whoever sees only light and dark sees the order of the values.
        for (int k = 3; k < 256; ++k) CHECK((lightness(k) - lightness(k - 3)) * step > 0);
        for (int k = 16; k < 256 && map.steps == ColorMap::Steps::Lightness; k += 16)
            CHECK((lightness(k) - lightness(k - 16)) / step == doctest::Approx(1).epsilon(0.1));
    }
    REQUIRE(diverging_maps().size() >= 2);
    for (const ColorMap& map : diverging_maps()) {
        CAPTURE(map.name);
        REQUIRE(map.anchors.size() % 2 == 1);
        const OkLab low = oklab_from(map.anchors.front()), high = oklab_from(map.anchors.back());
        // People without red or green cones see lightness, and blue against yellow.
        CHECK(std::hypot(low.b - high.b, low.L - high.L) > 0.12);
        CHECK(diverging_colors(map)[0] == map.anchors.front());
        CHECK(diverging_colors(map)[255] == map.anchors.back());
    }
}

TEST_CASE("color maps: those with published names are the published ones") {
    struct Published {
        const char* name;
        std::array<const char*, 6> colors;  // at these of 256
    };
    constexpr std::array<std::size_t, 6> kAt = {0, 40, 100, 128, 200, 255};
    for (const Published& published :
         {Published{"Viridis", {"#440154", "#453781", "#2a768e", "#21918c", "#70cf57", "#fde725"}},
          Published{"Magma", {"#000004", "#29115a", "#892881", "#b73779", "#fd9869", "#fcfdbf"}},
          Published{"Blues", {"#f7fbff", "#d8e7f5", "#97c6df", "#6aaed6", "#1a68ae", "#08306b"}},
          Published{"Greys", {"#ffffff", "#eaeaea", "#b8b8b8", "#959595", "#464646", "#000000"}},
          Published{"Cividis", {"#00224e", "#273e6e", "#656870", "#7d7c78", "#c4b468", "#fee838"}},
          Published{"RdBu", {"#67001f", "#c6413e", "#fcd7c2", "#f6f7f7", "#4f9bc7", "#053061"}}}) {
        const ColorMap* of_one_sign = find_map(sequential_maps(), published.name);
        const ColorMap* map =
            of_one_sign ? of_one_sign : find_map(diverging_maps(), published.name);
        REQUIRE(map != nullptr);
        const std::vector<Color> colors =
            of_one_sign ? sequential_colors(*map) : diverging_colors(*map);
        for (std::size_t k = 0; k < kAt.size(); ++k) {
            CAPTURE(published.name);
            CAPTURE(kAt[k]);
            const Color ours = colors[kAt[k]], theirs = parse_color(published.colors[k]);
            CHECK(std::abs(ours.r - theirs.r) <= 2);
            CHECK(std::abs(ours.g - theirs.g) <= 2);
            CHECK(std::abs(ours.b - theirs.b) <= 2);
        }
    }
}

TEST_CASE("legend: a log scale has powers of ten, a signed one 0 in its middle") {
    PictureScales scales;
    for (const Quantity quantity : {Quantity::Probability, Quantity::Signed})
        scales.of(quantity).scale = PictureSettings::Scale::Log;
    const auto legend_of = [&](Quantity quantity) {
        Figure figure{120, 240, {}};
        const MatrixColors colors =
            colors_of(scales, tensor_of(quantity, Matrix::Constant(3, 12, 1)));
        add_legend(figure, {{10, 20, 80, 200}, colors.scale, colors.legend}, light(), fake_measure);
        return figure;
    };
    for (const char* text : {"1", "0.1", "0.01", "0.001", "0.0001"})
        CHECK(has_text(legend_of(Quantity::Probability), text));
    for (const char* text : {"−1", "0", "1"}) CHECK(has_text(legend_of(Quantity::Signed), text));
}

TEST_CASE("legend: a mask of only 0 and −∞ has two swatches and no numbers between") {
    const PictureScales scales;
    Matrix mask = Matrix::Zero(3, 3);
    mask(0, 2) = kMasked;
    const auto legend_of = [&](LegendInput::Direction direction) {
        Figure figure{120, 240, {}};
        const MatrixColors colors = colors_of(scales, tensor_of(Quantity::Mask, mask));
        add_legend(figure, {{10, 20, 80, 200}, colors.scale, colors.legend, direction}, light(),
                   fake_measure);
        return figure;
    };
    const ColorScale scale = colors_of(scales, tensor_of(Quantity::Mask, mask)).scale;
    CHECK(value_color(scale, 0) == light().zero);
    CHECK(value_color(scale, kMasked) == light().masked);
    for (const auto direction : {LegendInput::Direction::Upright, LegendInput::Direction::Lying}) {
        for (const char* text : {"0 open", "−∞ closed"})
            CHECK(has_text(legend_of(direction), text));
        CHECK(!has_text(legend_of(direction), "1.0"));
    }
    mask(1, 1) = -2;
    CHECK(has_text(legend_of(LegendInput::Direction::Upright), "−2"));
}

}  // namespace headlight::picture_scales_test
