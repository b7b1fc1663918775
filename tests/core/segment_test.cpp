#include "core/evaluation/segment.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "core/operations/mask_operations.h"
#include "core/operations/operations.h"
#include "core/studies.h"

namespace headlight::segment_test {
namespace {

constexpr Index kRows = 700;  // several blocks, and enough work for several threads

/// The most rows that one call computed.
Index most_rows = 0;

void spy_forward(const Call& call, View result) {
    most_rows = std::max(most_rows, call.rows);
    result = call[0];
}

const Operation kSpy{"spy", {}, kEveryInput, spy_forward, nullptr, nullptr};

/// z = softmax(q kᵀ + mask) k; the n × n matrices are on demand.
Plan plan_attention(Index n = kRows, const Operation& last = operations::softmax_rows) {
    Plan plan;
    const Axis rows{AxisKind::Query, n}, keys{AxisKind::Key, n}, width{AxisKind::Model, 8};
    const auto add = [&](const std::string& path, const Operation& operation,
                         std::vector<TensorId> in, Axis columns, Keep keep) {
        PlannedTensor tensor = planned(path, operation, std::move(in));
        if (&operation == &operations::attention_mask)
            tensor.settings = mask_settings({.causal = Switch::On}, n, n);
        tensor.rows = rows;
        tensor.columns = columns;
        tensor.keep = keep;
        return plan.add(std::move(tensor));
    };
    const TensorId mask = add("mask", operations::attention_mask, {}, keys, Keep::OnDemand);
    const TensorId q = add("q", operations::seeded_weight, {}, width, Keep::Always);
    const TensorId k = add("k", operations::seeded_weight, {}, width, Keep::Always);
    const TensorId s = add("scores", operations::multiply_transposed, {q, k}, keys, Keep::OnDemand);
    const TensorId masked = add("masked", operations::add, {s, mask}, keys, Keep::OnDemand);
    const TensorId pattern = add("pattern", last, {masked}, keys, Keep::OnDemand);
    add("z", operations::multiply, {pattern, k}, width, Keep::Always);
    return plan;
}

Matrix z_of(const Interventions& interventions, const Watched& watched,
            const ForEach& for_each = serial()) {
    return value(compute(plan_attention(), interventions, watched, nullptr, for_each), "z");
}

const Watched kNothing{};

}  // namespace

TEST_CASE("segments: keeping or watching tensors does not change a bit") {
    const Trace all = compute(plan_attention(), {}, kWatchAll, nullptr);
    const Trace bare = compute(plan_attention(), {}, kNothing, nullptr);
    CHECK(all.at("pattern").value);
    CHECK_FALSE(bare.at("pattern").value);
    CHECK_FALSE(bare.at("mask").value);
    CHECK(is_same(value(all, "z"), value(bare, "z")));
    CHECK(is_same(value(all, "z"), z_of({}, {.everything = false, .globs = {"masked"}})));
    for (TensorId id = 0; id < all.tensors().size(); ++id)
        CHECK_MESSAGE(is_same(*compute_value(bare, id), *all[id].value), all[id].path());
}

TEST_CASE("segments: the result follows the equations") {
    const Trace trace = compute(plan_attention(), {}, kWatchAll, nullptr);
    const Matrix &q = value(trace, "q"), &k = value(trace, "k");
    Matrix expected = Matrix::Zero(kRows, 8);
    for (Index i = 0; i < kRows; ++i) {
        const Eigen::RowVectorX<Scalar> scores = (q.row(i) * k.topRows(i + 1).transpose());
        const Eigen::RowVectorX<Scalar> weights = scores.array().exp() / scores.array().exp().sum();
        expected.row(i) = weights * k.topRows(i + 1);
    }
    CHECK(distance(value(trace, "z"), expected) < 1e-5);
}

TEST_CASE("segments: cells set by hand in a tensor that is not kept reach its readers") {
    for (const char* path : {"mask", "scores", "masked", "pattern", "q", "z"}) {
        Interventions interventions;
        interventions[path].set(3, 1, 2);
        interventions[path].set(650, 7, 0.5);
        interventions[path].set(kRows, 0, 1);  // dormant
        const Matrix bare = z_of(interventions, kNothing);
        CHECK_MESSAGE(is_same(bare, z_of(interventions, kWatchAll)), path);
        CHECK_MESSAGE(distance(bare, z_of({}, kNothing)) > 0, path);
    }
    const Interventions renormalised{
        {"pattern", {.cells = {{300, 5, 0.5}}, .rows = RowRule::Renormalise}}};
    const Trace trace = compute(plan_attention(), renormalised, kWatchAll, nullptr);
    CHECK(value(trace, "pattern").row(300).sum() == doctest::Approx(1));
    CHECK_FALSE(is_same(*trace.at("pattern").computed, value(trace, "pattern")));
    CHECK(is_same(z_of(renormalised, kNothing), value(trace, "z")));
}

TEST_CASE("segments: an open mask is not added, even with interventions after it") {
    const auto open_plan = [] {
        Plan plan = plan_attention();
        PlannedTensor& mask = plan.tensors()[plan.id_at("mask")];
        mask.settings = mask_settings({}, kRows, kRows);
        return plan;
    };
    const Trace all = compute(open_plan(), {}, kWatchAll, nullptr);
    CHECK(all.at("masked").value == all.at("scores").value);
    Interventions interventions;
    for (const char* path : {"scores", "mask", "masked"}) {
        interventions[path].set(5, 5, kMasked);
        const Trace held = compute(open_plan(), interventions, kWatchAll, &all);
        CHECK(value(held, "masked")(5, 5) == kMasked);
        CHECK(value(held, "scores")(5, 6) == value(all, "scores")(5, 6));
        CHECK(is_same(value(held, "z"),
                      value(compute(open_plan(), interventions, kNothing, nullptr), "z")));
        CHECK(distance(value(held, "z"), value(all, "z")) > 0);
        interventions.clear();
    }
}

TEST_CASE("segments: blocks can run in any order") {
    Index n_tasks = 0;
    const ForEach backwards{2, [&](Index count, const ForEach::Task& task) {
                                n_tasks += count;
                                for (Index i = count; i-- > 0;) task(i);
                            }};
    CHECK(is_same(z_of({}, kNothing, backwards), z_of({}, kNothing)));
    CHECK(n_tasks > 1);
    CHECK(is_same(z_of({}, kWatchAll, backwards), z_of({}, kNothing)));
}

TEST_CASE("segments: a tensor that is not kept never exists as a whole") {
    most_rows = 0;
    compute(plan_attention(kRows, kSpy), {}, kNothing, nullptr);
    CHECK(most_rows > 0);
    CHECK(most_rows < kRows / 2);
}

TEST_CASE("segments: an edit after a tensor that is not kept gives the same as from scratch") {
    const Trace before = compute(plan_attention(), {}, kNothing, nullptr);
    Interventions interventions;
    interventions["k"].set(2, 2, 1);
    const Trace after = compute(plan_attention(), interventions, kNothing, &before);
    CHECK(after.at("q").value == before.at("q").value);
    CHECK(is_same(value(after, "z"), z_of(interventions, kNothing)));
    const Trace watched = compute(plan_attention(), interventions, kWatchAll, &after);
    CHECK(watched.at("z").value == after.at("z").value);
    CHECK(watched.at("pattern").value);
}

TEST_CASE("segments: a matrix may have no rows, or one") {
    for (const Index n : {0, 1}) {
        const Trace trace = compute(plan_attention(n), {}, kNothing, nullptr);
        CHECK(value(trace, "z").rows() == n);
    }
    CHECK(is_same(value(compute(plan_attention(1), {}, kNothing, nullptr), "z"),
                  value(compute(plan_attention(1), {}, kNothing, nullptr), "k")));
}

TEST_CASE("compute_value: a value that is not kept and is read many times is made once") {
    Plan plan;
    const Axis one{AxisKind::Query, 1};
    const auto add = [&](const Operation& operation, std::vector<TensorId> in) {
        PlannedTensor tensor =
            planned(std::to_string(plan.tensors().size()), operation, std::move(in));
        tensor.rows = one;
        tensor.keep = Keep::OnDemand;
        return plan.add(std::move(tensor));
    };
    TensorId last = add(operations::ones, {});
    for (int doubling = 0; doubling < 60; ++doubling) last = add(operations::add, {last, last});
    const Trace trace = compute(plan, {}, kNothing, nullptr);
    CHECK_FALSE(trace[last].value);
    CHECK((*compute_value(trace, last))(0, 0) == std::ldexp(Scalar(1), 60));
}

}  // namespace headlight::segment_test
