// Random weights keep the size of numbers, at every width.
#include <cmath>
#include <doctest/doctest.h>

#include "core/numeric/generator.h"
#include "core/operations/operations.h"
#include "core/studies.h"

namespace headlight::drawn_weights_test {
namespace {

constexpr int kHeads = 4;

Scalar mean_square(const Matrix& X) {
    return X.array().square().mean();
}

/// A stack over forty different words with embeddings alone, without positions.
Trace words(int d_model, Widths d_k, Score score) {
    std::vector<std::string> text;
    for (int i = 0; i < 40; ++i) text.push_back("w" + std::to_string(i));
    StackSettings settings{.d_model = d_model, .positions = Positions::None};
    settings.attention.n_heads = kHeads;
    settings.attention.d_k = d_k;
    settings.attention.score = score;
    const Watched watched{.everything = false, .globs = {"embed", "*.q", "*.k", "*.scores"}};
    return compute(plan_sentences({text}, settings, 1), {}, watched, nullptr);
}

/// The root mean square of a tensor over all heads.
Scalar deviation(const Trace& trace, const std::string& last) {
    Scalar sum = 0;
    for (int h = 0; h < kHeads; ++h)
        sum += mean_square(value(trace, "blocks.0.attn.heads." + std::to_string(h) + last));
    return std::sqrt(sum / kHeads);
}

void check_widths(int d_model, Widths widths, int d_k) {
    INFO("d_model " << d_model << ", d_k " << d_k);
    const Trace scaled = words(d_model, widths, Score::ScaledDot);
    const Trace unscaled = words(d_model, widths, Score::Dot);
    REQUIRE(value(scaled, "blocks.0.attn.heads.0.q").cols() == d_k);
    CHECK(mean_square(value(scaled, "embed")) == doctest::Approx(1).epsilon(0.1));
    CHECK(deviation(scaled, ".q") == doctest::Approx(1).epsilon(0.15));
    CHECK(deviation(scaled, ".k") == doctest::Approx(1).epsilon(0.15));
    CHECK(deviation(scaled, ".scores") == doctest::Approx(1).epsilon(0.2));
    CHECK(deviation(unscaled, ".scores") == doctest::Approx(std::sqrt(d_k)).epsilon(0.2));
}

/// Checks that every product with a random weight has the size of its input, if it has many
/// numbers.
void check_products(const Trace& trace, std::size_t least) {
    std::size_t n_products = 0;
    for (const Tensor& tensor : trace.tensors()) {
        const bool is_product = tensor.operation() == &operations::multiply ||
                                tensor.operation() == &operations::multiply_add;
        if (!is_product || tensor.columns().size < 16 || tensor.keep() == Keep::OnDemand ||
            trace[tensor.inputs()[1]].operation() != &operations::seeded_weight)
            continue;
        const Scalar before = mean_square(*trace[tensor.inputs()[0]].value);
        if (before == 0) continue;
        INFO(tensor.path());
        CHECK(mean_square(*tensor.value) / before == doctest::Approx(1).epsilon(0.35));
        ++n_products;
    }
    CHECK(n_products >= least);
}

}  // namespace

TEST_CASE("drawn weights: q and k have unit variance; scores grow like √d_k, scaled ones do not") {
    for (const int d_k : {8, 16, 32, 64, 128, 256, 512, 1024}) {
        check_widths(32, {{d_k}}, d_k);
        if (d_k <= 128) check_widths(kHeads * d_k, {}, d_k);  // they follow d_model
    }
}

TEST_CASE("drawn weights: limits that depend on the width of the result give other scores") {
    // √(6 / (in + out)): at d_k = 512 the deviation of q is √(2 · 32 / (32 + 512)).
    const Trace trace = words(32, {{512}}, Score::ScaledDot);
    const Scalar ratio = std::sqrt(Scalar(6) / (32 + 512)) / unit_sum_limit(32);
    CHECK(deviation(trace, ".q") * ratio < Scalar(0.5));
}

TEST_CASE("drawn weights: every product keeps the variance of its input") {
    StackSettings settings{.n_layers = 2, .d_model = 96};
    settings.attention.d_k.values = settings.attention.d_v.values = {48};
    settings.attention.bias = Switch::On;
    settings.attention.score = Score::Additive;
    settings.attention.d_hidden = 64;
    settings.block.mlp = Mlp::Gelu;
    settings.block.d_ff = 200;
    settings.unembedding = Unembedding::Learned;
    check_products(sentence("a b c d e f g h i j k l m n o p", settings), 40);
    for (const GraphMechanism mechanism :
         {GraphMechanism::Gat, GraphMechanism::GatV2, GraphMechanism::Transformer}) {
        GraphSettings layer{.mechanism = mechanism, .n_layers = 2, .d_in = 64, .d_out = {{48}}};
        check_products(graph(small_edges(), layer), 8);
    }
}

TEST_CASE("drawn weights: tables of vectors have unit variance, like embeddings") {
    StackSettings settings{.d_model = 96, .positions = Positions::Learned};
    settings.attention.relative = RelativePositions::Shaw;
    const Trace shaw = sentence("a b c d e f g h i j k l m n o p", settings);
    CHECK(mean_square(value(shaw, "pos_embed")) == doctest::Approx(1).epsilon(0.1));
    CHECK(mean_square(value(shaw, "blocks.0.attn.rel_K")) == doctest::Approx(1).epsilon(0.2));
    CHECK(mean_square(value(shaw, "blocks.0.attn.rel_V")) == doctest::Approx(1).epsilon(0.2));
    settings.attention.relative = RelativePositions::Buckets;
    const Trace buckets = sentence("a b", settings);
    CHECK(mean_square(value(buckets, "blocks.0.attn.rel_bias")) ==
          doctest::Approx(1).epsilon(0.35));
    CHECK(is_same(value(buckets, "pos_embed"), value(shaw, "pos_embed").topRows(2)));
}

}  // namespace headlight::drawn_weights_test
