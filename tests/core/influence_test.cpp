#include "core/analyses/influence.h"

#include <cmath>
#include <doctest/doctest.h>

#include "core/explain.h"
#include "core/gradient.h"
#include "core/mechanisms/add_tensor.h"
#include "core/operations/operations.h"
#include "core/studies.h"

namespace headlight::influence_test {
namespace {

const std::string kSource = "the agreement on the area was signed";
const std::string kTarget = "l'accord a été signé";
const RecurrentSettings kPlain{
    .cell_type = RecurrentCellType::Rnn, .d_model = 5, .d_state = 4, .d_hidden = 3};

/// ‖∂Y(i)/∂X(j)‖ from a full backward pass for each cell of Y.
Matrix influence_by_cells(const Trace& trace, const std::string& Y, const std::string& X) {
    Matrix squares = Matrix::Zero(trace.at(Y).rows().size, trace.at(X).rows().size);
    for (Index i = 0; i < squares.rows(); ++i)
        for (Index d = 0; d < trace.at(Y).columns().size; ++d)
            squares.row(i) +=
                gradient_of_cell(trace, Y, i, d, X).rowwise().squaredNorm().transpose();
    return squares.cwiseSqrt();
}

/// The same by central differences.
Matrix influence_by_differences(const Trace& trace, const std::string& Y, const std::string& X) {
    const std::shared_ptr<const Plan> plan = without_values(trace);
    const Scalar h = sizeof(Scalar) == 8 ? Scalar(1e-5) : Scalar(1e-2);
    const Matrix& at = value(trace, X);
    Matrix squares = Matrix::Zero(trace.at(Y).rows().size, at.rows());
    for (Index j = 0; j < at.rows(); ++j)
        for (Index f = 0; f < at.cols(); ++f) {
            const auto moved = [&](Scalar by) {
                Matrix x = at;
                x(j, f) += by;
                return value(compute(plan, {{X, intervene_on_all(x)}}, {}, nullptr), Y);
            };
            const Matrix slope = (moved(h) - moved(-h)) / (2 * h);
            squares.col(j) += slope.rowwise().squaredNorm();
        }
    return squares.cwiseSqrt();
}

/// All weights of the encoder are multiples of the identity; the memory keeps the share `kept`.
Interventions fading_memory(Scalar kept) {
    Interventions interventions;
    for (const std::string direction : {"encoder.forward.", "encoder.backward."}) {
        interventions[direction + "W_ih"] = intervene_on_all(Matrix::Identity(4, 4) / 10);
        interventions[direction + "W_hh"] = intervene_on_all(Matrix::Identity(4, 4) * kept);
    }
    return interventions;
}

}  // namespace

TEST_CASE("influence: it equals a backward pass for every cell") {
    for (const Switch attention : {Switch::On, Switch::Off})
        for (const RecurrentCellType cell :
             {RecurrentCellType::Rnn, RecurrentCellType::Gru, RecurrentCellType::Lstm}) {
            RecurrentSettings settings = kPlain;
            settings.cell_type = cell;
            settings.attention = attention;
            const Trace trace = translation(kSource, kTarget, settings);
            CHECK(distance(value(trace, "influence.encoder"),
                           influence_by_cells(trace, "encoder.forward.h", "encoder.embed")) < 1e-6);
            CHECK(distance(value(trace, "influence.decoder"),
                           influence_by_cells(trace, "decoder.s", "encoder.embed")) < 1e-6);
        }
}

TEST_CASE("influence: it agrees with central differences") {
    const Trace trace = translation("it was it", "sie war", kPlain);
    const Matrix found = value(trace, "influence.decoder");
    const Matrix expected = influence_by_differences(trace, "decoder.s", "encoder.embed");
    const double tolerance = sizeof(Scalar) == 8 ? 1e-7 : 2e-3;
    CHECK(distance(found, expected) < tolerance);
    CHECK(distance(found, 2 * expected) > tolerance);
}

TEST_CASE("influence: in a forward encoder a word does not influence earlier states") {
    const Matrix J = value(translation(kSource, kTarget, kPlain), "influence.encoder");
    for (Index t = 0; t < J.rows(); ++t)
        for (Index j = 0; j < J.cols(); ++j) CHECK((J(t, j) > 0) == (j <= t));
}

TEST_CASE("influence: in an RNN it fades with each word") {
    const Trace trace = translation(kSource, kTarget, kPlain, fading_memory(Scalar(0.5)));
    const Matrix& J = value(trace, "influence.encoder");
    for (Index j = 0; j + 1 < 7; ++j) CHECK(J(6, j) < Scalar(0.51) * J(6, j + 1));
    CHECK(J(6, 0) < J(6, 6) / 60);
}

TEST_CASE("influence: through attention every word is equally near; the last state has forgotten") {
    RecurrentSettings settings = kPlain;
    settings.bidirectional = Switch::Off;
    Interventions interventions = fading_memory(Scalar(0.1));
    interventions["decoder.v_score"] =
        intervene_on_all(Matrix::Zero(3, 1));  // every word is read equally
    const Matrix first =
        value(translation(kSource, kTarget, settings, interventions), "influence.decoder").row(0);
    CHECK(first.minCoeff() > first.maxCoeff() / 4);
    settings.attention = Switch::Off;
    const Matrix last =
        value(translation(kSource, kTarget, settings, interventions), "influence.decoder").row(0);
    CHECK(last(0, 0) < last(0, 6) / 10000);
}

TEST_CASE("influence: of a tensor on itself, and of an independent tensor") {
    Plan plan;
    plan.lists[0] = {"token", std::make_shared<const std::vector<std::string>>(words_of("a b c"))};
    const Axis rows{AxisKind::Item, 3}, columns{AxisKind::Model, 2};
    const TensorId x = add_weight(plan, {"x", "X", rows, columns}, 1);
    const TensorId y = add_weight(plan, {"y", "Y", rows, columns}, 1);
    add_influence(plan, x, x, "self");
    add_influence(plan, y, x, "other");
    const Trace trace = compute(plan, {}, kWatchAll, nullptr);
    CHECK(distance(value(trace, "self"), Matrix::Identity(3, 3) * std::sqrt(Scalar(2))) < 1e-6);
    CHECK(value(trace, "other").isZero(0));
    CHECK(trace.at("self").rows().kind == AxisKind::Query);
    CHECK(trace.at("self").columns().kind == AxisKind::Key);
}

TEST_CASE("influence: stacked sentences have one block each") {
    const auto plan_of = [](Index groups) {
        Plan plan;
        plan.lists[0] = {"token",
                         std::make_shared<const std::vector<std::string>>(words_of("a b c d e f"))};
        const Axis rows{AxisKind::Item, 6, 0, groups}, columns{AxisKind::Model, 2};
        const OperationSettings stacked{.group_rows = groups > 1 ? 6 / groups : 0};
        const TensorId x = add_weight(plan, {"x", "X", rows, columns}, 1);
        const TensorId scores =
            add_result(plan, {"scores", "S", rows, {AxisKind::Key, 6 / groups}}, "S = X X^T",
                       operations::multiply_transposed, {x, x}, stacked);
        const TensorId y = add_result(plan, {"y", "Y", rows, columns}, "Y = S X",
                                      operations::multiply, {scores, x}, stacked);
        add_influence(plan, y, x, "influence");
        return compute(plan, {}, kWatchAll, nullptr);
    };
    const Trace trace(plan_of(2));
    const Matrix& J = value(trace, "influence");
    const Matrix whole = influence_by_cells(trace, "y", "x");
    REQUIRE(J.cols() == 3);
    CHECK(distance(J.topRows(3), whole.topLeftCorner(3, 3)) < 1e-6);
    CHECK(distance(J.bottomRows(3), whole.bottomRightCorner(3, 3)) < 1e-6);
    CHECK(whole.topRightCorner(3, 3).isZero(0));
    CHECK(value(plan_of(1), "influence").cols() == 6);
}

TEST_CASE("influence: no influence passes through a pin") {
    Interventions interventions;
    interventions["encoder.forward.steps.3.h"] =
        intervene_on_all(Matrix::Constant(1, 4, Scalar(0.3)));
    const Matrix J =
        value(translation(kSource, kTarget, kPlain, interventions), "influence.encoder");
    CHECK(J.row(3).isZero(0));
    CHECK(J.bottomLeftCorner(3, 4).isZero(0));
    CHECK(J(4, 4) > 0);
}

TEST_CASE("influence: the explanation of a cell adds up; no gradient passes through an analysis") {
    const Trace trace = translation("it was", "sie", kPlain);
    const TensorId id = trace.id_at("influence.decoder");
    const Matrix& J = *trace[id].value;
    for (Index i = 0; i < J.rows(); ++i)
        for (Index j = 0; j < J.cols(); ++j) {
            const Explanation e = explain(trace, id, i, j);
            CHECK(std::abs(std::sqrt(e.sum) - J(i, j)) < 1e-5);
            CHECK(e.result() == J(i, j));
            CHECK(e.terms.size() == 4);
        }
    CHECK(gradient_of_cell(trace, "influence.decoder", 0, 0, "encoder.embed").isZero(0));
}

TEST_CASE("influence: values that were not kept are recomputed, to the same bits") {
    const auto plan = std::make_shared<const Plan>(
        plan_recurrent(words_of(kSource), words_of(kTarget), kPlain, 1));
    const Trace little = compute(plan, {}, {}, nullptr);
    CHECK_FALSE(little.at("influence.decoder").value);
    const Trace asked = compute(plan, {}, {.everything = false, .globs = {"influence.*"}}, &little);
    const Trace all = compute(plan, {}, kWatchAll, nullptr);
    CHECK(is_same(value(asked, "influence.decoder"), value(all, "influence.decoder")));
    CHECK(is_same(*compute_value(little, plan->id_at("influence.encoder")),
                  value(all, "influence.encoder")));
}

}  // namespace headlight::influence_test
