#include "core/numeric/generator.h"

#include <cmath>

namespace headlight {
namespace {

// The finaliser of SplitMix64 [Steele, Lea & Flood 2014].
std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// FNV-1a.
std::uint64_t hash(std::string_view key) {
    std::uint64_t h = 0xcbf29ce484222325u;
    for (const char c : key) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return h;
}

std::uint64_t bits_at(std::uint64_t stream, Index row, Index column) {
    const auto place = (static_cast<std::uint64_t>(row) << 32) |
                       (static_cast<std::uint64_t>(column) & 0xffffffffu);
    return mix(stream ^ place);
}

}  // namespace

SeededNumbers::SeededNumbers(std::uint64_t seed, std::string_view key)
    : stream_(mix(mix(seed) ^ hash(key))) {}

Scalar SeededNumbers::uniform(Index row, Index column, Scalar limit) const {
    // An odd 24-bit numerator: symmetric around 0, never 0, exact in float.
    const auto k = static_cast<std::int32_t>(bits_at(stream_, row, column) >> 40);
    return static_cast<Scalar>(2 * k + 1 - (1 << 24)) / static_cast<Scalar>(1 << 24) * limit;
}

Scalar SeededNumbers::normal(Index row, Index column, Scalar deviation) const {
    std::uint64_t bits = bits_at(stream_, row, column);
    std::int32_t sum = 0;
    for (int word = 0; word < 3; ++word, bits = mix(bits))
        for (int part = 0; part < 4; ++part)
            sum += static_cast<std::int32_t>(bits >> (16 * part) & 0xffff);
    return static_cast<Scalar>(sum - 6 * 0xffff) / static_cast<Scalar>(1 << 16) * deviation;
}

Scalar unit_sum_limit(Index n) {
    return std::sqrt(Scalar(3) / static_cast<Scalar>(n));
}

}  // namespace headlight
