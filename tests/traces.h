// Traces made by hand: a plan, with numbers that no operation computed.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/trace.h"

namespace headlight {

/// A trace with values for the first tensors of the plan only.
inline Trace trace_with(Plan plan, const std::vector<Matrix>& values) {
    Trace trace(std::move(plan));
    for (std::size_t id = 0; id < values.size(); ++id)
        trace.tensors()[id].value = std::make_shared<const Matrix>(values[id]);
    return trace;
}

/// A tensor outside any trace.
inline Tensor tensor_with(PlannedTensor planned, Matrix values) {
    Tensor tensor(std::make_shared<const PlannedTensor>(std::move(planned)));
    tensor.value = std::make_shared<const Matrix>(std::move(values));
    return tensor;
}

inline std::shared_ptr<const std::vector<std::string>> shared_names(
    std::vector<std::string> names) {
    return std::make_shared<const std::vector<std::string>>(std::move(names));
}

}  // namespace headlight
