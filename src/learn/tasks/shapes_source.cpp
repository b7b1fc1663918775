#include "learn/tasks/shapes_source.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace headlight {
namespace {

constexpr int kHeldOut = 1000;
constexpr int kLines = 3, kSpeckles = 10;
constexpr double kDarkest = 0.35;  // the brightest channel of a ground
constexpr double kNoise = 0.08;
constexpr double kSmallest = 4, kLargest = 6.5;  // radius of an object, in pixels

using Rgb = std::array<double, 3>;

double real_between(Random& random, double low, double high) {
    return low + (high - low) * random.share();
}

Rgb bright(Random& random) {
    Rgb color;
    for (double& channel : color) channel = real_between(random, 0.15, 1);
    const double scale = real_between(random, 0.75, 1) / *std::ranges::max_element(color);
    for (double& channel : color) channel *= scale;
    return color;
}

/// Pixels that are being painted; the centre of pixel (row, column) is half a pixel inside it.
struct Canvas {
    std::vector<Rgb> pixels = std::vector<Rgb>(kShapeSide * kShapeSide);

    /// Paints in that colour, wherever covers(x, y).
    void paint(const Rgb& color, const auto& covers) {
        for (int row = 0; row < kShapeSide; ++row)
            for (int column = 0; column < kShapeSide; ++column)
                if (covers(column + 0.5, row + 0.5))
                    pixels[static_cast<std::size_t>(row * kShapeSide + column)] = color;
    }
};

void paint_line(Canvas& canvas, Random& random) {
    const Rgb color = bright(random);
    const double angle = real_between(random, 0, std::numbers::pi);
    const double x0 = real_between(random, 0, kShapeSide), y0 = real_between(random, 0, kShapeSide);
    const double half_length = real_between(random, 3, 8);
    const double right = std::cos(angle), down = std::sin(angle);
    canvas.paint(color, [&](double x, double y) {
        const double across = (x - x0) * down - (y - y0) * right;
        const double along = (x - x0) * right + (y - y0) * down;
        return std::abs(across) < 0.5 && std::abs(along) < half_length;
    });
}

void paint_ground(Canvas& canvas, Random& random) {
    Rgb ground;
    for (double& channel : ground) channel = real_between(random, 0, kDarkest);
    std::ranges::fill(canvas.pixels, ground);
    for (int k = 0; k < kLines; ++k) paint_line(canvas, random);
    for (int k = 0; k < kSpeckles; ++k) {
        const auto at = static_cast<std::size_t>(random.below(std::ssize(canvas.pixels)));
        canvas.pixels[at] = bright(random);
    }
}

/// True inside an object of radius 1 in the middle; y points down.
bool covers(Index shape, double x, double y) {
    switch (shape) {
        case 0:
            return x * x + y * y < 1;
        case 1:
            return std::max(std::abs(x), std::abs(y)) < 0.88;
        case 2:
            return y < 0.8 && y + 1 > 1.8 * std::abs(x);
        default:
            return std::min(std::abs(x), std::abs(y)) < 0.33 &&
                   std::max(std::abs(x), std::abs(y)) < 1;
    }
}

}  // namespace

ShapePicture draw_shape(Random& random) {
    Canvas canvas;
    paint_ground(canvas, random);
    ShapePicture picture;
    picture.example.shown = random.below(4);
    const Rgb color = bright(random);
    const double radius = real_between(random, kSmallest, kLargest);
    const double x0 = real_between(random, radius, kShapeSide - radius);
    const double y0 = real_between(random, radius, kShapeSide - radius);
    const auto is_inside = [&](double x, double y) {
        return covers(picture.example.shown, (x - x0) / radius, (y - y0) / radius);
    };
    canvas.paint(color, is_inside);
    for (int row = 0; row < kShapeSide; ++row)
        for (int column = 0; column < kShapeSide; ++column)
            picture.is_object.push_back(is_inside(column + 0.5, row + 0.5));
    for (const Rgb& pixel : canvas.pixels)
        for (const double channel : pixel) {
            const double noisy = channel + real_between(random, -kNoise, kNoise);
            picture.example.pixels.push_back(
                static_cast<float>(std::round(std::clamp(noisy, 0.0, 1.0) * 100) / 100));
        }
    return picture;
}

std::vector<ShapePicture> held_out_shapes(int count) {
    Random random(kHeldOutSeed);
    std::vector<ShapePicture> pictures;
    for (int k = 0; k < count; ++k) pictures.push_back(draw_shape(random));
    return pictures;
}

const std::vector<std::string>& ShapesSource::classes() const {
    static const std::vector<std::string> names = {"disc", "square", "triangle", "cross"};
    return names;
}

std::vector<ImageExample> ShapesSource::held_out() const {
    std::vector<ImageExample> examples;
    for (ShapePicture& picture : held_out_shapes(kHeldOut))
        examples.push_back(std::move(picture.example));
    return examples;
}

Document shapes_study(int picture) {
    ImageStudy study{.rows = kShapeSide,
                     .columns = kShapeSide,
                     .channels = 3,
                     .pixels = held_out_shapes(picture + 1).back().example.pixels,
                     .layer = {.patch = 4, .n_classes = 4}};
    StackSettings& stack = study.layer.stack;
    stack.n_layers = 2;
    stack.d_model = 48;
    stack.positions = Positions::None;
    stack.attention.relative = RelativePositions::Quadratic;
    stack.block = {.residual = Switch::On, .norm = Norm::Pre, .mlp = Mlp::Relu, .d_ff = 64};
    stack.final_norm = Switch::On;
    return {.study = std::move(study), .seed = 1, .interventions = {}};
}

Recipe shapes_recipe() {
    return {.task = "shapes",
            .study = shapes_study(0),
            .steps = 4000,
            .batch = 32,
            .learning_rate = 2e-3,
            .warm_up = 50,
            .seed = 1,
            .optimizer = {.rule = Rule::Adam, .clip_norm = 1}};
}

}  // namespace headlight
