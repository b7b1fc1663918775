// The checks that every writer of tensors makes first.
#pragma once

#include "core/error.h"
#include "core/trace.h"

namespace headlight {

/// Throws Error if the trace did not keep the tensor's values.
inline void check_has_values(const Tensor& tensor) {
    if (!tensor.value)
        throw Error("export", "{} has no values in this trace; watch it first", tensor.path());
}

}  // namespace headlight
