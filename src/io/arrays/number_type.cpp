#include "io/arrays/number_type.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/error.h"

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

double double_from(std::string_view bytes, ByteOrder order) {
    return std::bit_cast<double>(load_bits(bytes.data(), {NumberKind::Float, 8, order}));
}

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

}  // namespace headlight
