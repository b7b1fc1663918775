#include "core/differences.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "core/gradient.h"
#include "core/studies.h"

namespace headlight {
namespace {

constexpr Scalar kStep = 1e-5;

}  // namespace

Scalar weighted_sum(const Matrix& result, const Matrix& seed) {
    return result.array().isFinite().select(result.array() * seed.array(), 0).sum();
}

Matrix seed_for(const Matrix& result) {
    const Matrix seed = random_matrix(result.rows(), result.cols(), 99);
    return result.array().isFinite().select(seed.array(), 0);
}

Matrix differences(const Matrix& x, const std::function<Scalar(const Matrix&)>& f) {
    Matrix slopes = Matrix::Zero(x.rows(), x.cols());
    Matrix moved = x;
    for (Index i = 0; i < x.size(); ++i) {
        if (!std::isfinite(x.data()[i])) continue;
        moved.data()[i] = x.data()[i] + kStep;
        const Scalar above = f(moved);
        moved.data()[i] = x.data()[i] - kStep;
        slopes.data()[i] = (above - f(moved)) / (2 * kStep);
        moved.data()[i] = x.data()[i];
    }
    return slopes;
}

void check_leaves(const Trace& trace, const Interventions& interventions, std::string_view target) {
    const Matrix seed = seed_for(value(trace, target));
    const Gradients all = gradients(trace, trace.id_at(target), seed);
    const std::shared_ptr<const Plan> plan = without_values(trace);
    const Watched watched{.globs = {std::string(target)}};
    for (const Tensor& leaf : trace.tensors()) {
        if (!leaf.is_leaf()) continue;
        const std::optional<Matrix>& gradient = all[trace.id_at(leaf.path())];
        const auto target_with = [&](const Matrix& x) {
            Interventions changed = interventions;
            changed[leaf.path()] = intervene_on_all(x);
            return weighted_sum(value(compute(plan, changed, watched, nullptr), target), seed);
        };
        const Matrix expected = differences(*leaf.value, target_with);
        const Matrix found =
            gradient ? *gradient : Matrix(Matrix::Zero(expected.rows(), expected.cols()));
        const auto is_free = leaf.value->array().isFinite();
        if (expected.size() == 0) continue;
        const Scalar largest = std::max(Scalar(1), expected.cwiseAbs().maxCoeff());
        CHECK_MESSAGE(distance(is_free.select(found.array(), 0), expected) < 1e-7 * largest,
                      leaf.path());
    }
}

}  // namespace headlight
