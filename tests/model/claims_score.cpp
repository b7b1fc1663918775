// The statements of the studies about scores and masks.
#include <cmath>

#include "model/claims.h"

namespace headlight::claims_test {
namespace {

void check_no_parameters() {
    const Trace trace = computed(ready("no-parameters"));
    for (const char* last : {"q", "k", "v"})
        CHECK(far(at(trace, head(0, last)), at(trace, "blocks.0.resid_pre")) == 0);
    const Matrix& A = at(trace, head(0, "pattern"));
    for (Index i = 0; i < A.rows(); ++i) {
        Index largest = 0;
        A.row(i).maxCoeff(&largest);
        CHECK(largest == i);
    }
}

void check_symmetric() {
    for (const Matrix& S : all_heads(computed(ready("shared")), "scores"))
        CHECK(far(S, S.transpose()) < Scalar(1e-5));
}

void check_head_widths() {
    const Trace trace = computed(ready("head-widths"));
    CHECK(at(trace, head(0, "q")).cols() != at(trace, head(1, "q")).cols());
    CHECK(at(trace, head(0, "v")).cols() != at(trace, head(1, "v")).cols());
    CHECK(has(trace, "blocks.0.attn.heads.0.b_Q"));
    CHECK(has(trace, "blocks.0.attn.concat"));
    CHECK(has(trace, "blocks.0.attn.W_O"));
}

void check_groups(const char* name, int n_heads, int n_groups) {
    const Trace trace = computed(ready(name));
    CHECK(all_heads(trace, "q").size() == static_cast<std::size_t>(n_heads));
    for (int g = 0; g <= n_groups; ++g) {
        const std::string path = "blocks.0.attn.kv." + std::to_string(g) + ".k";
        CHECK((trace.find(path) != nullptr) == (g < n_groups));
    }
    CHECK(far(at(trace, head(0, "q")), at(trace, head(1, "q"))) > 0);
}

void check_dot() {
    const Trace dot = computed(ready("dot")), scaled = computed(ready("attention"));
    CHECK(mean_entropy(dot) < mean_entropy(scaled));
}

void check_cosine() {
    const Document document = ready("cosine");
    CHECK(document.sentence()->layer.attention.temperature < 1);
    Document longer = document;
    const Trace trace = computed(document);
    longer.interventions[head(0, "q")] = intervene_on_all(at(trace, head(0, "q")) * 3);
    CHECK(far(at(computed(longer), head(0, "scores")), at(trace, head(0, "scores"))) <
          Scalar(1e-4));
}

void check_temperature() {
    const auto with = [](float temperature) {
        return changed("temperature", [=](Document& d) {
            d.sentence()->layer.attention.temperature = temperature;
        });
    };
    double most = 0, rows = 0;
    for (const Matrix& A : patterns(with(0.01f))) {
        most += static_cast<double>(A.rowwise().maxCoeff().sum());
        rows += static_cast<double>(A.rows());
    }
    CHECK(most / rows > 0.9);
    for (const Matrix& A : patterns(with(100)))
        CHECK(far(A, Matrix::Constant(A.rows(), A.cols(), 1 / static_cast<Scalar>(A.cols()))) <
              Scalar(0.02));
}

void check_hard() {
    const Trace trace = computed(ready("hard"));
    const Matrix &A = at(trace, head(0, "pattern")), &S = at(trace, head(0, "scores"));
    for (Index i = 0; i < A.rows(); ++i) {
        Index largest = 0;
        S.row(i).maxCoeff(&largest);
        CHECK(A(i, largest) == 1);
        CHECK(count_read(A, i) == 1);
    }
}

void check_top_k() {
    for (const Matrix& A : patterns(computed(ready("top-k"))))
        for (Index i = 0; i < A.rows(); ++i) CHECK(count_read(A, i) == 3);
}

void check_documents() {
    const Trace trace = computed(ready("documents"));
    std::vector<int> document;
    int n = 0;
    for (const std::string& word : trace.items()) {
        document.push_back(n);
        if (word == "|") ++n;
    }
    CHECK(n == 2);
    check_read(trace, [&](Index i, Index j) {
        return document[static_cast<std::size_t>(i)] == document[static_cast<std::size_t>(j)];
    });
}

}  // namespace

Claims score_claims() {
    return {
        {"attention",
         {"Multi-head self-attention as in textbooks; change anything.",
          [] { CHECK(patterns(computed(ready("attention"))).size() > 1); }}},
        {"no-parameters",
         {"Q = K = V = X: without weights each word reads itself most.", check_no_parameters}},
        {"shared", {"One matrix for queries and keys: the scores are symmetric.", check_symmetric}},
        {"head-widths",
         {"Heads of different widths, and biases: see concat and W_O.", check_head_widths}},
        {"multi-query",
         {"All heads share one K and one V; only their queries differ.",
          [] { check_groups("multi-query", 4, 1); }}},
        {"gqa",
         {"Grouped queries: eight heads share keys and values in two groups.",
          [] { check_groups("gqa", 8, 2); }}},
        {"dot",
         {"Dot products without the factor 1/√d: the rows of the pattern are sharper.", check_dot}},
        {"cosine",
         {"Only directions count; a low temperature compensates for the small scores.",
          check_cosine}},
        {"bilinear",
         {"A matrix W_a between query and key, after Luong.",
          [] { check_has("bilinear", {"blocks.0.attn.heads.0.W_a"}); }}},
        {"additive",
         {"A small network computes each score; its hidden layer is shown, too.",
          [] { check_has("additive", {"blocks.0.attn.heads.0.hidden"}); }}},
        {"temperature",
         {"Drag the temperature: at 0.01 one word gets most of a row, at 100 all get the same.",
          check_temperature}},
        {"hard", {"Each word reads only the word with the largest score.", check_hard}},
        {"top-k", {"Each word reads the three words with the largest scores.", check_top_k}},
        {"sparsemax",
         {"The nearest point of the simplex: most weights are exactly 0.",
          [] { CHECK(share_of_zeros(computed(ready("sparsemax"))) > 0.5); }}},
        {"entmax",
         {"Between softmax and sparsemax: some weights are exactly 0.",
          [] {
              const double zeros = share_of_zeros(computed(ready("entmax")));
              CHECK(zeros > 0);
              CHECK(zeros < share_of_zeros(computed(ready("sparsemax"))));
          }}},
        {"causal",
         {"No word reads a later one: the upper triangle of the pattern is 0.",
          [] { check_read(computed(ready("causal")), [](Index i, Index j) { return j <= i; }); }}},
        {"window",
         {"Each word reads itself and two neighbours on either side.",
          [] {
              check_read(computed(ready("window")),
                         [](Index i, Index j) { return std::abs(i - j) <= 2; });
          }}},
        {"dilated",
         {"Each word reads every second word: the same reach with half of the pairs.",
          [] {
              check_read(computed(ready("dilated")),
                         [](Index i, Index j) { return (i - j) % 2 == 0; });
          }}},
        {"documents",
         {"Three documents in one sequence; none reads another one.", check_documents}},
    };
}

}  // namespace headlight::claims_test
