#include "core/self_attention.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "core/studies.h"

using namespace headlight;

namespace {

constexpr Scalar kRounding = Scalar(2e-6);

const SelfAttentionSettings kPlain{.n_layers = 2,
                                   .n_heads = 3,
                                   .d_model = 12,
                                   .d_k = 4,
                                   .d_v = 5,
                                   .positions = PositionKind::None};

SelfAttentionSettings causal(SelfAttentionSettings settings) {
    settings.mask = MaskKind::Causal;
    return settings;
}

/// The first law of a pattern that is broken; "" if none is.
std::string broken_law(const Matrix& pattern, const Matrix& masked_scores) {
    for (Index i = 0; i < pattern.rows(); ++i) {
        const bool is_masked = (masked_scores.row(i).array() == kMasked).all();
        const double sum = pattern.row(i).cast<double>().sum();
        if (!(std::abs(sum - (is_masked ? 0 : 1)) < 1e-6)) return "the sum of a row";
        for (Index j = 0; j < pattern.cols(); ++j) {
            const bool is_zero = pattern(i, j) == 0;
            if (masked_scores(i, j) == kMasked && !is_zero) return "a masked cell";
            if (!(pattern(i, j) >= 0)) return "a negative cell";
        }
    }
    return "";
}

void check_patterns(const Trace& trace) {
    for (const Tensor& tensor : trace.tensors()) {
        if (!matches("*.pattern", tensor.path)) continue;
        const std::string head = tensor.path.substr(0, tensor.path.rfind('.'));
        CHECK_MESSAGE(broken_law(*tensor.value, value(trace, head + ".masked_scores")) == "",
                      tensor.path);
    }
}

const std::string kText = "the cat did not cross the street because it was too tired .";

}  // namespace

TEST_CASE("self-attention: rows of a pattern sum to 1, masked cells are exactly 0") {
    check_patterns(sentence(kText, kPlain));
    check_patterns(sentence(kText, causal(kPlain)));
    check_patterns(sentence(kText, {}));
    check_patterns(sentence("it", {.n_heads = 1, .d_model = 1, .d_k = 1, .d_v = 1}));
}

TEST_CASE("self-attention: a wrong pattern is rejected") {
    const Matrix scores = Matrix{{0, kMasked}, {0, 0}};
    const Matrix right = Matrix{{1, 0}, {0.5, 0.5}};
    CHECK(broken_law(right, scores) == "");
    Matrix wrong = right;
    wrong(1, 0) += Scalar(2e-6);
    CHECK(broken_law(wrong, scores) == "the sum of a row");
    wrong = right;
    wrong(0, 1) = std::numeric_limits<Scalar>::denorm_min();
    CHECK(broken_law(wrong, scores) == "a masked cell");
    CHECK(broken_law(Matrix{{1, 0}, {-1, 2}}, scores) == "a negative cell");
}

TEST_CASE("self-attention: a fully masked row reads nothing") {
    Holds holds;
    for (Index j = 0; j < 13; ++j) holds["mask"].set(4, j, kMasked);
    const Trace trace = sentence(kText, kPlain, holds);
    check_patterns(trace);
    CHECK(value(trace, "blocks.0.attn.heads.1.pattern").row(4).isZero(0));
    CHECK(value(trace, "blocks.0.attn.heads.1.z").row(4).isZero(0));
    CHECK(is_same(value(trace, "blocks.0.resid_post").row(4),
                  value(trace, "blocks.0.resid_pre").row(4)));
}

TEST_CASE("self-attention: permuting the words permutes every output, to rounding") {
    const std::vector<std::string> words = words_of(kText);
    std::vector<Index> order(words.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<Index>((i * 5 + 3) % order.size());
    std::string permuted_text;
    for (const Index i : order) permuted_text += words[static_cast<std::size_t>(i)] + " ";

    const Trace trace = sentence(kText, kPlain), permuted = sentence(permuted_text, kPlain);
    Matrix expected = value(trace, "blocks.1.resid_post");
    for (std::size_t i = 0; i < order.size(); ++i)
        expected.row(static_cast<Index>(i)) = value(trace, "blocks.1.resid_post").row(order[i]);
    CHECK(distance(value(permuted, "blocks.1.resid_post"), expected) < kRounding);

    SelfAttentionSettings with_positions = kPlain;
    with_positions.positions = PositionKind::Sinusoidal;
    CHECK(distance(value(sentence(permuted_text, with_positions), "blocks.1.resid_post"),
                   expected) > 1e-2);
}

TEST_CASE("self-attention: under a causal mask later words change nothing before them") {
    const Trace before = sentence("it was too tired", causal(kPlain));
    const Trace after = sentence("it was too wide for us", causal(kPlain));
    const Matrix& a = value(before, "blocks.1.resid_post");
    const Matrix& b = value(after, "blocks.1.resid_post");
    CHECK(distance(a.topRows(3), b.topRows(3)) < kRounding);
    CHECK(distance(a.row(3), b.row(3)) > 1e-2);
    const Trace open = sentence("it was too tired", kPlain);
    const Trace other = sentence("it was too wide for us", kPlain);
    CHECK(distance(value(open, "blocks.1.resid_post").topRows(3),
                   value(other, "blocks.1.resid_post").topRows(3)) > 1e-2);
}

TEST_CASE("self-attention: the same word has the same vector in every sentence") {
    const Trace one = sentence("it was it", kPlain), other = sentence("tired it", kPlain);
    const Matrix& embed = value(one, "embed");
    CHECK(is_same(embed.row(0), embed.row(2)));
    CHECK(is_same(embed.row(0), value(other, "embed").row(1)));
    CHECK_FALSE(is_same(embed.row(0), embed.row(1)));
}

TEST_CASE("self-attention: a causal mask leaves no denormal number in a pattern of 64 words") {
    std::string text;
    for (int i = 0; i < 64; ++i) text += "w" + std::to_string(i) + " ";
    const Trace trace = sentence(text, causal(kPlain));
    check_patterns(trace);
    for (const Tensor& tensor : trace.tensors()) {
        if (tensor.quantity != Quantity::Probability) continue;
        for (const Scalar a : tensor.value->reshaped())
            CHECK((std::fpclassify(a) == FP_NORMAL || a == 0));
    }
}

TEST_CASE("self-attention: heads add up to the output") {
    const Trace trace = sentence(kText, kPlain);
    Matrix sum = Matrix::Zero(13, 12);
    for (const char* h : {"0", "1", "2"})
        sum += value(trace, "blocks.0.attn.heads." + std::string(h) + ".result");
    CHECK(distance(sum, value(trace, "blocks.0.attn.out")) < kRounding);
}

TEST_CASE("self-attention: the settings decide which tensors there are") {
    SelfAttentionSettings settings = kPlain;
    CHECK_FALSE(sentence("it", settings).find("pos_embed"));
    settings.positions = PositionKind::Sinusoidal;
    CHECK(sentence("it", settings).find("pos_embed"));
    CHECK(sentence("it", settings).find("blocks.1.resid_post"));
    settings.residual = Residual::Off;
    CHECK_FALSE(sentence("it", settings).find("blocks.1.resid_post"));
    CHECK_FALSE(sentence("it", settings).find("blocks.2.resid_pre"));
    CHECK_FALSE(sentence("it", settings).find("blocks.0.attn.heads.3.q"));
}

TEST_CASE("self-attention: every value has the shape of its axes") {
    for (const SelfAttentionSettings& settings : {kPlain, causal({}), SelfAttentionSettings{}}) {
        const Trace trace = sentence(kText, settings);
        for (const Tensor& tensor : trace.tensors()) {
            CHECK_MESSAGE(tensor.value->rows() == tensor.rows.size, tensor.path);
            CHECK_MESSAGE(tensor.value->cols() == tensor.columns.size, tensor.path);
        }
    }
}

TEST_CASE("self-attention: no word and sizes below 1 are errors") {
    CHECK(error_of([] { sentence("", {}); }) ==
          "[sentence] there is no word to attend to; type a sentence");
    const std::string size_error = "[sentence] layers, heads and widths must be at least 1";
    CHECK(error_of([] { sentence("it", {.n_layers = 0}); }) == size_error);
    CHECK(error_of([] { sentence("it", {.n_heads = 0}); }) == size_error);
    CHECK(error_of([] { sentence("it", {.d_model = 0}); }) == size_error);
    CHECK(error_of([] { sentence("it", {.d_k = -1}); }) == size_error);
    CHECK(error_of([] { sentence("it", {.d_v = 0}); }) == size_error);
}
