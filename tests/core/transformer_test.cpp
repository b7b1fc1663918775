#include "core/mechanisms/transformer.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/mechanisms/stack.h"
#include "core/stack_cases.h"
#include "core/studies.h"

namespace headlight::transformer_test {
namespace {

constexpr Scalar kRounding = Scalar(3e-5);

const std::string kText = "the cat did not cross the street | because it was tired";

/// The first law that the pattern violates; "" if there is none.
std::string broken_law(const Matrix& pattern, const Matrix& masked_scores) {
    for (Index i = 0; i < pattern.rows(); ++i) {
        const bool is_masked = (masked_scores.row(i).array() == kMasked).all();
        const double sum = pattern.row(i).cast<double>().sum();
        if (!(std::abs(sum - (is_masked ? 0 : 1)) < 2e-6)) return "the sum of a row";
        for (Index j = 0; j < pattern.cols(); ++j) {
            if (masked_scores(i, j) == kMasked && pattern(i, j) != 0) return "a masked cell";
            if (!(pattern(i, j) >= 0)) return "a negative cell";
        }
    }
    return "";
}

const Matrix& last(const Trace& trace, const StackSettings& settings) {
    return value(trace, last_path(trace, settings));
}

StackSettings causal(StackSettings settings) {
    settings.mask.causal = Switch::On;
    return settings;
}

bool is_unique(const Trace& trace, Index word) {
    const Words& words = trace.items();
    return std::count(words.begin(), words.end(), words[static_cast<std::size_t>(word)]) == 1;
}

SourceTarget translation() {
    return {words_of("the agreement was signed"), words_of("l' accord a été signé hier")};
}

Trace computed(Plan plan, const Interventions& interventions = {}) {
    return compute(std::move(plan), interventions, kWatchAll, nullptr);
}

}  // namespace

TEST_CASE("stacks: rows of every pattern sum to 1, masked cells are exactly 0") {
    for (const auto& [name, settings] : stack_cases())
        for (const char* text : {kText.c_str(), "it", "it was\nthe cat did not cross"}) {
            const Trace trace = sentences(text, settings);
            for (const Tensor& tensor : trace.tensors()) {
                if (!matches("*.pattern", tensor.path())) continue;
                const std::string head = tensor.path().substr(0, tensor.path().rfind('.'));
                CHECK_MESSAGE(
                    broken_law(*tensor.value, value(trace, head + ".masked_scores")) == "",
                    name << ", " << tensor.path());
            }
        }
}

TEST_CASE("stacks: a wrong pattern is rejected") {
    const Matrix scores = Matrix{{0, kMasked}, {0, 0}};
    CHECK(broken_law(Matrix{{1, 0}, {0.5, 0.5}}, scores) == "");
    CHECK(broken_law(Matrix{{1, 0}, {0.5, 0.50001}}, scores) == "the sum of a row");
    CHECK(broken_law(Matrix{{1, std::numeric_limits<Scalar>::denorm_min()}, {0.5, 0.5}}, scores) ==
          "a masked cell");
    CHECK(broken_law(Matrix{{1, 0}, {-1, 2}}, scores) == "a negative cell");
}

TEST_CASE("stacks: every value has the shape of its axes and no NaN") {
    for (const auto& [name, settings] : stack_cases()) {
        const Trace trace = sentences(kText, settings);
        for (const Tensor& tensor : trace.tensors()) {
            CHECK_MESSAGE(tensor.value->rows() == tensor.rows().size,
                          name << ", " << tensor.path());
            CHECK_MESSAGE(tensor.value->cols() == tensor.columns().size,
                          name << ", " << tensor.path());
            CHECK_MESSAGE(!tensor.value->hasNaN(), name << ", " << tensor.path());
        }
    }
}

TEST_CASE("stacks: under a causal mask later words do not change earlier ones") {
    for (auto [name, settings] : stack_cases()) {
        if (settings.unembedding != Unembedding::None) settings.unembedding = Unembedding::None;
        const Trace before = sentences("it was too tired", causal(settings));
        const Trace after = sentences("it was too wide for us", causal(settings));
        const Matrix &a = last(before, settings), &b = last(after, settings);
        const bool is_learned = settings.positions == Positions::Learned;
        if (is_learned) continue;  // another length has other random weights
        CHECK_MESSAGE(distance(a.topRows(3), b.topRows(3)) < kRounding, name);
        CHECK_MESSAGE(distance(a.row(3), b.row(3)) > 1e-3, name);
    }
}

TEST_CASE("stacks: a sentence among others has the same numbers as alone") {
    for (const auto& [name, settings] : stack_cases()) {
        if (settings.positions == Positions::Learned) continue;  // shared by all lengths
        if (settings.unembedding != Unembedding::None) continue;
        const Trace together = sentences("the cat\nit was too tired\nus", settings);
        const Trace alone = sentences("it was too tired", settings);
        CHECK_MESSAGE(
            distance(last(together, settings).middleRows(4, 4), last(alone, settings)) < kRounding,
            name);
        const Trace shorter = sentences("the cat", settings);
        CHECK_MESSAGE(
            distance(last(together, settings).topRows(2), last(shorter, settings)) < kRounding,
            name);
    }
}

TEST_CASE("stacks: a fully masked row reads nothing, under every normalizer") {
    for (const auto& [name, settings] : stack_cases()) {
        Interventions interventions;
        const std::string mask = self_mask_word(settings.mask, 0);
        for (Index j = 0; j < 12; ++j) interventions[mask].set(4, j, kMasked);
        const Trace trace = sentences(kText, settings, interventions);
        CHECK_MESSAGE(value(trace, "blocks.0.attn.heads.1.pattern").row(4).isZero(0), name);
        CHECK_MESSAGE(value(trace, "blocks.0.attn.heads.1.z").row(4).isZero(0), name);
    }
}

TEST_CASE("stacks: equal words have equal vectors in every sentence") {
    const Trace one = sentences("it was it", plain_stack());
    const Trace other = sentences("tired it", plain_stack());
    const Matrix& embed = value(one, "embed");
    CHECK(is_same(embed.row(0), embed.row(2)));
    CHECK(is_same(embed.row(0), value(other, "embed").row(1)));
    CHECK_FALSE(is_same(embed.row(0), embed.row(1)));
}

TEST_CASE("stacks: a causal mask leaves no denormal number in a pattern of 64 words") {
    std::string text;
    for (int i = 0; i < 64; ++i) text += "w" + std::to_string(i) + " ";
    const Trace trace = sentences(text, causal(plain_stack()));
    for (const Tensor& tensor : trace.tensors()) {
        if (tensor.quantity() != Quantity::Probability) continue;
        for (const Scalar a : tensor.value->reshaped())
            CHECK((std::fpclassify(a) == FP_NORMAL || a == 0));
    }
}

TEST_CASE("stacks: the settings decide which tensors there are") {
    StackSettings settings = plain_stack();
    CHECK_FALSE(sentences("it", settings).find("pos_embed"));
    CHECK_FALSE(sentences("it", settings).find("blocks.0.resid_mid"));
    CHECK_FALSE(sentences("it", settings).find("blocks.2.resid_pre"));
    CHECK_FALSE(sentences("it", settings).find("blocks.0.attn.heads.2.q"));
    CHECK(sentences("it", settings).find("blocks.1.resid_post"));
    settings.positions = Positions::Sinusoidal;
    settings.block.residual = Switch::Off;
    CHECK(sentences("it", settings).find("pos_embed"));
    CHECK_FALSE(sentences("it", settings).find("blocks.1.resid_post"));
}

TEST_CASE("stacks: without positions, permuting the words permutes every output") {
    const std::vector<Index> order{3, 1, 4, 0, 2};
    const Trace trace = sentences("the cat was too tired", plain_stack());
    const Trace permuted = sentences("too cat tired the was", plain_stack());
    Matrix expected = last(trace, plain_stack());
    for (Index i = 0; i < 5; ++i)
        expected.row(i) = last(trace, plain_stack()).row(order[static_cast<std::size_t>(i)]);
    CHECK(distance(last(permuted, plain_stack()), expected) < kRounding);
}

TEST_CASE("heads: their results add up to the output") {
    for (const auto& [name, settings] : stack_cases()) {
        if (settings.attention.output == Switch::Off) continue;
        const Trace trace = sentences(kText, settings);
        const Matrix& out = value(trace, "blocks.0.attn.out");
        Matrix sum = Matrix::Zero(out.rows(), out.cols());
        for (int h = 0; h < settings.attention.n_heads; ++h)
            sum += value(trace, "blocks.0.attn.heads." + std::to_string(h) + ".result");
        if (const Tensor* bias = trace.find("blocks.0.attn.b_O"))
            sum.rowwise() += bias->value->row(0);
        CHECK_MESSAGE(distance(sum, out) < kRounding, name);
    }
}

TEST_CASE(
    "projections: shared queries and keys make the scores symmetric; identity ones make a word's "
    "own score the largest under cosine") {
    StackSettings settings = plain_stack();
    settings.attention.query = settings.attention.key = Projection::Shared;
    const Matrix shared = value(sentences(kText, settings), "blocks.0.attn.heads.1.scores");
    CHECK(distance(shared, shared.transpose()) < kRounding);
    settings.attention.query = settings.attention.key = Projection::Identity;
    settings.attention.score = Score::Cosine;
    const Trace trace = sentences("the cat was tired", settings);
    const Matrix& scores = value(trace, "blocks.0.attn.heads.0.scores");
    for (Index i = 0; i < 4; ++i) {
        Index largest = -1;
        scores.row(i).maxCoeff(&largest);
        CHECK(largest == i);
    }
    const Matrix learned = value(sentences(kText, plain_stack()), "blocks.0.attn.heads.1.scores");
    CHECK(distance(learned, learned.transpose()) > 1e-2);
}

TEST_CASE("circuits: QK and OV give the scores and the result of a head") {
    const Trace trace = sentences(kText, plain_stack());
    const std::string head = "blocks.0.attn.heads.1";
    const Matrix& X = value(trace, "blocks.0.resid_pre");
    CHECK(distance(X * value(trace, head + ".QK") * X.transpose(), value(trace, head + ".scores")) <
          kRounding);
    CHECK(distance(value(trace, head + ".pattern") * X * value(trace, head + ".OV"),
                   value(trace, head + ".result")) < kRounding);
}

TEST_CASE("grouped keys and values: the heads of a group read the same keys") {
    StackSettings settings = plain_stack();
    settings.attention.n_heads = 4;
    settings.attention.n_kv_heads = 2;
    const Trace trace = sentences(kText, settings);
    CHECK(trace.find("blocks.0.attn.kv.1.k"));
    CHECK_FALSE(trace.find("blocks.0.attn.kv.2.k"));
    CHECK_FALSE(trace.find("blocks.0.attn.heads.0.k"));
    for (const int h : {2, 3}) {
        const std::string head = "blocks.0.attn.heads." + std::to_string(h);
        const Matrix expected = value(trace, head + ".q") *
                                value(trace, "blocks.0.attn.kv.1.k").transpose() /
                                std::sqrt(Scalar(3));
        CHECK(distance(value(trace, head + ".scores"), expected) < kRounding);
    }
}

TEST_CASE("rotary and relative positions: scores of equal words depend on the distance alone") {
    for (const RelativePositions relative :
         {RelativePositions::Rotary, RelativePositions::Shaw, RelativePositions::Alibi,
          RelativePositions::Buckets, RelativePositions::Quadratic}) {
        StackSettings settings = plain_stack();
        settings.attention.relative = relative;
        settings.attention.d_k.values = {4};
        const Trace trace = sentences("it it it it it it", settings);
        const Matrix& scores = value(trace, "blocks.0.attn.heads.1.scores");
        for (Index i = 1; i < 6; ++i)
            for (Index j = 1; j < 6; ++j)
                CHECK(std::abs(scores(i, j) - scores(i - 1, j - 1)) < kRounding);
    }
}

TEST_CASE("scaled dot: the power 0.5 gives √d_k, the power 0 no scaling") {
    const auto scores = [](Score score, float d_power) {
        StackSettings settings = stack_of({.n_heads = 1, .d_model = 8, .d_k = 9, .d_v = 4});
        settings.attention.score = score;
        settings.attention.d_power = d_power;
        return value(sentence(kText, settings), "blocks.0.attn.heads.0.scores");
    };
    const Matrix dots = scores(Score::Dot, 0.5f);
    CHECK(scores(Score::ScaledDot, 0) == dots);
    CHECK(scores(Score::ScaledDot, 0.5f) != dots);
    CHECK(scores(Score::ScaledDot, 0.5f).isApprox(dots / 3, kRounding));
    CHECK(scores(Score::ScaledDot, 1).isApprox(dots / 9, kRounding));
    CHECK(scores(Score::ScaledDot, 0.25f).isApprox(dots / std::sqrt(Scalar(3)), kRounding));
}

TEST_CASE("scaled dot: the equation states the power of d_k") {
    const auto equation = [](float d_power, float temperature) {
        StackSettings settings;
        settings.attention.d_power = d_power;
        settings.attention.temperature = temperature;
        return sentence(kText, settings).at("blocks.0.attn.heads.0.scores").equation();
    };
    CHECK(equation(0.5f, 1) == "S = Q K^T / √d_k");
    CHECK(equation(0.25f, 1) == "S = Q K^T / d_k^{0.25}");
    CHECK(equation(0.25f, 2) == "S = Q K^T / (d_k^{0.25} T)");
    CHECK(equation(0, 1) == "S = Q K^T");
    CHECK(equation(0, 2) == "S = Q K^T / T");
}

TEST_CASE("relative positions after Shaw: the equation states the divisor") {
    const auto equation = [](Score score, float d_power, float temperature) {
        StackSettings settings;
        settings.attention.score = score;
        settings.attention.d_power = d_power;
        settings.attention.temperature = temperature;
        settings.attention.relative = RelativePositions::Shaw;
        return sentence(kText, settings).at("blocks.0.attn.heads.0.position_scores").equation();
    };
    CHECK(equation(Score::ScaledDot, 0.5f, 1) == "Q(i) · R_K(j − i) / √d_k");
    CHECK(equation(Score::ScaledDot, 0.25f, 2) == "Q(i) · R_K(j − i) / (d_k^{0.25} T)");
    CHECK(equation(Score::Dot, 0.5f, 1) == "Q(i) · R_K(j − i)");
    CHECK(equation(Score::Dot, 0.5f, 2) == "Q(i) · R_K(j − i) / T");
}

TEST_CASE("normalizers: hard attention is the limit of low temperatures") {
    StackSettings hard = plain_stack();
    hard.attention.normalizer = Normalizer::Hard;
    const Matrix limit = value(sentences(kText, hard), "blocks.0.attn.heads.0.pattern");
    for (const Normalizer normalizer :
         {Normalizer::Softmax, Normalizer::TopK, Normalizer::Sparsemax, Normalizer::Entmax}) {
        StackSettings settings = plain_stack();
        settings.attention.normalizer = normalizer;
        settings.attention.temperature = 1e-4f;
        const Trace cold = sentences(kText, settings);
        // Equal words share what hard attention gives to the first of them.
        const Matrix& pattern = value(cold, "blocks.0.attn.heads.0.pattern");
        for (Index i = 0; i < pattern.rows(); ++i)
            for (Index j = 0; j < pattern.cols(); ++j)
                if (limit(i, j) == 1 && is_unique(cold, j)) CHECK(pattern(i, j) > Scalar(0.999));
        settings.attention.temperature = 1;
        CHECK(distance(value(sentences(kText, settings), "blocks.0.attn.heads.0.pattern"), limit) >
              0.05);
    }
}

TEST_CASE("cross-attention: one row for each target word, one column for each source word") {
    StackSettings settings = plain_stack();
    settings.positions = Positions::Sinusoidal;
    const Trace trace = computed(plan_cross_attention(translation(), settings, 1));
    const Matrix& pattern = value(trace, "blocks.1.cross.heads.1.pattern");
    CHECK(pattern.rows() == 6);
    CHECK(pattern.cols() == 4);
    CHECK(broken_law(pattern, value(trace, "blocks.1.cross.heads.1.masked_scores")) == "");
    CHECK_FALSE(trace.find("blocks.0.attn.out"));
    CHECK(axis_label(trace, trace.at("blocks.0.cross.heads.0.pattern").rows(), 3) == "été");
    CHECK(axis_label(trace, trace.at("blocks.0.cross.heads.0.pattern").columns(), 1) ==
          "agreement");
}

TEST_CASE(
    "encoder and decoder: a later target word does not change earlier ones, a source word changes "
    "everything") {
    StackSettings settings = plain_stack();
    settings.block = {.residual = Switch::On, .norm = Norm::Pre, .mlp = Mlp::Relu, .d_ff = 5};
    SourceTarget changed = translation();
    changed.target[4] = "refusé";
    const Trace trace = computed(plan_encoder_decoder(translation(), settings, 1));
    const std::string path = "decoder.blocks.1.resid_post";
    const Trace later = computed(plan_encoder_decoder(changed, settings, 1));
    CHECK(distance(value(trace, path).topRows(4), value(later, path).topRows(4)) < kRounding);
    CHECK(distance(value(trace, path).row(4), value(later, path).row(4)) > 1e-2);
    changed = translation();
    changed.source[3] = "torn";
    const Trace other = computed(plan_encoder_decoder(changed, settings, 1));
    for (Index i = 0; i < 6; ++i)
        CHECK(distance(value(trace, path).row(i), value(other, path).row(i)) > 1e-4);
}

TEST_CASE("stacks: layers with windows of their own read masks of their own") {
    StackSettings settings = causal(plain_stack());
    settings.n_layers = 3;
    settings.mask.window = {{1, 0, 1}};
    const Trace trace = sentences("a b c d", settings);
    const auto reads = [&](int layer, Index row, Index column) {
        return value(trace, fmt::format("blocks.{}.attn.heads.0.pattern", layer))(row, column) > 0;
    };
    for (int layer = 0; layer < 3; ++layer)
        for (Index i = 0; i < 4; ++i)
            for (Index j = 0; j < 4; ++j)
                CHECK(reads(layer, i, j) == (j <= i && (layer == 1 || i - j <= 1)));
    CHECK(trace.find("mask"));
    CHECK(trace.find("window1_mask"));
    settings.mask.window = {{1, 1, 1}};
    CHECK(!sentences("a b", settings).find("window1_mask"));
    settings.mask.window = {{1, 0}};
    CHECK_THROWS_WITH(static_cast<void>(sentences("a b", settings)),
                      doctest::Contains("2 windows are listed for 3 layers"));
}

TEST_CASE("stacks: contradictory settings are errors in plain words") {
    const auto error = [](auto change) {
        StackSettings settings = plain_stack();
        change(settings);
        return error_of([&] { sentences("it was", settings); });
    };
    CHECK(error_of([] { sentences("", plain_stack()); }) ==
          "[sentence] there is no word to attend to; type a sentence");
    CHECK(error([](StackSettings& s) { s.n_layers = 0; }) ==
          "[stack] layers and widths must be at least 1");
    CHECK(error([](StackSettings& s) { s.attention.n_heads = 0; }) ==
          "[attention] heads and widths must be at least 1");
    CHECK(error([](StackSettings& s) {
              s.attention.d_k.values = {3, 0};
          }) == "[attention] heads and widths must be at least 1");
    CHECK(error([](StackSettings& s) {
              s.attention.d_k.values = {3, 4, 5};
          }) == "[attention] d_k lists 3 widths for 2 heads; give one width, or one for each head");
    CHECK(error([](StackSettings& s) {
              s.attention.n_heads = 3;
              s.attention.d_v.values = {4, 1};
          }) == "[attention] d_v lists 2 widths for 3 heads; give one width, or one for each head");
    CHECK(error([](StackSettings& s) {
              s.attention.n_kv_heads = 1;
              s.attention.d_k.values = {4, 1};
          }) ==
          "[attention] heads 0 and 1 share keys and values, so they need one d_k, not 4 and 1");
    CHECK(error([](StackSettings& s) { s.attention.n_heads = 3, s.attention.n_kv_heads = 2; }) ==
          "[attention] 3 heads cannot share 2 groups of keys and values evenly");
    CHECK(error([](StackSettings& s) { s.attention.output = Switch::Off; }) ==
          "[attention] without W_O the heads must be d_model wide, each or side by side: d_v is 2, "
          "heads × d_v is 4, d_model is 6");
    CHECK(error([](StackSettings& s) {
              s.attention.relative = RelativePositions::Shaw;
              s.attention.d_k.values = {3, 2};
          }).starts_with("[attention] heads share the tables of relative positions (Shaw)"));
    CHECK(error([](StackSettings& s) {
              s.attention.relative = RelativePositions::Shaw;
              s.attention.score = Score::Cosine;
          }).starts_with("[attention] relative positions after Shaw are part of a dot product"));
}

}  // namespace headlight::transformer_test
