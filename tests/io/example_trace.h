// A small trace made by hand, for tests of writers.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "traces.h"

namespace headlight {

/// Three words; "scores" (3 × 3, with −∞ and NaN), "W" (3 × 2), "unkept" (no values).
inline Trace example_trace(std::vector<std::string> words = {"=SUM(A1)", "a \"b\", c", "Привет"}) {
    Plan plan;
    plan.lists[0].names = shared_names(std::move(words));
    Matrix scores(3, 3), weights(3, 2);
    scores << 0.1f, -1.25f, 3e20f, kMasked, 0, -0.0f, std::numeric_limits<Scalar>::quiet_NaN(),
        1.0f / 3, std::numeric_limits<Scalar>::infinity();
    weights << 1, 2, 3, 4, 5, 6;
    plan.add({.path = "scores",
              .symbol = "S",
              .equation = "S = Q Kᵀ / √d_k",
              .rows = {AxisKind::Query, 3},
              .columns = {AxisKind::Key, 3}});
    plan.add({.path = "W",
              .symbol = "W",
              .equation = "W",
              .rows = {AxisKind::Model, 3},
              .columns = {AxisKind::HeadKey, 2}});
    plan.add({.path = "unkept",
              .symbol = "U",
              .equation = "U",
              .rows = {AxisKind::Query, 3},
              .columns = {AxisKind::Key, 3}});
    return trace_with(std::move(plan), {scores, weights});
}

/// True if matrices are equal bit for bit, or both NaN.
inline bool same_values(const Matrix& a, const Matrix& b) {
    if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
    for (Index i = 0; i < a.size(); ++i) {
        const Scalar x = a.data()[i], y = b.data()[i];
        if (std::isnan(x) != std::isnan(y)) return false;
        if (!std::isnan(x) && (x != y || std::signbit(x) != std::signbit(y))) return false;
    }
    return true;
}

}  // namespace headlight
