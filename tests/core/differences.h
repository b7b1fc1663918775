// Gradients by central differences, for the tests in double.
#pragma once

#include <functional>
#include <string_view>

#include "core/compute.h"

namespace headlight {

/// Σ seed · result over the cells that are not −∞.
Scalar weighted_sum(const Matrix& result, const Matrix& seed);

/// A seed that is 0 for cells that are −∞.
Matrix seed_for(const Matrix& result);

/// ∂f/∂x by central differences; 0 for cells that are −∞.
Matrix differences(const Matrix& x, const std::function<Scalar(const Matrix&)>& f);

/// Checks that gradients() of the target with respect to every leaf agree with central differences.
/// The trace was computed with these interventions.
void check_leaves(const Trace& trace, const Interventions& interventions, std::string_view target);

}  // namespace headlight
