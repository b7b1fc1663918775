// The table of uses that every operation is tested with: odd shapes, masks, empty rows.
#pragma once

#include <string>
#include <vector>

#include "core/operation.h"

namespace headlight {

struct OperationCase {
    std::string name;  // "softmax rows 3 × 5, masked"
    const Operation* operation;
    std::vector<Matrix> inputs;
    OperationSettings settings = {};
    Index rows = 1, columns = 1;

    /// `in` is where the call's pointers to the inputs are kept.
    Call call(std::vector<const Matrix*>& in) const;
    Matrix forward() const;
};

/// At least one for every operation in operations::all().
std::vector<OperationCase> operation_cases();

}  // namespace headlight
