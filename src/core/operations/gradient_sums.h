// Gradients of inputs, which are sums over their readers: the first part is set, not added.
#pragma once

#include "core/numeric/product.h"
#include "core/operation.h"

namespace headlight::operations {

inline Into set_or_add(const Call& call, std::size_t input) {
    return has_input(call.unset, input) ? Into::Set : Into::Add;
}

/// Adds `part`, an expression without products, for all cells of the input.
void add_gradient(const Call& call, std::span<Matrix> into, std::size_t input, const auto& part) {
    if (set_or_add(call, input) == Into::Set)
        into[input] = part;
    else
        into[input] += part;
}

}  // namespace headlight::operations
