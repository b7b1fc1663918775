// Gradients by central differences, for the tests in double.
#pragma once

#include <functional>
#include <string_view>

#include "core/compute.h"

namespace headlight {

/// Σ seed · result, without the cells that are −∞.
Scalar weighted_sum(const Matrix& result, const Matrix& seed);

/// A seed that asks nothing of cells that are −∞.
Matrix seed_for(const Matrix& result);

/// ∂f/∂x by central differences; −∞ has no neighbours and is left 0.
Matrix differences(const Matrix& x, const std::function<Scalar(const Matrix&)>& f);

/// Checks that gradients() of the target with respect to every leaf are those of differences. The
/// trace was computed with the holds.
void check_leaves(const Trace& trace, const Interventions& interventions, std::string_view target);

}  // namespace headlight
