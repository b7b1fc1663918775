#include "io/arrays/stored_array.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

#include "core/error.h"
#include "io/files/limits.h"
#include "io/text/json_text.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace headlight {
namespace {

/// The number of elements that are decoded at once.
constexpr Index kPiece = 1 << 16;

[[noreturn]] void fail(const StoredArray& array, const std::string& what) {
    throw Error(array.data.name, what);
}

void check_numbers(const StoredArray& array) {
    if (array.type.kind == NumberKind::Text || array.type.kind == NumberKind::Bytes)
        fail(array, "holds texts; only real numbers are read: save it as float32");
}

/// One text of fixed length: UTF-32, or UTF-8 bytes, filled up with zeros.
std::string text_in(const StoredArray& array, std::string_view bytes) {
    std::string text;
    if (array.type.kind == NumberKind::Bytes) text = bytes.substr(0, bytes.find('\0'));
    for (std::size_t at = 0; array.type.kind == NumberKind::Text && at < bytes.size(); at += 4) {
        std::string code(bytes.substr(at, 4));
        if (array.type.order == ByteOrder::Big) std::ranges::reverse(code);
        const auto value = load_little_endian<std::uint32_t>(code);
        if (value == 0) break;
        text += encode_code_point(value);
        if (value > 0x10FFFF) fail(array, "holds a text that is not Unicode");
    }
    if (find_invalid_utf8(text)) fail(array, "holds a text that is not UTF-8");
    return text;
}

}  // namespace

std::string shape_list(const std::vector<std::uint64_t>& shape) {
    return "(" + joined(shape) + (shape.size() == 1 ? ",)" : ")");
}

std::uint64_t count_elements(const StoredArray& array) {
    return array.data.size / array.type.size_bytes;
}

void check_fits(const StoredArray& array, std::uint64_t size_bytes) {
    if (array.shape.size() > kMaxDimensions)
        fail(array, fmt::format("has {} dimensions; at most {} are read", array.shape.size(),
                                kMaxDimensions));
    if (!has_exactly(size_bytes, array.type, array.shape))
        fail(array, fmt::format("its shape {} of {}-byte numbers does not fit the {} bytes that "
                                "follow; the file is incomplete or damaged",
                                shape_list(array.shape), array.type.size_bytes, size_bytes));
}

MatrixShape matrix_shape(const StoredArray& array) {
    constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 31;
    std::uint64_t rows = 1, columns = 1;
    if (array.shape.size() > 1) columns = array.shape.back();
    for (std::size_t i = 0; i < std::max<std::size_t>(1, array.shape.size()) - 1; ++i)
        rows = array.shape[i] == 0 || rows > kMaxSize ? array.shape[i] : rows * array.shape[i];
    if (array.shape.size() == 1) rows = array.shape[0];
    if (rows > kMaxSize || columns > kMaxSize)
        fail(array, "is too large for a matrix: " + shape_list(array.shape));
    return {static_cast<Index>(rows), static_cast<Index>(columns)};
}

Matrix read_matrix(const StoredArray& array) {
    check_numbers(array);
    const MatrixShape shape = matrix_shape(array);
    const std::uint64_t size_bytes = count_elements(array) * sizeof(Scalar);
    if (size_bytes > limits().matrix_bytes)
        fail(array, fmt::format("needs {} bytes of memory; at most {} are read; {}", size_bytes,
                                limits().matrix_bytes, kRaiseLimit));
    const bool is_turned = array.layout == Layout::ColumnByColumn && array.shape.size() > 1;
    if (is_turned && array.shape.size() > 2)
        fail(array, fmt::format("has {} dimensions and stands column by column; save it with "
                                "numpy.ascontiguousarray",
                                array.shape.size()));
    // All bytes are read at once, not piece by piece, so that an archive compares its checksum.
    const std::string bytes = array.data.bytes(0, array.data.size);
    Matrix matrix(is_turned ? shape.columns : shape.rows, is_turned ? shape.rows : shape.columns);
    decode_numbers(bytes, array.type, matrix.data());
    if (is_turned) matrix = Matrix(matrix.transpose());
    return matrix;
}

std::string element_text(const StoredArray& array, Index row, Index column) {
    const std::size_t n = array.shape.size();
    std::vector<Index> indices(n);
    if (n > 1) indices[n - 1] = column;
    for (std::size_t k = n > 1 ? n - 1 : n; k-- > 0;) {
        const auto size = static_cast<Index>(array.shape[k]);
        indices[k] = row % size;
        row /= size;
    }
    return fmt::format("[{}]", joined(indices));
}

std::string not_a_number_text(const StoredArray& array, Index row, Index column, Scalar value) {
    if (std::isnan(value)) return "NaN";
    const MatrixShape shape = matrix_shape(array);
    const bool is_turned = array.layout == Layout::ColumnByColumn && array.shape.size() > 1;
    const Index place = is_turned ? column * shape.rows + row : row * shape.columns + column;
    const bool is_double = array.type.kind == NumberKind::Float && array.type.size_bytes == 8;
    if (is_double) {
        const std::string bytes = array.data.bytes(8 * static_cast<std::uint64_t>(place), 8);
        const double number = double_from(bytes, array.type.order);
        if (std::isfinite(number)) return number_text(number) + ", too large for float32";
    }
    return value < 0 ? "−inf" : "+inf";
}

Matrix read_plain_matrix(const StoredArray& array) {
    check_numbers(array);
    if (array.shape.size() > 2)
        fail(array, fmt::format("has {} dimensions, {}; a matrix has two", array.shape.size(),
                                shape_list(array.shape)));
    return read_matrix(array);
}

void read_numbers(const StoredArray& array, std::uint64_t first, View into) {
    check_numbers(array);
    const auto size = static_cast<std::uint64_t>(array.type.size_bytes);
    for (Index done = 0; done < into.size();) {
        const Index count = std::min(kPiece, into.size() - done);
        const std::string bytes =
            array.data.bytes((first + static_cast<std::uint64_t>(done)) * size,
                             static_cast<std::uint64_t>(count) * size);
        decode_numbers(bytes, array.type, into.data() + done);
        done += count;
    }
}

std::vector<std::string> read_texts(const StoredArray& array) {
    if (array.type.kind != NumberKind::Text && array.type.kind != NumberKind::Bytes)
        fail(array, "holds numbers, not texts");
    if (array.data.size > limits().matrix_bytes)
        fail(array, std::string("is too large to be a list of texts; ") + kRaiseLimit);
    const std::string bytes = array.data.bytes(0, array.data.size);
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < bytes.size(); at += array.type.size_bytes)
        texts.push_back(text_in(array, std::string_view(bytes).substr(at, array.type.size_bytes)));
    return texts;
}

}  // namespace headlight
