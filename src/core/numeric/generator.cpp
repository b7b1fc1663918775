#include "core/numeric/generator.h"

#include <cmath>

#include "core/bits.h"

namespace headlight {
namespace {

std::uint64_t bits_at(std::uint64_t stream, Index row, Index column) {
    const auto place = (static_cast<std::uint64_t>(row) << 32) |
                       (static_cast<std::uint64_t>(column) & 0xffffffffu);
    return mix_bits(stream ^ place);
}

}  // namespace

SeededNumbers::SeededNumbers(std::uint64_t seed, std::string_view key)
    : stream_(mix_bits(mix_bits(seed) ^ fnv1a(key))) {}

Scalar SeededNumbers::uniform(Index row, Index column, Scalar limit) const {
    // An odd 24-bit numerator: symmetric around 0, never 0, exact in float.
    const auto k = static_cast<std::int32_t>(bits_at(stream_, row, column) >> 40);
    return static_cast<Scalar>(2 * k + 1 - (1 << 24)) / static_cast<Scalar>(1 << 24) * limit;
}

Scalar SeededNumbers::normal(Index row, Index column, Scalar deviation) const {
    std::uint64_t bits = bits_at(stream_, row, column);
    std::int32_t sum = 0;
    for (int word = 0; word < 3; ++word, bits = mix_bits(bits))
        for (int part = 0; part < 4; ++part)
            sum += static_cast<std::int32_t>(bits >> (16 * part) & 0xffff);
    return static_cast<Scalar>(sum - 6 * 0xffff) / static_cast<Scalar>(1 << 16) * deviation;
}

Scalar unit_sum_limit(Index n) {
    return std::sqrt(Scalar(3) / static_cast<Scalar>(n));
}

}  // namespace headlight
