// Adds tensors of mechanisms to a plan: seeded weights, constants, results of operations.
#pragma once

#include "core/plan.h"

namespace headlight {

/// The path, the symbol and the other properties of a tensor; see PlannedTensor.
struct TensorName {
    Named named;  // Location::at and beside make it
    std::string symbol;
    Axis rows = {}, columns = {};
    Stage stage = Stage::Weight;
    Quantity quantity = Quantity::Signed;
    Keep keep = Keep::Always;
};

// A leaf that exists already under the same path and with the same shape is shared, not added
// again; if the shape differs, Error is thrown.

/// Adds a weight W of products x W, drawn from the seed and keyed by its path: uniform with
/// variance 1 / rows, so that x W has unit variance where x has, at every width. Its equation is
/// its shape.
TensorId add_weight(Plan& plan, TensorName name, std::uint64_t seed);

/// Adds a table whose rows are looked up, not multiplied: it is drawn like a weight, but with unit
/// variance, as embeddings have.
TensorId add_table(Plan& plan, TensorName name, std::uint64_t seed);

/// Adds a leaf that starts the same everywhere: zeros for a bias, ones for a gain. Its equation is
/// its shape.
TensorId add_constant(Plan& plan, TensorName name, const Operation& operation);

/// Adds a leaf that starts at the given values.
TensorId add_parameter(Plan& plan, TensorName name, std::string equation, Matrix values);

/// Adds a leaf with the given values.
TensorId add_listed(Plan& plan, TensorName name, std::string equation, Matrix values);

/// Adds a leaf that an operation makes of its settings.
TensorId add_leaf(Plan& plan, TensorName name, std::string equation, const Operation& operation,
                  OperationSettings settings = {});

/// Adds the result of an operation on its inputs.
TensorId add_result(Plan& plan, TensorName name, std::string equation, const Operation& operation,
                    std::vector<TensorId> inputs, OperationSettings settings = {});

/// Adds A B.
TensorId add_product(Plan& plan, TensorName name, std::string equation, TensorId a, TensorId b);

/// Adds x pressed below the cap: c tanh(x / c).
TensorId add_capped(Plan& plan, TensorName name, TensorId x, float cap);

}  // namespace headlight
