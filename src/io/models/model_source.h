// The matrices of a study that are parts of a model's arrays, read when they are needed.
#pragma once

#include <memory>
#include <vector>

#include "core/matrix_source.h"
#include "io/arrays/stored_array.h"
#include "model/imports/tensor_mapping.h"

namespace headlight {

/// The rows and columns of an array that are one matrix. An array of one dimension is a row; of
/// others, all dimensions but the last are rows.
struct ArrayPart {
    std::size_t array = 0;
    Turn turn = Turn::Kept;                 // transposed after it was cut out
    Index first_row = 0, first_column = 0;  // in the array
    Index rows = 0, columns = 0;            // of the array, before it is turned
    Index channels = 0;  // of a kernel, whose values lie channel by channel; 0: it is none
};

/// Matrix k is part k. Halves and other floats become Scalars as they are read. Throws Error where
/// an array cannot be read, or has a number that is not finite.
std::shared_ptr<const MatrixSource> model_source(StoredArrays arrays, std::vector<ArrayPart> parts);

/// Rows and columns of an array as its parts count them.
ArrayShape oriented_shape(const StoredArray& array);

}  // namespace headlight
