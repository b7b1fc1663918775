// The table of cases that every operation is tested with: odd shapes, masks, empty rows.
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

    /// `in` stores the call's views of the inputs.
    Call call(std::vector<ConstView>& in) const;
    Matrix forward() const;
    /// The result in blocks of rows, for an operation that can be computed so.
    Matrix forward_by_blocks(Index block_rows) const;
};

/// Row 0 is free, row 1 fully masked; in the others the first cells are masked.
Matrix masked_scores(Index rows, Index columns);

/// The cases of one family of operations; each has its own file.
void add_leaf_cases(std::vector<OperationCase>& cases);
void add_dense_cases(std::vector<OperationCase>& cases);
void add_activation_cases(std::vector<OperationCase>& cases);
void add_edge_cases(std::vector<OperationCase>& cases);
void add_graph_cases(std::vector<OperationCase>& cases);
void add_mask_cases(std::vector<OperationCase>& cases);
void add_position_cases(std::vector<OperationCase>& cases);
void add_block_cases(std::vector<OperationCase>& cases);
void add_score_cases(std::vector<OperationCase>& cases);
void add_normalizer_cases(std::vector<OperationCase>& cases);
void add_recurrent_cases(std::vector<OperationCase>& cases);
void add_image_cases(std::vector<OperationCase>& cases);
void add_analysis_cases(std::vector<OperationCase>& cases);

/// All cases: at least one for every operation in operations::all().
std::vector<OperationCase> operation_cases();

}  // namespace headlight
