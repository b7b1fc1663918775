#include "core/mechanisms/decoding.h"

#include <doctest/doctest.h>

#include "core/explain.h"
#include "core/gradient.h"
#include "core/mechanisms/transformer.h"
#include "core/studies.h"

namespace headlight::decoding_test {
namespace {

StackSettings causal_stack() {
    StackSettings settings;
    settings.d_model = 6;
    settings.attention.n_heads = 2;
    settings.attention.d_k = settings.attention.d_v = {{3}};
    settings.mask.causal = Switch::On;
    return settings;
}

Plan plan_decoded(std::string_view text, const StackSettings& settings) {
    Plan plan = plan_sentences({words_of(text)}, settings, 1);
    plan_decoding(plan, settings, 1);
    return plan;
}

Trace decoded(std::string_view text, const StackSettings& settings,
              const Interventions& interventions = {}) {
    return compute(plan_decoded(text, settings), interventions, kWatchAll, nullptr);
}

constexpr const char* kText = "it was too wide | so it was";

/// The distance of the decoded rows from the full pass.
Scalar difference(const StackSettings& settings, const Interventions& interventions = {}) {
    const Trace trace = decoded(kText, settings, interventions);
    REQUIRE(value(trace, "decoding.out").rows() == 8);
    return value(trace, "decoding.difference").cwiseAbs().maxCoeff();
}

std::string refusal(const StackSettings& settings, const std::vector<Words>& sentences) {
    return error_of([&] {
        Plan plan = plan_sentences(sentences, settings, 1);
        plan_decoding(plan, settings, 1);
    });
}

/// The multiply-adds of a product of m × k with k × n.
Scalar product(Index m, Index k, Index n) {
    return static_cast<Scalar>(m * k * n);
}

const Scalar kClose = sizeof(Scalar) == 8 ? Scalar(1e-9) : Scalar(1e-6);

}  // namespace

TEST_CASE("decoding: every score gives the same as the full pass") {
    for (const Score score :
         {Score::ScaledDot, Score::Dot, Score::Cosine, Score::Bilinear, Score::Additive}) {
        StackSettings settings = causal_stack();
        settings.attention.score = score;
        CHECK(difference(settings) < kClose);
        settings.attention.relative = RelativePositions::Rotary;
        CHECK(difference(settings) < kClose);
    }
}

TEST_CASE("decoding: every kind of relative position gives the same as the full pass") {
    for (const RelativePositions relative :
         {RelativePositions::Rotary, RelativePositions::Shaw, RelativePositions::Alibi,
          RelativePositions::Buckets, RelativePositions::Quadratic}) {
        StackSettings settings = causal_stack();
        settings.n_layers = 2;
        settings.attention.relative = relative;
        settings.attention.max_distance = 4;
        CHECK_MESSAGE(difference(settings) < kClose, int(relative));
    }
}

TEST_CASE("decoding: every normalizer and mask gives the same as the full pass") {
    for (const Normalizer normalizer : {Normalizer::Softmax, Normalizer::Hard, Normalizer::TopK,
                                        Normalizer::Sparsemax, Normalizer::Entmax}) {
        StackSettings settings = causal_stack();
        settings.attention.normalizer = normalizer;
        CHECK(difference(settings) < kClose);
        settings.n_layers = 2;
        settings.mask.window = {{0, 2}};
        CHECK(difference(settings) < kClose);
        settings.mask.window = {{3}};
        settings.mask.dilation = 2;
        settings.mask.documents = Switch::On;
        CHECK(difference(settings) < kClose);
    }
}

TEST_CASE("decoding: shared, identity and biased projections give the same as the full pass") {
    StackSettings settings = causal_stack();
    settings.attention.n_heads = 4;
    settings.attention.n_kv_heads = 2;
    settings.attention.bias = Switch::On;
    CHECK(difference(settings) < kClose);
    settings.attention.relative = RelativePositions::Rotary;
    CHECK(difference(settings) < kClose);
    settings = causal_stack();
    settings.attention.query = settings.attention.key = Projection::Shared;
    CHECK(difference(settings) < kClose);
    settings.attention = {};
    settings.attention.n_heads = 1;
    settings.attention.query = settings.attention.key = settings.attention.value =
        Projection::Identity;
    settings.attention.output = Switch::Off;
    settings.block.residual = Switch::Off;
    CHECK(difference(settings) < kClose);
    settings.attention.qk_norm = Switch::On;
    CHECK(difference(settings) < kClose);
    settings.attention.relative = RelativePositions::None;
    CHECK(difference(settings) < kClose);
}

TEST_CASE("decoding: the layers of pretrained families") {
    StackSettings settings = causal_stack();
    settings.n_layers = 2;
    settings.embedding_norm = Switch::On;
    settings.token_types = 2;
    settings.block = {.parallel = Switch::On,
                      .norm = Norm::Pre,
                      .mlp = Mlp::Silu,
                      .mlp_gate = Switch::On,
                      .d_ff = 5};
    settings.norm_epsilon = 0.01f;
    settings.attention.relative = RelativePositions::Rotary;
    settings.attention.rotary_dims = 2;
    settings.attention.rotary_scaling = RotaryScaling::Yarn;
    settings.attention.rotary_factor = 4;
    settings.attention.rotary_length = 8;
    CHECK(difference(settings) < kClose);
    settings.attention.relative = RelativePositions::Buckets;
    settings.attention.shared_buckets = Switch::On;
    CHECK(difference(settings) < kClose);
}

TEST_CASE("decoding: deep blocks with norms and MLPs give the same as the full pass") {
    for (const Norm norm : {Norm::None, Norm::Pre, Norm::Post})
        for (const Mlp mlp : {Mlp::None, Mlp::Relu, Mlp::Gelu, Mlp::GeluTanh}) {
            StackSettings settings = causal_stack();
            settings.n_layers = 3;
            settings.positions = Positions::Learned;
            settings.block.norm = norm;
            settings.block.mlp = mlp;
            settings.final_norm = Switch::On;
            CHECK_MESSAGE(difference(settings) < kClose, int(norm) << int(mlp));
        }
}

TEST_CASE("decoding: it uses the edited weights and mask of the full pass") {
    StackSettings settings = causal_stack();
    settings.block.norm = Norm::Pre;
    Interventions interventions;
    interventions["blocks.0.attn.heads.1.W_K"].set(2, 1, 5);
    interventions["blocks.0.ln1.w"].set(0, 3, -2);
    interventions["mask"].set(4, 1, kMasked);
    CHECK(difference(settings, interventions) < kClose);
    CHECK(distance(value(decoded(kText, settings, interventions), "decoding.out"),
                   value(decoded(kText, settings), "decoding.out")) > Scalar(0.01));
}

TEST_CASE("decoding: an intervention that the steps do not share shows in the difference") {
    Interventions pin;
    pin["blocks.0.attn.heads.0.v"].set(2, 1, 5);
    CHECK(difference(causal_stack(), pin) > Scalar(0.01));
}

TEST_CASE("decoding: gradients through the cache equal those of the full pass") {
    StackSettings settings = causal_stack();
    settings.n_layers = 2;
    const Trace trace = decoded(kText, settings);
    const Matrix seed = random_matrix(8, 6, 5);
    const Gradients cached = gradients(trace, trace.id_at("decoding.out"), seed);
    const Gradients full = gradients(trace, trace.id_at("blocks.1.resid_post"), seed);
    for (const Tensor& leaf : trace.tensors()) {
        const TensorId id = trace.id_at(leaf.path());
        if (!leaf.is_leaf() || !full[id] || leaf.quantity() == Quantity::Mask) continue;
        REQUIRE_MESSAGE(cached[id], leaf.path());
        CHECK_MESSAGE(distance(*cached[id], *full[id]) < 100 * kClose, leaf.path());
    }
}

TEST_CASE("decoding: a step has one query, and one more key and value than the step before") {
    const Trace trace = decoded("it was too wide", causal_stack());
    const std::string head = "blocks.0.attn.heads.1.";
    for (Index t = 0; t < 4; ++t) {
        const std::string step = "decoding.steps." + std::to_string(t) + "." + head;
        CHECK(distance(value(trace, step + "q"), value(trace, head + "q").row(t)) < kClose);
        CHECK(distance(value(trace, step + "k"), value(trace, head + "k").topRows(t + 1)) < kClose);
        CHECK(distance(value(trace, step + "v"), value(trace, head + "v").topRows(t + 1)) < kClose);
        CHECK(distance(value(trace, step + "pattern"),
                       value(trace, head + "pattern").row(t).head(t + 1)) < kClose);
        if (t > 0) CHECK(value(trace, step + "k_new").rows() == 1);
    }
    const std::string last = "decoding.steps.3." + head;
    CHECK(is_same(value(trace, last + "k").topRows(3),
                  value(trace, "decoding.steps.2." + head + "k")));
    CHECK(cell_name(trace, trace.id_at(last + "pattern"), 0, 2) == "A(wide, too)");
    CHECK(cell_name(trace, trace.id_at(last + "k"), 1, 0) == "K(was, 0)");
    CHECK(cell_name(trace, trace.id_at(last + "k_new"), 0, 0) == "K(wide, 0)");
}

TEST_CASE("decoding: later words do not change earlier steps") {
    StackSettings settings = causal_stack();
    settings.n_layers = 2;
    settings.block.mlp = Mlp::Gelu;
    const Trace before = decoded("it was too wide", settings);
    const Trace after = decoded("it was too narrow and old", settings);
    for (const Tensor& tensor : before.tensors())
        for (const char* step : {"decoding.steps.0.", "decoding.steps.1.", "decoding.steps.2."})
            if (tensor.path().starts_with(step))
                CHECK_MESSAGE(is_same(*tensor.value, value(after, tensor.path())), tensor.path());
    CHECK_FALSE(is_same(value(before, "decoding.out").row(3), value(after, "decoding.out").row(3)));
}

TEST_CASE("decoding.work: multiply-adds match a count by hand") {
    // d_model 6, two heads of d_k = 3, d_v = 3. Full pass of m words: each head Q, K, V, scores and
    // Z; then W_O.
    const Trace trace = decoded("it was too", causal_stack());
    const Matrix& work = value(trace, "decoding.work");
    for (Index t = 0; t < 3; ++t) {
        const Index m = t + 1;
        const Scalar full = 2 * (3 * product(m, 6, 3) + 2 * product(m, 3, m)) + product(m, 6, 6);
        const Scalar cached = 2 * (3 * product(1, 6, 3) + 2 * product(1, 3, m)) + product(1, 6, 6);
        CHECK(work(t, 0) == full);
        CHECK(work(t, 1) == cached);
    }
    CHECK(work(0, 0) == work(0, 1));
    CHECK(work(2, 1) != work(2, 0));
    const Explanation e = explain(trace, trace.id_at("decoding.work"), 2, 1);
    CHECK(e.finish.front().what == "projections 108 + scores 18 + mixes 18 + output 36");
    CHECK(e.result() == 180);
}

TEST_CASE(
    "decoding.work: it counts the MLP and hidden layers of scores, and nothing that is not "
    "needed") {
    StackSettings settings = causal_stack();
    settings.attention.score = Score::Additive;
    settings.attention.d_hidden = 5;
    settings.block.mlp = Mlp::Relu;
    settings.block.d_ff = 7;
    const Matrix work = value(decoded("it was", settings), "decoding.work");
    // beside Q, K, V: Q W_query, K W_key, v · tanh(…), Z; W_O; W_in and W_out
    const Scalar cached =
        2 * (3 * product(1, 6, 3) + 2 * product(1, 3, 5) + product(1, 5, 2) + product(1, 2, 3)) +
        product(1, 6, 6) + 2 * product(1, 6, 7);
    CHECK(work(1, 1) == cached);
}

TEST_CASE("decoding: nothing is computed until it is watched") {
    const Trace trace = compute(plan_decoded(kText, causal_stack()), {}, {}, nullptr);
    for (const Tensor& tensor : trace.tensors())
        if (tensor.path().starts_with("decoding.")) CHECK_MESSAGE(!tensor.value, tensor.path());
}

TEST_CASE("decoding: one word works, and errors are sentences") {
    CHECK(value(decoded("it", causal_stack()), "decoding.difference").cwiseAbs().maxCoeff() <
          kClose);
    StackSettings settings = causal_stack();
    CHECK(refusal(settings, {{"it", "was"}, {"so"}}) ==
          "[decoding] one sentence is decoded at a time, and there are 2; leave one, or turn "
          "decoding off");
    CHECK(refusal(settings, {Words(2000, "it")}) ==
          "[decoding] 2000 words are too many to decode with 1 layer of 2 heads; use at most 606 "
          "words");
    settings.mask.causal = Switch::Off;
    CHECK(refusal(settings, {{"it"}}) ==
          "[decoding] a sentence whose words read later ones cannot be decoded word by word; make "
          "the mask causal");
}

}  // namespace headlight::decoding_test
