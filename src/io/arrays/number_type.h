// Numbers as bytes: the types that NPY and safetensors files hold. (Texts only name tokens.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/matrix.h"
#include "core/progress.h"

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

/// Decodes all numbers in `bytes`, each rounded to the nearest Scalar; true is 1. The type is one
/// of: Float of 2, 4, 8 bytes, BrainFloat of 2, Signed and Unsigned of 1, 2, 4, 8, Boolean of 1.
void decode_numbers(std::string_view bytes, NumberType type, Scalar* numbers);

/// Decodes a Float of 8 bytes.
double double_from(std::string_view bytes, ByteOrder order);

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

}  // namespace headlight
