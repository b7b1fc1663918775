// StoredArray: an array of numbers or texts in a file. Its shape is known; its elements are read
// when they are needed.
#pragma once

#include <string>
#include <vector>

#include "core/matrix.h"
#include "io/arrays/number_type.h"
#include "io/files/byte_source.h"

namespace headlight {

struct StoredArray {
    std::string name;  // a label, never a path to open
    NumberType type;
    std::vector<std::uint64_t> shape;
    Layout layout = Layout::RowByRow;
    ByteSource data = {};  // the elements and nothing else; named as messages call the array
    std::vector<std::size_t> lines = {};  // the lines of the rows in a text file
};
using StoredArrays = std::vector<StoredArray>;

/// "(3, 4)"
std::string shape_list(const std::vector<std::uint64_t>& shape);

/// Counts the elements. The shape has been checked, so this does not overflow.
std::uint64_t count_elements(const StoredArray& array);

/// Throws Error, naming the file, unless the elements of this shape take exactly `size_bytes`.
void check_fits(const StoredArray& array, std::uint64_t size_bytes);

/// The shape of the result of read_matrix. Throws Error if the dimensions are too large for a
/// matrix.
struct MatrixShape {
    Index rows = 1, columns = 1;
};
MatrixShape matrix_shape(const StoredArray& array);

/// Reads an array as a matrix: all but the last dimension become rows, one below the other, so [2,
/// 3, 4] is 6 × 4. A scalar is 1 × 1, a vector of n numbers n × 1. Throws Error for texts, and for
/// a matrix beyond limits().
Matrix read_matrix(const StoredArray& array);

/// Writes as "[2, 0, 1]" the array's own indices of an element of read_matrix's result.
std::string element_text(const StoredArray& array, Index row, Index column);

/// Describes an element that is not a number: "NaN", "+inf", or "1e+300, too large for float32".
/// `value` is the one that read_matrix gives for it.
std::string not_a_number_text(const StoredArray& array, Index row, Index column, Scalar value);

/// Reads an array that is already a matrix, a vector or a scalar; throws Error for any other.
Matrix read_plain_matrix(const StoredArray& array);

/// The numbers from `first` on, in the order of the file. Throws Error for texts.
void read_numbers(const StoredArray& array, std::uint64_t first, View into);

/// Throws Error if the elements are not texts or one of them is not Unicode.
std::vector<std::string> read_texts(const StoredArray& array);

}  // namespace headlight
