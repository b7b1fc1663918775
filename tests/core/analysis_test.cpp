// Metrics of heads and attention across layers, on patterns whose answers are known.
#include <cmath>
#include <doctest/doctest.h>
#include <limits>

#include "core/analyses/head_metrics.h"
#include "core/operations/analysis_operations.h"
#include "core/stack_cases.h"
#include "core/studies.h"

namespace headlight::analysis_test {
namespace {

/// The metrics of a trace whose first head's pattern is pinned.
Matrix metrics_of(const std::string& text, const Matrix& pattern) {
    const std::string head = "blocks.0.attn.heads.0";
    return value(sentences(text, plain_stack(), {{head + ".pattern", intervene_on_all(pattern)}}),
                 head + ".metrics");
}

Scalar metric(const Matrix& metrics, HeadMetric which, Index row = 0) {
    return metrics(row, static_cast<Index>(which));
}

/// The label of a head if chance levels are 0.
std::optional<HeadLabel> label_of(const Matrix& metrics) {
    const std::vector<Scalar> never(head_metric_names().size(), 0);
    return head_label(metrics, never);
}

Matrix previous_token(Index n) {
    Matrix A = Matrix::Zero(n, n);
    A(0, 0) = 1;
    for (Index i = 1; i < n; ++i) A(i, i - 1) = 1;
    return A;
}

constexpr Scalar kExact = Scalar(1e-6);

}  // namespace

TEST_CASE("metrics: a head that reads the previous word") {
    const Matrix m = metrics_of("a b c d e", previous_token(5));
    CHECK(metric(m, HeadMetric::Previous) == doctest::Approx(1));
    CHECK(metric(m, HeadMetric::Next) == 0);
    CHECK(metric(m, HeadMetric::First) == doctest::Approx(0.25));
    CHECK(metric(m, HeadMetric::Entropy) == doctest::Approx(0));
    CHECK(metric(m, HeadMetric::Distance) == doctest::Approx(0.8));
    CHECK(metric(m, HeadMetric::Sparsity) == doctest::Approx(1));
    CHECK(metric(m, HeadMetric::Symmetry) == doctest::Approx(0.2));
    CHECK(metric(m, HeadMetric::Duplicate) == 0);
    const auto label = label_of(m);
    REQUIRE(label);
    CHECK(std::string(label_text(label->metric)) == "previous token");
    CHECK(label->value == doctest::Approx(1));
}

TEST_CASE("metrics: they are means over the words of all sentences, without padding") {
    // Means over the queries of all sentences: five words and two.
    const auto metrics = [](const char* text) {
        return value(sentences(text, plain_stack()), "blocks.0.attn.heads.0.metrics");
    };
    const Matrix five = metrics("a b a b b"), two = metrics("c d"),
                 both = metrics("a b a b b\nc d");
    for (const HeadMetric metric :
         {HeadMetric::Entropy, HeadMetric::Distance, HeadMetric::Sparsity, HeadMetric::Norm}) {
        const auto m = static_cast<Index>(metric);
        CHECK(both(0, m) == doctest::Approx((5 * five(0, m) + 2 * two(0, m)) / 7).epsilon(1e-4));
    }
}

TEST_CASE("metrics: sparsity is a mean over the words that have several to read") {
    const auto sparsity = [](const char* text, Index row) {
        return metric(value(sentences(text, plain_stack()), "blocks.0.attn.heads.0.metrics"),
                      HeadMetric::Sparsity, row);
    };
    const Scalar five = sparsity("a b c d e", 0);
    CHECK(five > 0);
    CHECK(sparsity("a b c d e\nf", 0) == doctest::Approx(five).epsilon(1e-4));
    // Without the first words, those of the second sentence have themselves alone to read.
    CHECK(sparsity("a b c d e\nf g", 1) == doctest::Approx(sparsity("a b c d e", 1)).epsilon(1e-4));
}

TEST_CASE("metrics: without the first token, a text of two has no sparsity and no neighbour") {
    const Trace trace = sentences("a b", plain_stack());
    Tensor metrics = trace.at("blocks.0.attn.heads.0.metrics");
    metrics.value = std::make_shared<const Matrix>(value(trace, metrics.path()));
    for (const HeadMetric which : {HeadMetric::Sparsity, HeadMetric::Previous, HeadMetric::First}) {
        CHECK_FALSE(std::isnan(measured_metric(metrics, which, MetricRows::All)));
        CHECK(std::isnan(measured_metric(metrics, which, MetricRows::WithoutFirst)));
        CHECK(texts_without(which, MetricRows::WithoutFirst) == "of one or two tokens");
    }
}

TEST_CASE("metrics: a head that reads everything equally has the greatest entropy and no label") {
    const Matrix m = metrics_of("a b c d e f g h", Matrix::Constant(8, 8, Scalar(0.125)));
    CHECK(metric(m, HeadMetric::Entropy) == doctest::Approx(3));
    CHECK(metric(m, HeadMetric::Sparsity) == doctest::Approx(0).epsilon(1e-5));
    CHECK(metric(m, HeadMetric::Symmetry) == doctest::Approx(1));
    CHECK(metric(m, HeadMetric::Entropy, 1) == doctest::Approx(std::log2(7.0)));
    CHECK_FALSE(label_of(m));
}

TEST_CASE("metrics: leaving out the first token removes a sink") {
    Matrix A = Matrix::Constant(5, 5, Scalar(0.025));
    A.col(0).setConstant(Scalar(0.9));
    const Matrix m = metrics_of("a b c d e", A);
    CHECK(metric(m, HeadMetric::First) == doctest::Approx(0.9));
    CHECK(metric(m, HeadMetric::First, 1) == doctest::Approx(0.25));
    CHECK(metric(m, HeadMetric::Entropy, 1) == doctest::Approx(2));
    CHECK(std::string(label_text(label_of(m)->metric)) == "first token");
}

TEST_CASE("metrics: duplicates are earlier occurrences of the same word") {
    Matrix A = Matrix::Identity(5, 5);
    A.row(3) << Scalar(0.7), 0, 0, Scalar(0.3), 0;  // "a" again
    const Matrix m = metrics_of("a b c a d", A);
    CHECK(metric(m, HeadMetric::Duplicate) == doctest::Approx(0.7));
    CHECK(metric(m, HeadMetric::Duplicate, 1) == 0);
}

TEST_CASE("metrics: induction is measured on the probe") {
    const std::string head = "blocks.0.attn.heads.0";
    Matrix A = Matrix::Identity(16, 16);
    for (Index i = 8; i < 16; ++i) {
        A.row(i).setZero();
        A(i, i - 7) = 1;
    }
    const Trace trace =
        sentences("a b", plain_stack(), {{"probe." + head + ".pattern", intervene_on_all(A)}});
    CHECK(metric(value(trace, head + ".metrics"), HeadMetric::Induction) == doctest::Approx(1));
    CHECK(value(trace, "metrics.induction")(0, 0) == doctest::Approx(1));
    CHECK(value(trace, "metrics.induction")(1, 0) < 0.5);
}

TEST_CASE("metrics: induction is measured on the text if it repeats itself as often as the probe") {
    const std::string twice = "a b c d e f g h a b c d e f g h";
    Matrix A = Matrix::Constant(16, 16, Scalar(0.1) / 15);
    for (Index i = 0; i < 16; ++i) A(i, i < 8 ? i : i - 7) = Scalar(0.9);
    CHECK(metric(metrics_of(twice, A), HeadMetric::Induction) == doctest::Approx(0.9));
    const Trace repeated = sentences(twice, plain_stack()),
                mixed = sentences("a b c d a b c d", plain_stack());
    CHECK(repeated.at("metrics.induction").equation() ==
          "of every head, where the text repeats itself");
    CHECK(induction_place(repeated) == "where the text repeats itself");
    CHECK(induction_place(mixed) == "on 8 random words said twice");
}

TEST_CASE("metrics: padding of other sentences changes nothing") {
    const std::string path = "blocks.1.attn.heads.1.metrics";
    const Matrix alone = value(sentences("the cat was tired", plain_stack()), path);
    const Matrix twice =
        value(sentences("the cat was tired\nthe cat was tired", plain_stack()), path);
    CHECK(distance(alone, twice) < 1e-5);
    const Matrix padded = value(sentences("the cat was tired\nit", plain_stack()), path);
    CHECK(metric(padded, HeadMetric::Previous) ==
          doctest::Approx(metric(alone, HeadMetric::Previous)));
}

TEST_CASE("rollout and flow: rows sum to 1; one layer without residual gives its own pattern") {
    for (const auto& [name, settings] : stack_cases()) {
        const Trace trace = sentences("it was too\nus", settings);
        for (const char* path : {"across.rollout", "across.flow"}) {
            const Matrix& R = value(trace, path);
            for (Index i = 0; i < R.rows(); ++i)
                CHECK_MESSAGE(std::abs(R.row(i).sum() - 1) < 1e-5, name << " " << path);
        }
        CHECK_MESSAGE(value(trace, "across.gradient").minCoeff() >= 0, name);
    }
    StackSettings one = plain_stack();
    one.n_layers = 1;
    one.block.residual = Switch::Off;
    const Trace trace = sentences("it was too tired", one);
    const Matrix mean = (value(trace, "blocks.0.attn.heads.0.pattern") +
                         value(trace, "blocks.0.attn.heads.1.pattern")) /
                        2;
    for (const char* path : {"across.mean.0", "across.rollout", "across.flow"})
        CHECK(distance(value(trace, path), mean) < kExact);
}

TEST_CASE("flow: a pattern with NaN or infinity lets nothing through") {
    for (const Scalar bad :
         {std::numeric_limits<Scalar>::quiet_NaN(), std::numeric_limits<Scalar>::infinity()}) {
        Matrix lower = Matrix::Identity(3, 3), upper = Matrix::Constant(3, 3, Scalar(1) / 3);
        lower(1, 2) = bad;
        const ConstView views[] = {{lower.data(), 3, 3}, {upper.data(), 3, 3}};
        const OperationSettings settings;
        Matrix F = Matrix::Zero(3, 3);
        operations::attention_flow.forward({views, settings, 3, 3}, View(F.data(), 3, 3));
        CHECK(F.array().isNaN().all());
    }
}

TEST_CASE("flow: it is never more than the narrowest cut") {
    // Two layers: word 0 reads only 1, which reads 1 and 2 equally; the flow to 2 is one half.
    Matrix upper = Matrix::Identity(3, 3), lower = Matrix::Identity(3, 3);
    upper.row(0) << 0, 1, 0;
    lower.row(1) << 0, Scalar(0.5), Scalar(0.5);
    const ConstView views[] = {{lower.data(), 3, 3}, {upper.data(), 3, 3}};
    const OperationSettings settings;
    Matrix F(3, 3);
    operations::attention_flow.forward({views, settings, 3, 3}, View(F.data(), 3, 3));
    CHECK(F(0, 0) == 0);
    CHECK(F(0, 1) == doctest::Approx(0.5));
    CHECK(F(0, 2) == doctest::Approx(0.5));
    CHECK(F(1, 2) == doctest::Approx(0.5));
    CHECK(F(2, 2) == doctest::Approx(1));
}

}  // namespace headlight::analysis_test
