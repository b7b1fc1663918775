// The part of an array that each tensor of a study is, by the rules of a family, and the matrices
// that are read from there when they are needed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/matrix.h"
#include "core/plan.h"
#include "io/arrays/stored_array.h"
#include "io/models/families.h"
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
    float plus = 0;      // added to each number
};

/// Returns a source whose matrix k is part k. Halves and other floats become Scalars as they are
/// read. Throws Error where an array cannot be read, or has a number that is not finite.
std::shared_ptr<const MatrixSource> model_source(StoredArrays arrays, std::vector<ArrayPart> parts);

/// Returns rows and columns of an array as its parts count them.
ArrayShape oriented_shape(const StoredArray& array);

struct ModelLayout {
    std::vector<std::string> paths = {};      // of the tensors
    std::vector<ArrayPart> parts = {};        // one each
    std::vector<std::string> left_over = {};  // arrays that no tensor is made of
};

/// Returns the arrays under the family's names: without its prefix and without_wrappers, and with
/// gamma and beta of old files as weight and bias. Throws Error, naming `source`, if one is there
/// under two names.
StoredArrays renamed(const Family& family, StoredArrays arrays, const std::string& source);

/// Returns one part for every learned tensor of the plan. Throws Error, naming `source`, that lists
/// which arrays are missing or have another shape than config.json says.
ModelLayout lay_out_model(const Family& family, const ModelConfig& config, const Plan& plan,
                          const StoredArrays& arrays, const std::string& source);

}  // namespace headlight
