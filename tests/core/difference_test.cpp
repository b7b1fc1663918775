#include "core/analyses/difference.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>

#include "core/error.h"
#include "core/operations/mask_operations.h"
#include "core/studies.h"
#include "stack_cases.h"
#include "traces.h"

namespace headlight::difference_test {
namespace {

/// A trace with one E × 1 tensor over these edges.
Trace edge_trace(std::vector<EdgeEnds> list) {
    Plan plan;
    const Edges edges = make_edges(3, std::move(list));
    plan.edges = std::make_shared<const Edges>(edges);
    plan.add({.path = "pattern",
              .symbol = "A",
              .equation = "A",
              .rows = {AxisKind::Edge, edges.size()}});
    return Trace(std::move(plan));
}

}  // namespace

TEST_CASE("difference: cell by cell, with the largest and the mean magnitude") {
    const Difference d = difference(Matrix{{1, 2}, {3, 4}}, Matrix{{1, 5}, {2.5, 4}});
    CHECK(*d.values == Matrix{{0, -3}, {0.5, 0}});
    CHECK(d.largest == -3);
    CHECK(d.row == 0);
    CHECK(d.column == 1);
    CHECK(d.mean_magnitude == 0.875);
    CHECK(d.n_finite == 4);
    CHECK(d.n_one_sided == 0);
}

TEST_CASE("difference: B − A is its negative, A − A is nothing") {
    const Matrix a{{1, -2, 0.5}}, b{{0, 4, 0.25}};
    CHECK(*difference(a, b).values == -*difference(b, a).values);
    CHECK(difference(a, b).largest == -difference(b, a).largest);
    const Difference none = difference(a, a);
    CHECK(none.values->isZero(0));
    CHECK(none.largest == 0);
    CHECK(none.mean_magnitude == 0);
}

TEST_CASE("difference: masked in both is masked; masked in one is NaN, and counted") {
    const Difference d =
        difference(Matrix{{kMasked, kMasked, 1, 2}}, Matrix{{kMasked, 3, kMasked, 5}});
    CHECK((*d.values)(0, 0) == kMasked);
    CHECK(std::isnan((*d.values)(0, 1)));
    CHECK(std::isnan((*d.values)(0, 2)));
    CHECK(d.largest == -3);
    CHECK(d.column == 3);
    CHECK(d.mean_magnitude == 3);
    CHECK(d.n_finite == 1);
    CHECK(d.n_one_sided == 2);
}

TEST_CASE("difference: without a finite cell there is no largest difference") {
    const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
    const Difference d = difference(Matrix{{kMasked, nan}}, Matrix{{kMasked, nan}});
    CHECK(d.n_finite == 0);
    CHECK(d.n_one_sided == 0);
    CHECK(d.largest == 0);
    CHECK(d.mean_magnitude == 0);
    CHECK(difference(Matrix(0, 3), Matrix(0, 3)).n_finite == 0);
}

TEST_CASE("difference: different shapes are an error that names both") {
    CHECK_THROWS_WITH_AS(difference(Matrix::Zero(12, 12), Matrix::Zero(9, 9)),
                         "[difference] 12 × 12 and 9 × 9 cannot be subtracted", Error);
    CHECK_THROWS_AS(row_distances(Matrix::Zero(2, 3), Matrix::Zero(3, 2)), Error);
}

TEST_CASE("row_distances: 0 for equal rows, 1 for rows that share nothing") {
    const Matrix a{{1, 0}, {0.5, 0.5}}, b{{0, 1}, {0.5, 0.5}};
    CHECK(row_distances(a, a).total_variation == 0);
    CHECK(row_distances(a, a).jensen_shannon_bits == 0);
    CHECK(row_distances(a, b).total_variation == 0.5);
    CHECK(row_distances(a, b).jensen_shannon_bits == 0.5);
}

TEST_CASE("row_distances: a value in between, computed by hand") {
    const RowDistances d = row_distances(Matrix{{1, 0}}, Matrix{{0.5, 0.5}});
    CHECK(d.total_variation == 0.5);
    // M = (3/4, 1/4): ½ log₂(4/3) + ½ (½ log₂(2/3) + ½ log₂ 2)
    const double by_hand =
        0.5 * std::log2(4.0 / 3) + 0.5 * (0.5 * std::log2(2.0 / 3) + 0.5 * std::log2(2.0));
    CHECK(d.jensen_shannon_bits == doctest::Approx(by_hand));
}

TEST_CASE("row_distances: fully masked rows do not count, and the distance is symmetric") {
    const Matrix a{{0, 0}, {0.9, 0.1}}, b{{0, 0}, {0.2, 0.8}};
    CHECK(row_distances(a, b).total_variation == doctest::Approx(0.7));
    CHECK(row_distances(a, b).jensen_shannon_bits ==
          doctest::Approx(row_distances(b, a).jensen_shannon_bits));
    CHECK(row_distances(Matrix::Zero(2, 2), Matrix::Zero(2, 2)).total_variation == 0);
}

TEST_CASE("row_distances, difference: rows that are not counted change no number") {
    const Matrix a{{1, 0}, {0, 1}}, b{{1, 0}, {1, 0}};
    const CountedRows first = std::make_shared<const std::vector<Index>>(1, 0);
    CHECK(row_distances(a, b).total_variation == 0.5);
    CHECK(row_distances(a, b, nullptr, first).total_variation == 0);
    CHECK(difference(a, b).largest != 0);
    CHECK(difference(a, b, first).largest == 0);
    CHECK(difference(a, b, first).n_finite == 2);
    CHECK((*difference(a, b, first).values)(1, 1) == 1);
}

TEST_CASE("row_distances: padding of a shorter sentence does not count") {
    const StackSettings one, two{.attention = {.temperature = 3}};
    const auto pattern = [](const char* text, const StackSettings& settings) {
        return sentences(text, settings);
    };
    const std::string path = "blocks.0.attn.heads.0.pattern";
    const Trace a = pattern("the cat saw the moon\nit slept", one),
                b = pattern("the cat saw the moon\nit slept", two);
    const Matrix &A = *a.at(path).value, &B = *b.at(path).value;
    double sum = 0;
    for (const Index i : {0, 1, 2, 3, 4, 5, 6}) sum += (A.row(i) - B.row(i)).cwiseAbs().sum() / 2;
    CHECK(row_distances(TensorIn{a, a.at(path)}, B).total_variation == doctest::Approx(sum / 7));
}

TEST_CASE("row_distances: the edges of a node are one row") {
    const Edges edges = make_edges(3, {{0, 0}, {0, 1}, {2, 1}, {2, 2}});
    const Matrix a{{1}, {0}, {0.5}, {0.5}}, b{{0}, {1}, {0.5}, {0.5}};
    CHECK(row_distances(a, b, &edges).total_variation == 0.5);
    CHECK(row_distances(a, b).total_variation != 0.5);
}

TEST_CASE("why_not_subtracted: different shapes, and different edges") {
    const Trace two = edge_trace({{0, 1}, {1, 0}}), three = edge_trace({{0, 1}, {1, 0}, {2, 0}}),
                others = edge_trace({{0, 1}, {1, 2}});
    const auto why = [](const Trace& a, const Trace& b) {
        return why_not_subtracted({a, a[0]}, {b, b[0]});
    };
    CHECK(why(two, two).empty());
    CHECK(why(two, three) == "2 × 1 and 3 × 1 cannot be subtracted");
    CHECK(why(two, others) == "row by row these are other edges; they cannot be subtracted");
}

TEST_CASE("why_not_subtracted: padding is not a word") {
    const auto words = [](std::vector<std::string> names) {
        Plan plan;
        plan.lists[0].names = std::make_shared<const std::vector<std::string>>(names);
        plan.add({.path = "embed",
                  .symbol = "X",
                  .equation = "X",
                  .rows = {AxisKind::Item, static_cast<Index>(names.size())}});
        return Trace(std::move(plan));
    };
    const Trace three = words({"a", "b", "c"}), two = words({"a", "b", std::string(kPaddingWord)});
    CHECK(why_not_subtracted({three, three[0]}, {three, three[0]}).empty());
    CHECK(why_not_subtracted({three, three[0]}, {two, two[0]}) ==
          "3 and 2 words cannot be subtracted");
}

TEST_CASE("match_by_name: equal words match, wherever they are") {
    const auto logits = [](const char* noun, std::vector<std::string> words, Matrix values) {
        Plan plan;
        plan.lists[0].names = std::make_shared<const std::vector<std::string>>(2, "x");
        const auto n = static_cast<Index>(words.size());
        plan.add({.path = "logits",
                  .symbol = "L",
                  .equation = "L",
                  .rows = {AxisKind::Item, 2},
                  .columns = {AxisKind::Named, n, plan.add_list(noun, std::move(words))}});
        return trace_with(std::move(plan), {values});
    };
    const Trace a = logits("vocabulary", {"cat", "sat", "wide"}, Matrix{{1, 2, 3}, {4, 5, 6}}),
                b = logits("vocabulary", {"sat", "dog", "cat", "it"},
                           Matrix{{1, 9, 1, 9}, {1, 9, 2, 9}}),
                other = logits("vocabulary", {"dog"}, Matrix{{1}, {2}});
    const TensorIn in_a{a, a[0]}, in_b{b, b[0]};
    CHECK(why_not_subtracted(in_a, in_b).empty());
    const MatchedValues matched = match_by_name(in_a, in_b);
    CHECK(matched.only_in_a == std::vector<std::string>{"wide"});
    CHECK(matched.only_in_b == std::vector<std::string>{"dog", "it"});
    CHECK(partners_text(matched) == "no partner in B: wide; in A: dog, it");
    const Difference d = difference(in_a, matched);
    CHECK(d.values->leftCols(2) == Matrix{{0, 1}, {2, 4}});
    CHECK(std::isnan((*d.values)(0, 2)));
    CHECK(d.n_finite == 4);
    CHECK(d.n_one_sided == 0);
    CHECK(d.largest == 4);
    CHECK(match_by_name(in_a, in_a).values == a[0].value);
    CHECK(why_not_subtracted(in_a, {other, other[0]}) ==
          "they have no word in common; they cannot be subtracted");
    const Trace pairs_a = logits("pair", {"a → b"}, Matrix{{1}, {2}}),
                pairs_b = logits("pair", {"a → c"}, Matrix{{3}, {5}});
    CHECK(match_by_name({pairs_a, pairs_a[0]}, {pairs_b, pairs_b[0]}).values == pairs_b[0].value);
}

TEST_CASE("difference_tensor: it replaces A's tensor, is signed, and has no interventions") {
    Tensor a(std::make_shared<const PlannedTensor>(PlannedTensor{
        .path = "p",
        .symbol = "A",
        .equation = "A = softmax(S)",
        .quantity = Quantity::Probability,
    }));
    a.intervention.set(0, 0, 1);
    const Tensor d = difference_tensor(a, std::make_shared<const Matrix>(Matrix{{-0.5}}));
    CHECK(d.path() == "p");
    CHECK(d.quantity() == Quantity::Signed);
    CHECK(d.intervention.cells.empty());
    CHECK((*d.value)(0, 0) == Scalar(-0.5));
}

}  // namespace headlight::difference_test
