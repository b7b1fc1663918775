#include "core/mechanisms/image_attention.h"

#include <doctest/doctest.h>

#include "core/studies.h"

namespace headlight::image_attention_test {
namespace {

Trace image(const ImageSettings& settings, Index rows = 5, Index columns = 10) {
    return compute(plan_image({columns, random_matrix(rows * columns, 3, 1)}, settings, 1), {},
                   kWatchAll, nullptr);
}

Scalar difference_at(float alpha) {
    return value(image({.mechanism = ImageMechanism::Convolution, .alpha = alpha}), "difference")
        .cwiseAbs()
        .maxCoeff();
}

}  // namespace

TEST_CASE("images: attention approaches the convolution as α grows") {
    Scalar before = difference_at(0.5f);
    CHECK(before > 0.5);
    for (const float alpha : {1.0f, 2.0f, 4.0f, 8.0f}) {
        const Scalar now = difference_at(alpha);
        CHECK(now < before);
        before = now;
    }
    CHECK(difference_at(30) < 1e-5);
}

TEST_CASE("images: inside the image the convolution is the plain sum over neighbours") {
    const Trace trace = image({.mechanism = ImageMechanism::Convolution});
    const Matrix& X = value(trace, "image");
    Matrix expected = Matrix::Zero(1, 3);
    for (Index h = 0; h < 9; ++h)
        expected += X.row((2 + h / 3 - 1) * 10 + 4 + h % 3 - 1) *
                    value(trace, "blocks.0.attn.heads." + std::to_string(h) + ".W_V");
    CHECK(distance(value(trace, "convolution").row(24), expected) < 1e-5);
    // At the corner missing pixels are replaced by the nearest ones.
    CHECK(distance(value(trace, "blocks.0.attn.heads.0.pattern").row(0).head(1),
                   Matrix::Ones(1, 1)) < 0.1);
}

TEST_CASE("images: patches, two-dimensional positions and layers work together") {
    ImageSettings settings;
    settings.patch = 2;
    settings.stack.n_layers = 2;
    settings.stack.attention.relative = RelativePositions::Quadratic;
    const Trace trace = image(settings, 4, 6);
    CHECK(trace.grid_columns() == 3);
    CHECK(trace.items().size() == 6);
    CHECK(value(trace, "patches").cols() == 12);
    CHECK(value(trace, "image").rows() == 24);
    CHECK(value(trace, "blocks.1.attn.heads.3.pattern").rows() == 6);
    CHECK(value(trace, "blocks.1.attn.heads.3.pattern")
              .rowwise()
              .sum()
              .isApproxToConstant(1, Scalar(1e-5)));
    CHECK(axis_label(trace, trace.at("embed").rows(), 4) == "1,1");
}

/// Two images, and the same ones stacked.
struct TwoImages {
    std::vector<Trace> each;
    Trace stacked;
};

TwoImages two_images(const ImageSettings& settings) {
    const Matrix pixels = random_matrix(60, 2, 5);
    const auto traced = [&](const Image& image) {
        return compute(plan_image(image, settings, 1), {}, kWatchAll, nullptr);
    };
    return {{traced({6, pixels.topRows(30)}), traced({6, pixels.bottomRows(30)})},
            traced({6, pixels, 2})};
}

/// The rows of a tensor of each image are those of the stacked ones.
void check_stacked(const TwoImages& images, const std::string& path) {
    CAPTURE(path);
    const Matrix& stacked = value(images.stacked, path);
    const Index n = stacked.rows() / 2;
    for (Index k = 0; k < 2; ++k)
        CHECK(distance(stacked.middleRows(k * n, n),
                       value(images.each[static_cast<std::size_t>(k)], path)) < 1e-5);
}

TEST_CASE("images: stacked ones do not read each other") {
    for (const Positions positions : {Positions::None, Positions::Sinusoidal, Positions::Learned}) {
        ImageSettings settings{.patch = 4, .n_classes = 3};
        settings.stack.positions = positions;
        settings.stack.attention.relative = RelativePositions::Quadratic;
        const TwoImages images = two_images(settings);
        for (const char* path : {"patches", "blocks.0.attn.heads.1.pattern", "blocks.0.resid_post",
                                 "blocks.1.class_attn.heads.0.pattern", "logits"})
            check_stacked(images, path);
    }
    const TwoImages images =
        two_images({.mechanism = ImageMechanism::Convolution, .kernel = Kernel::Neighbours});
    for (const char* path : {"blocks.0.attn.heads.3.pattern", "blocks.0.attn.out", "convolution"})
        check_stacked(images, path);
}

TEST_CASE("images: a class token can be the first item, which changes the order alone") {
    const Matrix pixels = random_matrix(50, 3, 1);
    const auto traced = [&](ClassToken token) {
        ImageSettings settings{.patch = 5, .n_classes = 3, .class_token = token};
        settings.stack.positions = Positions::None;
        return compute(plan_image({10, pixels}, settings, 1), {}, kWatchAll, nullptr);
    };
    const Trace last = traced(ClassToken::Item), first = traced(ClassToken::First);
    CHECK(first.items() == std::vector<std::string>{"class", "0,0", "0,1"});
    CHECK(first.grid_begin() == 1);
    CHECK(last.grid_begin() == 0);
    CHECK(distance(value(first, "logits"), value(last, "logits")) < 1e-6);
    const Matrix& a = value(first, "blocks.0.attn.heads.2.pattern");
    const Matrix& b = value(last, "blocks.0.attn.heads.2.pattern");
    for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 3; ++j)
            CHECK(a(i, j) == doctest::Approx(b((i + 2) % 3, (j + 2) % 3)));
    CHECK(value(first, "class_out") == value(first, "blocks.0.resid_post").row(0));
}

TEST_CASE("images: stacked ones have a class token each, wherever it stands") {
    for (const ClassToken token : {ClassToken::Item, ClassToken::First}) {
        ImageSettings settings{.patch = 4, .n_classes = 3, .class_token = token};
        settings.stack.positions = Positions::Learned;
        const TwoImages images = two_images(settings);
        for (const char* path : {"embed", "blocks.0.attn.heads.1.pattern", "class_out", "logits"})
            check_stacked(images, path);
    }
}

TEST_CASE("images: normalised pixels are those less the mean, divided by the deviation") {
    ImageSettings settings{.patch = 5, .normalized = Switch::On};
    Interventions numbers;
    for (Index c = 0; c < 3; ++c) {
        numbers["image_mean"].set(0, c, Scalar(0.25) * static_cast<Scalar>(c));
        numbers["image_std"].set(0, c, Scalar(0.5));
    }
    const Matrix pixels = random_matrix(50, 3, 1);
    const Trace trace = compute(plan_image({10, pixels}, settings, 1), numbers, kWatchAll, nullptr);
    const Matrix& normalized = value(trace, "image_normalized");
    for (Index c = 0; c < 3; ++c)
        CHECK(normalized(17, c) ==
              doctest::Approx((pixels(17, c) - 0.25 * static_cast<double>(c)) / 0.5));
    CHECK(value(trace, "patches")(1, 1) == normalized(5, 1));
    // Until they are given, nothing changes.
    const Trace plain = compute(plan_image({10, pixels}, settings, 1), {}, kWatchAll, nullptr);
    CHECK(value(plain, "image_normalized") == pixels);
}

TEST_CASE("images: what the class token does not read does not reach the answer") {
    ImageSettings settings{.patch = 5, .n_classes = 3};
    const Trace trace = image(settings);
    const Tensor& pattern = trace.at("blocks.1.class_attn.heads.0.pattern");
    CHECK(pattern.value->rows() == 1);
    CHECK(pattern.value->cols() == 2);
    CHECK(value(trace, "probs").sum() == doctest::Approx(1));
    // Without its heads the classes are alike.
    Interventions without;
    for (int h = 0; h < 4; ++h)
        without["blocks.1.class_attn.heads." + std::to_string(h) + ".z"] = {
            .cells = {}, .ablation = Ablation::Zero};
    const Trace blind = compute(plan_image({10, random_matrix(50, 3, 1)}, settings, 1), without,
                                kWatchAll, nullptr);
    CHECK(value(blind, "probs").isApproxToConstant(Scalar(1) / 3));
}

TEST_CASE("images: with the kernel of neighbours, output channel h is neighbour h") {
    const Trace trace = image(
        {.mechanism = ImageMechanism::Convolution, .kernel = Kernel::Neighbours, .alpha = 30});
    const Matrix& X = value(trace, "image");
    const Matrix& out = value(trace, "blocks.0.attn.out");
    REQUIRE(out.cols() == 9);
    for (Index h = 0; h < 9; ++h) {
        const Index neighbour = (2 + h / 3 - 1) * 10 + 4 + h % 3 - 1;
        CHECK(out(24, h) == doctest::Approx(X.row(neighbour).mean()));
    }
}

TEST_CASE("images: an image without pixels or with rows of different lengths is an error") {
    CHECK(error_of([] {
              plan_image({3, Matrix(0, 3)}, {}, 1);
          }).starts_with("[image] the image has no pixels"));
    CHECK(error_of([] {
              plan_image({3, Matrix::Zero(4, 3)}, {}, 1);
          }).starts_with("[image] the image has no pixels, or rows of different lengths"));
}

}  // namespace headlight::image_attention_test
