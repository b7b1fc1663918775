// StoredArray: an array of numbers or texts in a file. Its shape and the type of its elements are
// known; the elements are read when they are needed. (Texts only name tokens.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/matrix.h"
#include "core/progress.h"
#include "io/files/open_file.h"

namespace headlight {

enum class NumberKind {
    Float,
    BrainFloat,
    Signed,
    Unsigned,
    Boolean,
    Text,   // UTF-32 of fixed length, filled up with zeros
    Bytes,  // UTF-8 of fixed length, filled up with zeros
};
enum class ByteOrder { Little, Big };
enum class Layout { RowByRow, ColumnByColumn };

struct NumberType {
    NumberKind kind = NumberKind::Float;
    std::size_t size_bytes = 4;
    ByteOrder order = ByteOrder::Little;
};

/// "float32", "bfloat16", "text"
std::string type_text(NumberType type);

/// Writes Floats of 4 bytes, little-endian, row by row.
std::string write_matrix_bytes(const Matrix& matrix, const Steps& steps = {});

/// True if numbers of this shape take `size_bytes`; no product overflows, whatever a file says.
bool has_exactly(std::uint64_t size_bytes, NumberType type, std::span<const std::uint64_t> shape);

/// Decode 16 bits of IEEE 754 "half" and of bfloat16; both are exact.
float float_from_half(std::uint16_t bits);
float float_from_brain_float(std::uint16_t bits);

/// The number in the first bytes; `bytes` holds at least sizeof(Unsigned).
template <typename Unsigned>
Unsigned load_little_endian(std::string_view bytes) {
    Unsigned number = 0;
    for (std::size_t i = sizeof(Unsigned); i-- > 0;)
        number = static_cast<Unsigned>(number << 8 | static_cast<std::uint8_t>(bytes[i]));
    return number;
}

struct StoredArray {
    std::string name;  // a label, never a path to open
    NumberType type;
    std::vector<std::uint64_t> shape;
    Layout layout = Layout::RowByRow;
    ByteSource data = {};  // the elements and nothing else; named as messages call the array
    std::vector<std::size_t> lines = {};  // the lines of the rows in a text file

    bool holds_text() const {
        return type.kind == NumberKind::Text || type.kind == NumberKind::Bytes;
    }
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

/// Matrices in the order of the file. Names are labels, never paths to open.
using NamedMatrices = std::vector<std::pair<std::string, Matrix>>;

}  // namespace headlight
