#include "io/arrays/stored_array.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <string_view>

#include "core/error.h"
#include "io/files/limits.h"
#include "io/text/json_text.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace headlight {
namespace {

/// The bits of one number, from bytes in either order.
std::uint64_t load_bits(const char* bytes, NumberType type) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < type.size_bytes; ++i) {
        const std::size_t at = type.order == ByteOrder::Big ? i : type.size_bytes - 1 - i;
        bits = bits << 8 | static_cast<std::uint8_t>(bytes[at]);
    }
    return bits;
}

Scalar scalar_from_float_bits(std::uint64_t bits, std::size_t size_bytes) {
    if (size_bytes == 2) return float_from_half(static_cast<std::uint16_t>(bits));
    if (size_bytes == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return static_cast<Scalar>(std::bit_cast<double>(bits));
}

/// Two's complement of any width.
std::int64_t sign_extended(std::uint64_t bits, std::size_t size_bytes) {
    const auto unused_bits = static_cast<int>(64 - 8 * size_bytes);
    return static_cast<std::int64_t>(bits << unused_bits) >> unused_bits;
}

Scalar scalar_from_bits(std::uint64_t bits, NumberType type) {
    switch (type.kind) {
        case NumberKind::Float:
            return scalar_from_float_bits(bits, type.size_bytes);
        case NumberKind::BrainFloat:
            return float_from_brain_float(static_cast<std::uint16_t>(bits));
        case NumberKind::Signed:
            return static_cast<Scalar>(sign_extended(bits, type.size_bytes));
        case NumberKind::Unsigned:
            return static_cast<Scalar>(bits);
        case NumberKind::Boolean:
            return bits != 0 ? Scalar(1) : Scalar(0);
        case NumberKind::Text:
        case NumberKind::Bytes:
            break;
    }
    return 0;
}

/// Decodes all numbers in `bytes`, each rounded to the nearest Scalar; true is 1. The type is one
/// of: Float of 2, 4, 8 bytes, BrainFloat of 2, Signed and Unsigned of 1, 2, 4, 8, Boolean of 1.
void decode_numbers(std::string_view bytes, NumberType type, Scalar* numbers) {
    constexpr bool kIsLittle = std::endian::native == std::endian::little;
    const bool is_scalar = type.kind == NumberKind::Float && type.size_bytes == sizeof(Scalar) &&
                           (type.order == ByteOrder::Little) == kIsLittle;
    if (is_scalar) {
        if (!bytes.empty()) std::memcpy(numbers, bytes.data(), bytes.size());
        return;
    }
    for (std::size_t i = 0; i < bytes.size() / type.size_bytes; ++i)
        numbers[i] = scalar_from_bits(load_bits(bytes.data() + i * type.size_bytes, type), type);
}

}  // namespace

std::string type_text(NumberType type) {
    const std::string bits = std::to_string(8 * type.size_bytes);
    switch (type.kind) {
        case NumberKind::Float:
            return "float" + bits;
        case NumberKind::BrainFloat:
            return "bfloat16";
        case NumberKind::Signed:
            return "int" + bits;
        case NumberKind::Unsigned:
            return "uint" + bits;
        case NumberKind::Boolean:
            return "bool";
        case NumberKind::Text:
        case NumberKind::Bytes:
            break;
    }
    return "text";
}

std::string write_matrix_bytes(const Matrix& matrix, const Steps& steps) {
    std::string bytes;
    bytes.reserve(static_cast<std::size_t>(matrix.size()) * 4);
    for (Index i = 0; i < matrix.rows(); ++i) {
        for (Index j = 0; j < matrix.cols(); ++j) {
            const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(matrix(i, j)));
            for (int shift = 0; shift < 32; shift += 8)
                bytes += static_cast<char>(bits >> shift & 0xFF);
        }
        steps.advance(1.0 / static_cast<double>(matrix.rows()));
    }
    return bytes;
}

bool has_exactly(std::uint64_t size_bytes, NumberType type, std::span<const std::uint64_t> shape) {
    if (std::ranges::count(shape, 0) > 0) return size_bytes == 0;
    std::uint64_t count = size_bytes / type.size_bytes;
    if (size_bytes % type.size_bytes != 0) return false;
    for (const std::uint64_t size : shape) {
        if (count % size != 0) return false;
        count /= size;
    }
    return count == 1;
}

float float_from_half(std::uint16_t bits) {
    const int exponent = bits >> 10 & 0x1F, fraction = bits & 0x3FF;
    const float sign = bits & 0x8000 ? -1.0f : 1.0f;
    if (exponent == 0x1F)
        return fraction == 0 ? sign * std::numeric_limits<float>::infinity()
                             : std::numeric_limits<float>::quiet_NaN();
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
    return sign * std::ldexp(static_cast<float>(fraction + 0x400), exponent - 25);
}

float float_from_brain_float(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

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
        const auto number = std::bit_cast<double>(load_bits(bytes.data(), array.type));
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
