// Composition scores of heads against whole circuits, and what random ones reach.
#include "core/analyses/composition.h"

#include <cmath>
#include <doctest/doctest.h>

#include "core/compute.h"
#include "core/mechanisms/transformer.h"
#include "core/studies.h"

namespace headlight::composition_test {
namespace {

StackSettings three_layers() {
    StackSettings s;
    s.n_layers = 3;
    s.d_model = 12;
    s.attention.n_heads = 2;
    s.block.norm = Norm::Pre;
    s.block.mlp = Mlp::None;
    return s;
}

Trace evaluated(const StackSettings& settings, const Interventions& set = {}) {
    return compute(plan_sentences({{"a", "b"}}, settings, 3), set, {.everything = true}, nullptr);
}

/// What reads the residual stream after a norm: its gain and the subtraction of the mean are
/// linear.
Matrix folded(const Trace& trace, int layer, const Matrix& W) {
    const Matrix gain = value(trace, "blocks." + std::to_string(layer) + ".ln1.w");
    const Index d = W.rows();
    const Matrix centring = Matrix::Identity(d, d) - Matrix::Constant(d, d, Scalar(1) / d);
    return centring * gain.row(0).asDiagonal() * W;
}

Matrix head_weight(const Trace& trace, int layer, int head, const std::string& name) {
    return value(trace, "blocks." + std::to_string(layer) + ".attn.heads." + std::to_string(head) +
                            "." + name);
}

Matrix value_output(const Trace& trace, int layer, int head) {
    const Matrix W_O = value(trace, "blocks." + std::to_string(layer) + ".attn.W_O");
    return folded(trace, layer, head_weight(trace, layer, head, "W_V")) *
           W_O.middleRows(6 * head, 6);
}

/// A whole d_model × d_model circuit that the head reads by.
Matrix reads(const Trace& trace, Composition by, int layer, int head) {
    if (by == Composition::Value) return value_output(trace, layer, head);
    const Matrix QK = folded(trace, layer, head_weight(trace, layer, head, "W_Q")) *
                      folded(trace, layer, head_weight(trace, layer, head, "W_K")).transpose();
    return by == Composition::Query ? QK : Matrix(QK.transpose());
}

Interventions gains() {
    Interventions set;
    for (int l = 0; l < 3; ++l)
        for (Index d = 0; d < 12; ++d)
            set["blocks." + std::to_string(l) + ".ln1.w"].set(0, d, Scalar(0.3) * (d % 5 - l) + 1);
    return set;
}

}  // namespace

TEST_CASE("a composition score is the norm of whole circuits' product over their norms") {
    const Trace trace = evaluated(three_layers(), gains());
    for (int c = 0; c < kCompositions; ++c) {
        const auto by = static_cast<Composition>(c);
        const Tensor& scores = trace.at(composition_path(by));
        REQUIRE(scores.rows().size == 4);
        REQUIRE(scores.columns().size == 4);
        CHECK(axis_label(trace, scores.rows(), 0) == "1.0");
        CHECK(axis_label(trace, scores.columns(), 3) == "1.1");
        for (Index i = 0; i < 4; ++i)
            for (Index j = 0; j < 4; ++j) {
                const int later = 1 + static_cast<int>(i / 2), earlier = static_cast<int>(j / 2);
                double expected = 0;
                if (earlier < later) {
                    const Matrix writes = value_output(trace, earlier, static_cast<int>(j % 2)),
                                 read = reads(trace, by, later, static_cast<int>(i % 2));
                    expected =
                        static_cast<double>((writes * read).norm() / (writes.norm() * read.norm()));
                }
                CHECK(static_cast<double>((*scores.value)(i, j)) ==
                      doctest::Approx(expected).epsilon(1e-5));
            }
    }
}

TEST_CASE("a score does not know how large weights are, and reaches 1 where all is read") {
    Interventions set;
    Matrix W_O = Matrix::Zero(12, 12), W = Matrix::Zero(12, 6);
    W_O(0, 3) = 5;  // head 0 writes one direction …
    W(3, 0) = 7;    // … which later queries read, and keys do not
    StackSettings s = three_layers();
    s.block.norm = Norm::None;
    set["blocks.0.attn.W_O"] = intervene_on_all(W_O);
    set["blocks.1.attn.heads.0.W_Q"] = intervene_on_all(W);
    W.setZero();
    W(4, 0) = 1;
    set["blocks.1.attn.heads.0.W_K"] = intervene_on_all(W);
    const Trace trace = evaluated(s, set);
    CHECK(value(trace, "composition.Q")(0, 0) == doctest::Approx(1));
    CHECK(value(trace, "composition.K")(0, 0) == doctest::Approx(0));
    CHECK(value(trace, "composition.Q")(0, 1) == 0);  // a head that writes nothing
    const auto strongest =
        strongest_compositions(trace, {.component = ComponentKind::Attention, .layer = 1}, 0, 2);
    REQUIRE(strongest.size() == 2);
    CHECK(strongest[0].by == Composition::Query);
    CHECK(strongest[0].layer == 0);
    CHECK(strongest[0].head == 0);
    CHECK(strongest[0].score == doctest::Approx(1));
    CHECK(strongest_compositions(trace, {.component = ComponentKind::Attention, .layer = 0}, 0, 2)
              .empty());
}

TEST_CASE("random circuits compose as by chance, 1 over the root of d_model") {
    for (const int d_model : {24, 96}) {
        StackSettings s = three_layers();
        s.d_model = d_model;
        s.attention.n_heads = 6;
        const Trace trace = evaluated(s);
        const double chance = chance_of_composition(trace);
        CHECK(chance == doctest::Approx(1 / std::sqrt(d_model)));
        for (int c = 0; c < kCompositions; ++c) {
            const Matrix& scores = value(trace, composition_path(static_cast<Composition>(c)));
            const double n_pairs = static_cast<double>((scores.array() > 0).count());
            CHECK(n_pairs == 3 * 36);
            CHECK(std::sqrt(static_cast<double>(scores.squaredNorm()) / n_pairs) ==
                  doctest::Approx(chance).epsilon(0.05));
        }
    }
}

TEST_CASE("compositions are where a residual stream is read by products") {
    const auto has = [](const StackSettings& settings, const char* path) {
        return plan_sentences({{"a", "b"}}, settings, 3).find(path) != nullptr;
    };
    StackSettings s = three_layers();
    CHECK(has(s, "composition.Q"));
    CHECK(plan_sentences({{"a", "b"}}, s, 3)
              .at("composition.Q")
              .equation.ends_with("norms' gains and centring folded in"));
    s.block.norm = Norm::Post;
    CHECK(plan_sentences({{"a", "b"}}, s, 3).at("composition.Q").equation.find("folded") ==
          std::string::npos);
    s.attention.qk_norm = Switch::On;
    CHECK_FALSE(has(s, "composition.Q"));
    CHECK(has(s, "composition.V"));
    s.block.residual = Switch::Off;
    CHECK_FALSE(has(s, "composition.V"));
    s = three_layers();
    s.n_layers = 1;
    CHECK_FALSE(has(s, "composition.V"));
    s = three_layers();
    s.attention.output = Switch::Off;
    CHECK_FALSE(has(s, "composition.V"));
}

}  // namespace headlight::composition_test
