// TensorMapping: a part of an array in a file, and the tensor of a study that it becomes.
//
// Goals: a plain value with a text that people read and type; knows no files.
// Not goals: guessing (known_names.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "core/trace.h"

namespace headlight {

/// An array in a file, seen as a matrix: all dimensions but the last are rows.
struct ArrayShape {
    std::string name;
    Index rows = 1, columns = 1;

    bool operator==(const ArrayShape&) const = default;
};

enum class Turn { Kept, Transposed };

struct TensorMapping {
    std::string name;               // of the array
    std::optional<CellRange> part;  // of it; absent: all
    Turn turn = Turn::Kept;         // transposed after it was cut out
    std::string path;               // of the tensor; empty: it goes nowhere

    bool operator==(const TensorMapping&) const = default;
};

/// "in_proj_weight[0:8].T=blocks.0.attn.heads.0.W_Q", "c_attn.weight[:, 8:16]=…", "W=…"
std::string mapping_text(const TensorMapping& mapping, const ArrayShape& array);

/// Parses the output of mapping_text. A part is checked against the array, which must be among
/// those of the file. Throws Error, saying what is wrong.
TensorMapping parse_mapping(std::string_view text, const std::vector<ArrayShape>& arrays);

/// The shape that a mapping gives, as "24 × 8".
struct MappedShape {
    Index rows = 1, columns = 1;
};
MappedShape mapped_shape(const TensorMapping& mapping, const ArrayShape& array);

/// True if the tensor is of that shape. A vector fits a row as well.
bool fits(const TensorMapping& mapping, const ArrayShape& array, const PlannedTensor& tensor);

/// Returns the paths of tensors that would fit, only leaves, in the order of computation.
std::vector<std::string> fitting_paths(const TensorMapping& mapping, const ArrayShape& array,
                                       const Plan& plan);

/// Returns the part of the array's values that the mapping takes, in the tensor's shape.
Matrix mapped_values(const TensorMapping& mapping, const Matrix& array,
                     const PlannedTensor& tensor);

}  // namespace headlight
