#include "core/batch.h"

#include <doctest/doctest.h>

#include "core/explain.h"
#include "core/gradient.h"
#include "core/operations/operations.h"
#include "core/studies.h"

namespace headlight::batch_test {
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

TEST_CASE("batch: a stacked sentence has the numbers of the sentence alone") {
    const Trace trace = stack();
    CHECK(count_sentences(trace) == 2);
    for (const Index sentence : {0, 1}) {
        const Trace sliced = trace_of_sentence(trace, sentence), expected = alone(sentence);
        CHECK(count_sentences(sliced) == 1);
        for (TensorId id = 0; id < sliced.tensors().size(); ++id) {
            CHECK_MESSAGE(distance(*sliced[id].value, *expected[id].value) < 1e-6,
                          sliced[id].path());
            CHECK(sliced[id].rows() == expected[id].rows());
            CHECK(sliced[id].settings() == expected[id].settings());
            CHECK(sliced[id].first_row() == sentence * n);
        }
        CHECK(sliced.items() == expected.items());
    }
    CHECK(axis_label(trace_of_sentence(trace, 1), {AxisKind::Key, n}, 2) == "home");
}

TEST_CASE("batch: explanations and gradients equal those of the sentence alone") {
    const Trace sliced = trace_of_sentence(stack(), 1), expected = alone(1);
    for (TensorId id = 0; id < sliced.tensors().size(); ++id)
        for (Index i = 0; i < n; ++i) {
            const Explanation found = explain(sliced, id, i, 1),
                              right = explain(expected, id, i, 1);
            CHECK(found.rule == right.rule);
            CHECK(found.terms.size() == right.terms.size());
            CHECK(found.result() == doctest::Approx(right.result()));
            CHECK(cell_name(sliced, id, i, 1) == cell_name(expected, id, i, 1));
        }
    CHECK(distance(gradient_of_cell(sliced, "z", 2, 1, "X"),
                   gradient_of_cell(expected, "z", 2, 1, "X")) < 1e-6);
}

TEST_CASE("batch: interventions move with their rows") {
    Interventions interventions;
    interventions["pattern"].set(1, 0, 1);
    interventions["pattern"].set(4, 2, 0.25);
    const Trace trace = stack(interventions), first = trace_of_sentence(trace, 0),
                second = trace_of_sentence(trace, 1);
    CHECK(first.at("pattern").intervention.cells == std::vector<CellValue>{{1, 0, 1}});
    CHECK(second.at("pattern").intervention.cells == std::vector<CellValue>{{1, 2, 0.25}});
    CHECK(value(second, "pattern")(1, 2) == Scalar(0.25));
    CHECK((*second.at("pattern").computed)(1, 2) == (*trace.at("pattern").computed)(4, 2));
    CHECK(second.at("z").computed == second.at("z").value);
}

TEST_CASE("batch: values that were not kept are computed for the sentence alone") {
    Trace bare = stack();
    for (Tensor& tensor : bare.tensors())
        if (tensor.path() != "sum") tensor.computed = tensor.value = nullptr;
    const Trace sliced = trace_of_sentence(bare, 1);
    CHECK_FALSE(sliced.at("z").value);
    CHECK(distance(*compute_value(sliced, sliced.id_at("z")), value(alone(1), "z")) < 1e-6);
}

TEST_CASE("batch: a trace of one sentence stays as it is; a missing sentence is an error") {
    const Trace single = alone(0), sliced = trace_of_sentence(single, 0);
    for (TensorId id = 0; id < single.tensors().size(); ++id)
        CHECK(sliced[id].value == single[id].value);
    CHECK(error_of([&] { trace_of_sentence(single, 1); }) ==
          "[sentence] there is no sentence 1; there are 1");
    CHECK(error_of([&] {
              trace_of_sentence(stack(), -1);
          }).starts_with("[sentence] there is no sentence -1"));
}

}  // namespace headlight::batch_test
