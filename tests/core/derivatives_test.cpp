// Gradients against central differences, in double.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "core/differences.h"
#include "core/gradient.h"
#include "core/numeric/generator.h"
#include "core/operation_cases.h"
#include "core/operations/operations.h"
#include "core/studies.h"

namespace headlight::derivatives_test {
namespace {

/// The gradients of one call by `pull`, which adds to existing ones.
std::vector<Matrix> pulled(const OperationCase& use, const Matrix& seed) {
    std::vector<ConstView> in;
    std::vector<Matrix> into;
    for (const Matrix& input : use.inputs)
        into.push_back(Matrix::Constant(input.rows(), input.cols(), 3));
    const Matrix result = use.forward();
    use.operation->pull(use.call(in), view(result), view(seed), into);
    for (Matrix& gradient : into) gradient.array() -= 3;
    return into;
}

Matrix differences_of_input(const OperationCase& use, std::size_t input, const Matrix& seed) {
    OperationCase changed = use;
    return differences(use.inputs[input], [&](const Matrix& x) {
        changed.inputs[input] = x;
        return weighted_sum(changed.forward(), seed);
    });
}

const StackSettings kSentence =
    stack_of({.n_layers = 2, .n_heads = 2, .d_model = 3, .d_k = 2, .d_v = 3}, Switch::On);

Intervention held(std::vector<CellValue> cells, RowRule rows) {
    return {.cells = std::move(cells), .rows = rows};
}

}  // namespace

TEST_CASE("operations: every gradient agrees with central differences") {
    for (const OperationCase& use : operation_cases()) {
        if (!use.operation->pull) continue;
        const Matrix seed = seed_for(use.forward());
        const std::vector<Matrix> gradients = pulled(use, seed);
        for (std::size_t i = 0; i < use.inputs.size(); ++i) {
            const Matrix expected = differences_of_input(use, i, seed);
            const auto is_free = use.inputs[i].array().isFinite();
            const Matrix found = is_free.select(gradients[i].array(), 0);
            CHECK_MESSAGE(distance(found, expected) < 1e-7, use.name << ", input " << i);
        }
    }
}

TEST_CASE("operations: what a pull sets is what it adds to zeros") {
    for (const OperationCase& use : operation_cases()) {
        const Operation& operation = *use.operation;
        if (!operation.pull || operation.sets == 0) continue;
        const Matrix result = use.forward(), seed = seed_for(result);
        std::vector<ConstView> in;
        Call call = use.call(in);
        std::vector<Matrix> added, set;
        for (std::size_t i = 0; i < use.inputs.size(); ++i) {
            const Matrix& input = use.inputs[i];
            const bool is_unset = has_input(operation.sets, i);
            added.push_back(Matrix::Zero(input.rows(), input.cols()));
            set.push_back(is_unset ? Matrix::Constant(input.rows(), input.cols(), std::nan(""))
                                   : added[i]);
            if (is_unset) call.unset |= row_inputs(i);
        }
        operation.pull(use.call(in), view(result), view(seed), added);
        operation.pull(call, view(result), view(seed), set);
        for (std::size_t i = 0; i < use.inputs.size(); ++i)
            CHECK_MESSAGE(set[i] == added[i], use.name << ", input " << i);
    }
}

TEST_CASE("operations: a wrong gradient is rejected") {
    const std::vector<OperationCase> cases = operation_cases();
    const auto is_product = [](const OperationCase& use) {
        return use.operation == &operations::multiply;
    };
    const OperationCase use = *std::find_if(cases.begin(), cases.end(), is_product);
    const Matrix seed = seed_for(use.forward());
    std::vector<Matrix> gradients = pulled(use, seed);
    gradients[0](0, 0) += 1e-5;
    CHECK(distance(gradients[0], differences_of_input(use, 0, seed)) > 1e-6);
}

TEST_CASE("softmax_rows: a masked cell gets zero gradient") {
    for (const OperationCase& use : operation_cases()) {
        if (use.operation != &operations::softmax_rows) continue;
        const Matrix gradient = pulled(use, random_matrix(use.rows, use.columns, 5))[0];
        for (Index i = 0; i < gradient.size(); ++i)
            if (use.inputs[0].data()[i] == kMasked) CHECK(gradient.data()[i] == 0);
    }
}

TEST_CASE("self-attention: the gradient of every leaf agrees with central differences") {
    const std::string text = "it was too tired";
    check_leaves(sentence(text, kSentence), {}, "blocks.1.resid_post");
    check_leaves(sentence(text, kSentence), {}, "blocks.1.attn.heads.1.pattern");
    check_leaves(sentence(text, kSentence), {}, "blocks.0.attn.heads.0.masked_scores");
    StackSettings plain = kSentence;
    plain.mask.causal = Switch::Off;
    plain.block.residual = Switch::Off;
    plain.positions = Positions::None;
    check_leaves(sentence(text, plain), {}, "blocks.1.attn.out");
    check_leaves(sentence("it", plain), {}, "blocks.1.attn.out");
}

TEST_CASE("self-attention: gradients agree with a fully masked row and with edited weights") {
    Interventions interventions;
    for (Index j = 0; j < 4; ++j) interventions["mask"].set(2, j, kMasked);
    interventions["blocks.0.attn.heads.0.W_Q"].set(1, 1, 0.3);
    check_leaves(sentence("it was too tired", kSentence, interventions), interventions,
                 "blocks.1.resid_post");
}

TEST_CASE("ablation: gradients end at zero, and go through the mean to every row") {
    const std::string path = "blocks.0.attn.heads.0.z";
    for (const Ablation ablation : {Ablation::Zero, Ablation::Mean}) {
        Interventions interventions;
        interventions[path].ablation = ablation;
        check_leaves(sentence("it was too tired", kSentence, interventions), interventions,
                     "blocks.1.resid_post");
        interventions[path].set(1, 0, 0.5);
        check_leaves(sentence("it was too tired", kSentence, interventions), interventions,
                     "blocks.1.resid_post");
    }
}

TEST_CASE("pins: no gradient passes through pinned cells, with both row rules") {
    const std::string path = "blocks.0.attn.heads.0.pattern";
    const std::string text = "it was too tired";
    StackSettings settings = kSentence;
    settings.mask.causal = Switch::Off;
    for (const RowRule rows : {RowRule::Keep, RowRule::Renormalise}) {
        const std::vector<std::vector<CellValue>> pins = {
            {{1, 2, 0.6}},                                         // room for the free cells
            {{1, 0, 0.2}, {1, 3, 0.1}, {3, 0, -0.4}},              // two rows, a negative pin
            {{0, 1, 1.5}},                                         // no room left
            {{2, 0, 0.1}, {2, 1, 0.2}, {2, 2, 0.3}, {2, 3, 0.1}},  // the whole row
            {{9, 9, 0.5}, {1, 7, 0.5}},                            // dormant
        };
        for (const std::vector<CellValue>& cells : pins) {
            const Interventions interventions{{path, held(cells, rows)}};
            check_leaves(sentence(text, settings, interventions), interventions,
                         "blocks.1.resid_post");
            check_leaves(sentence(text, settings, interventions), interventions, path);
        }
    }
}

TEST_CASE("gradient_of_cell: the gradient of a leaf's cell with respect to itself is 1") {
    const Trace trace = sentence("it was", kSentence);
    const Matrix gradient = gradient_of_cell(trace, "embed", 1, 2, "embed");
    CHECK(gradient.sum() == 1);
    CHECK(gradient(1, 2) == 1);
}

TEST_CASE("gradient_of_cell: a leaf that is computed later has gradient 0") {
    const Trace trace = sentence("it was", kSentence);
    const Matrix gradient =
        gradient_of_cell(trace, "blocks.0.attn.heads.0.q", 0, 0, "blocks.1.attn.W_O");
    CHECK(gradient.rows() == 6);
    CHECK(gradient.cols() == 3);
    CHECK(gradient.isZero(0));
}

TEST_CASE("gradients: values that the trace did not keep are recomputed") {
    const Trace full = sentence("it was too tired", kSentence);
    Trace bare = full;
    for (Tensor& tensor : bare.tensors())
        if (tensor.keep() != Keep::Always) {
            tensor.computed.reset();
            tensor.value.reset();
        }
    const TensorId target = full.id_at("blocks.1.resid_post");
    const Matrix seed = random_matrix(4, 3, 4);
    const Gradients expected = gradients(full, target, seed), found = gradients(bare, target, seed);
    for (TensorId id = 0; id < full.tensors().size(); ++id)
        if (expected[id]) CHECK_MESSAGE(is_same(*expected[id], *found[id]), full[id].path());
}

TEST_CASE("Backward: it can be reused for many seeds and traces") {
    const Trace first = sentence("it was too tired", kSentence);
    const TensorId target = first.id_at("blocks.1.resid_post");
    std::vector<TensorId> leaves;
    for (TensorId id = 0; id < first.tensors().size(); ++id)
        if (first[id].is_leaf()) leaves.push_back(id);
    Backward backward(first, target, leaves);
    for (const Scalar held : {Scalar(0), Scalar(0.5), Scalar(-2)}) {
        Interventions interventions;
        interventions["embed"].set(1, 1, held);
        const Trace trace = compute(first.shared_plan(), interventions, kWatchAll, &first);
        backward.read(trace);
        for (const int draw : {1, 2, 3}) {
            const Matrix seed = draw == 2 ? Matrix(Matrix::Zero(4, 3)) : random_matrix(4, 3, draw);
            backward.pull(seed);
            const Gradients expected = gradients(trace, target, seed);
            for (std::size_t k = 0; k < leaves.size(); ++k) {
                CHECK(backward.reaches(k) == expected[leaves[k]].has_value());
                const Matrix none =
                    Matrix::Zero(first[leaves[k]].rows().size, first[leaves[k]].columns().size);
                CHECK_MESSAGE(is_same(backward.gradient(k), expected[leaves[k]].value_or(none)),
                              first[leaves[k]].path());
            }
        }
    }
}

TEST_CASE("gradients: unknown paths, cells outside and wrong seeds are errors") {
    const Trace trace = sentence("it was", kSentence);
    CHECK(error_of([&] { gradient_of_cell(trace, "embed", 2, 0, "embed"); }) ==
          "[gradient] cell 2, 0 is outside embed, which is 2 × 3");
    CHECK(error_of([&] { gradient_of_cell(trace, "embed", 0, -1, "embed"); }) ==
          "[gradient] cell 0, -1 is outside embed, which is 2 × 3");
    CHECK(error_of([&] {
              gradient_of_cell(trace, "embed", 0, 0, "nothing");
          }).starts_with("[trace] no tensor is called 'nothing'"));
    CHECK(error_of([&] { gradients(trace, 0, Matrix::Zero(3, 3)); }) ==
          "[gradient] the seed is 3 × 3, embed is 2 × 3");
}

}  // namespace headlight::derivatives_test
