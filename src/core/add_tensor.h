// What most mechanisms add to a trace: seeded weights and products.
#pragma once

#include "core/trace.h"

namespace headlight {

/// Where a tensor stands and what it is called; see Tensor.
struct TensorName {
    std::string path, symbol;
    Axis rows = {}, columns = {};
    Stage stage = Stage::Weight;
};

/// A weight drawn from the seed: uniform, with the Glorot limit of its shape, keyed by its path.
/// Its equation is its shape.
TensorId add_weight(Trace& trace, TensorName name, std::uint64_t seed);

/// A B.
TensorId add_product(Trace& trace, TensorName name, std::string equation, TensorId a, TensorId b);

}  // namespace headlight
