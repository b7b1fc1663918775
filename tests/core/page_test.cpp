#include "core/page.h"

#include <doctest/doctest.h>

#include "core/explain.h"
#include "core/gradient.h"
#include "core/operations/operations.h"
#include "core/studies.h"

namespace headlight::page_test {
namespace {

constexpr Index n = 3, d = 2;

/// Attention with q = k = v = X over sentences of three words; `words` has those of all sentences.
Plan plan_stack(const std::vector<std::string>& words, const Matrix& X) {
    const auto n_rows = static_cast<Index>(words.size());
    const Index groups = n_rows / n, group_rows = groups == 1 ? 0 : n;
    Plan plan;
    plan.lists[0].names = std::make_shared<const std::vector<std::string>>(words);
    const Axis items{AxisKind::Query, n_rows, 0, groups};
    const Axis keys{AxisKind::Key, n}, width{AxisKind::Model, d};
    const auto add = [&](std::string path, Axis columns, const Operation& operation,
                         OperationSettings settings, std::vector<TensorId> in) {
        settings.group_rows = group_rows;
        return plan.add({.path = std::move(path),
                         .symbol = "T",
                         .equation = "",
                         .rows = items,
                         .columns = columns,
                         .operation = &operation,
                         .settings = std::move(settings),
                         .inputs = std::move(in)});
    };
    const TensorId x =
        add("X", width, operations::listed, {.values = std::make_shared<const Matrix>(X)}, {});
    const TensorId p = add("P", width, operations::sinusoidal_positions, {}, {});
    const TensorId sum = add("sum", width, operations::add, {}, {x, p});
    const TensorId scores =
        add("scores", keys, operations::multiply_transposed, {.scale = 0.5}, {sum, sum});
    const TensorId pattern = add("pattern", keys, operations::softmax_rows, {}, {scores});
    add("z", width, operations::multiply, {}, {pattern, sum});
    return plan;
}

const std::vector<std::string> kWords{"it", "was", "late", "we", "went", "home"};

Matrix inputs() {
    return random_matrix(6, d, 3);
}

Trace stack(const Interventions& interventions = {}) {
    return compute(plan_stack(kWords, inputs()), interventions, kWatchAll, nullptr);
}

/// The sentence alone.
Trace alone(Index sentence) {
    const auto first = kWords.begin() + sentence * n;
    return compute(plan_stack({first, first + n}, inputs().middleRows(sentence * n, n)), {},
                   kWatchAll, nullptr);
}

}  // namespace

TEST_CASE("page: a stacked sentence has the numbers of the sentence alone") {
    const Trace trace = stack();
    CHECK(count_pages(trace) == 2);
    for (const Index sentence : {0, 1}) {
        const Trace paged = page(trace, sentence), expected = alone(sentence);
        CHECK(count_pages(paged) == 1);
        for (TensorId id = 0; id < paged.tensors().size(); ++id) {
            CHECK_MESSAGE(distance(*paged[id].value, *expected[id].value) < 1e-6, paged[id].path());
            CHECK(paged[id].rows() == expected[id].rows());
            CHECK(paged[id].settings() == expected[id].settings());
            CHECK(paged[id].first_row() == sentence * n);
        }
        CHECK(paged.items() == expected.items());
    }
    CHECK(axis_label(page(trace, 1), {AxisKind::Key, n}, 2) == "home");
}

TEST_CASE("page: explanations and gradients equal those of the sentence alone") {
    const Trace paged = page(stack(), 1), expected = alone(1);
    for (TensorId id = 0; id < paged.tensors().size(); ++id)
        for (Index i = 0; i < n; ++i) {
            const Explanation found = explain(paged, id, i, 1), right = explain(expected, id, i, 1);
            CHECK(found.rule == right.rule);
            CHECK(found.terms.size() == right.terms.size());
            CHECK(found.result() == doctest::Approx(right.result()));
            CHECK(cell_name(paged, id, i, 1) == cell_name(expected, id, i, 1));
        }
    CHECK(distance(gradient_of_cell(paged, "z", 2, 1, "X"),
                   gradient_of_cell(expected, "z", 2, 1, "X")) < 1e-6);
}

TEST_CASE("page: interventions move with their rows") {
    Interventions interventions;
    interventions["pattern"].set(1, 0, 1);
    interventions["pattern"].set(4, 2, 0.25);
    const Trace trace = stack(interventions), first = page(trace, 0), second = page(trace, 1);
    CHECK(first.at("pattern").intervention.cells == std::vector<CellValue>{{1, 0, 1}});
    CHECK(second.at("pattern").intervention.cells == std::vector<CellValue>{{1, 2, 0.25}});
    CHECK(value(second, "pattern")(1, 2) == Scalar(0.25));
    CHECK((*second.at("pattern").computed)(1, 2) == (*trace.at("pattern").computed)(4, 2));
    CHECK(second.at("z").computed == second.at("z").value);
}

TEST_CASE("page: values that were not kept are computed for the page alone") {
    Trace bare = stack();
    for (Tensor& tensor : bare.tensors())
        if (tensor.path() != "sum") tensor.computed = tensor.value = nullptr;
    const Trace paged = page(bare, 1);
    CHECK_FALSE(paged.at("z").value);
    CHECK(distance(*compute_value(paged, paged.id_at("z")), value(alone(1), "z")) < 1e-6);
}

TEST_CASE("page: a trace of one sentence stays as it is; a missing page is an error") {
    const Trace single = alone(0), paged = page(single, 0);
    for (TensorId id = 0; id < single.tensors().size(); ++id)
        CHECK(paged[id].value == single[id].value);
    CHECK(error_of([&] { page(single, 1); }) == "[page] there is no sentence 1; there are 1");
    CHECK(error_of([&] { page(stack(), -1); }).starts_with("[page] there is no sentence -1"));
}

}  // namespace headlight::page_test
