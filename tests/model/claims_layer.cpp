// The statements of the studies about positions and layers.
#include <cmath>

#include "core/analyses/head_metrics.h"
#include "core/batch.h"
#include "model/claims.h"

namespace headlight::claims_test {
namespace {

void check_alibi() {
    const Trace trace = computed(ready("alibi"));
    const std::vector<Matrix> all = all_heads(trace, "position_scores");
    for (const Matrix& B : all)
        for (Index i = 0; i < B.rows(); ++i)
            for (Index j = 0; j < B.cols(); ++j)
                CHECK(B(i, j) == doctest::Approx(B(0, 1) * static_cast<Scalar>(std::abs(i - j))));
    for (std::size_t h = 0; h < all.size(); ++h) {
        CHECK(all[h](0, 1) < 0);
        for (std::size_t other = 0; other < h; ++other) CHECK(all[h](0, 1) != all[other](0, 1));
    }
}

/// Checks that equal words have equal rows in every tensor, from X to the output.
void check_no_positions() {
    const Trace trace = computed(ready("no-positions"));
    const std::vector<Index> words = word_numbers(trace.items());
    int n_pairs = 0;
    for (const Tensor& tensor : trace.tensors()) {
        const bool is_computed = tensor.path().starts_with("blocks.") && tensor.value &&
                                 tensor.rows().size == std::ssize(words) &&
                                 tensor.rows().list == 0 && tensor.rows().kind != AxisKind::Named &&
                                 tensor.rows().kind != AxisKind::Model &&
                                 tensor.rows().kind != AxisKind::Concat;
        if (!is_computed) continue;
        const Matrix& X = *tensor.value;
        for (Index i = 0; i < X.rows(); ++i)
            for (Index j = 0; j < i; ++j)
                if (words[static_cast<std::size_t>(i)] == words[static_cast<std::size_t>(j)]) {
                    ++n_pairs;
                    CHECK_MESSAGE((X.row(i) - X.row(j)).cwiseAbs().maxCoeff() < Scalar(1e-5),
                                  tensor.path());
                }
    }
    CHECK(n_pairs > 20);
}

void check_rope() {
    const Trace trace = changed("rope", [](Document& d) { d.sentence()->text = "x y z x y z"; });
    for (const Matrix& S : all_heads(trace, "scores"))
        for (Index i = 0; i < 3; ++i)
            for (Index j = 0; j < 3; ++j)
                CHECK(S(i, j) == doctest::Approx(S(i + 3, j + 3)).epsilon(1e-3));
}

void check_quadratic() {
    const Trace trace = computed(ready("quadratic"));
    for (std::size_t h = 0; h < 4; ++h) {
        const Matrix& S = at(trace, head(static_cast<int>(h), "position_scores"));
        const auto offset =
            static_cast<Index>(at(trace, head(static_cast<int>(h), "center"))(0, 0));
        Index largest = 0;
        S.row(5).maxCoeff(&largest);
        CHECK(largest == 5 + offset);
        CHECK(std::abs(offset) <= 2);
    }
}

void check_language_model() {
    const Trace trace = computed(ready("language-model"));
    const Matrix& p = at(trace, "probs");
    CHECK(far(p.rowwise().sum(), Matrix::Ones(p.rows(), 1)) < Scalar(1e-5));
    CHECK((patterns(trace)[0].triangularView<Eigen::StrictlyUpper>().toDenseMatrix().array() == 0)
              .all());
}

void check_kv_cache() {
    const Trace trace = computed(ready("kv-cache"));
    const Matrix& work = at(trace, "decoding.work");
    CHECK(work(work.rows() - 1, 1) < work(work.rows() - 1, 0));
    CHECK(work.col(1).sum() < work.col(0).sum());
}

void check_batch() {
    const Trace trace = computed(ready("batch"));
    REQUIRE(count_sentences(trace) == 3);
    const Trace last = trace_of_sentence(trace, 2);
    const Matrix& A = at(last, head(0, "pattern"));
    for (Index j = 0; j < A.cols(); ++j)
        if (last.items()[static_cast<std::size_t>(j)] == "<pad>")
            CHECK((A.col(j).array() == 0).all());
    CHECK(last.items().back() == "<pad>");
}

void check_rollout() {
    const Trace trace = computed(ready("rollout"));
    CHECK(has(trace, "blocks.3.resid_pre"));
    for (const char* path : {"across.mean.3", "across.rollout", "across.flow", "across.gradient"})
        CHECK_MESSAGE(has(trace, path), path);
}

}  // namespace

Claims layer_claims() {
    return {
        {"alibi",
         {"Scores fall with the distance, in each head with a different slope.", check_alibi}},
        {"t5-bias",
         {"A bias for each bucket of distances, as in T5: edit one of them.",
          [] { check_has("t5-bias", {"blocks.0.attn.rel_bias"}); }}},
        {"no-positions",
         {"Without positions, equal words have equal rows up to the output.", check_no_positions}},
        {"learned-positions",
         {"A vector for each position, random like a weight, is added to X.",
          [] {
              const Trace trace = computed(ready("learned-positions"));
              CHECK(far(at(trace, "blocks.0.resid_pre"),
                        at(trace, "embed") + at(trace, "pos_embed")) == 0);
          }}},
        {"rope",
         {"Queries and keys rotate with their positions: only the distance counts.", check_rope}},
        {"shaw",
         {"Distances have their own keys and values, clipped at max distance.",
          [] {
              const Trace trace = computed(ready("shaw"));
              CHECK(at(trace, "blocks.0.attn.rel_K").rows() == 2 * 4 + 1);
              CHECK(at(trace, "blocks.0.attn.rel_V").rows() == 2 * 4 + 1);
          }}},
        {"quadratic",
         {"Each head prefers one distance, its center: the word itself or one near it; alpha says "
          "how much.",
          check_quadratic}},
        {"encoder",
         {"Two Transformer layers: attention, MLP, layer norm before each.",
          [] {
              check_has("encoder", {"blocks.1.ln1.out", "blocks.1.ln2.out", "blocks.1.mlp.out",
                                    "blocks.1.attn.out"});
          }}},
        {"post-norm",
         {"The same with the layer norm after each part, as in 2017.",
          [] {
              check_has("post-norm", {"blocks.1.ln1.in", "blocks.1.ln2.in"});
          }}},
        {"language-model",
         {"A causal stack that ends in a probability for each word to come next.",
          check_language_model}},
        {"kv-cache",
         {"Decoding word by word with cached keys and values, and the work that it saves.",
          check_kv_cache}},
        {"batch",
         {"Three sentences at once; the shorter ones are padded, and padding is masked.",
          check_batch}},
        {"rollout",
         {"Four layers: follow attention through all of them, in four ways.", check_rollout}},
        {"head-metrics",
         {"Four layers of twelve heads, each with ten numbers that say how it reads.",
          [] {
              check_has("head-metrics", {"blocks.3.attn.heads.11.metrics"});
              CHECK(head_metric_names().size() == 10);
          }}},
    };
}

}  // namespace headlight::claims_test
