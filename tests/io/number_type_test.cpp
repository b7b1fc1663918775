#include <bit>
#include <cmath>
#include <doctest/doctest.h>
#include <vector>

#include "broken_input.h"
#include "io/arrays/stored_array.h"

namespace headlight::number_type_test {

TEST_CASE("float_from_half: zero, one, the limits, subnormals, infinity, NaN") {
    CHECK(float_from_half(0x0000) == 0);
    CHECK(std::signbit(float_from_half(0x8000)));
    CHECK(float_from_half(0x3C00) == 1);
    CHECK(float_from_half(0xC500) == -5);
    CHECK(float_from_half(0x7BFF) == 65504);
    CHECK(float_from_half(0x0400) == std::ldexp(1.0f, -14));
    CHECK(float_from_half(0x03FF) == std::ldexp(1023.0f, -24));
    CHECK(float_from_half(0x0001) == std::ldexp(1.0f, -24));
    CHECK(float_from_half(0xFC00) == -std::numeric_limits<float>::infinity());
    CHECK(std::isnan(float_from_half(0x7E00)));
}

TEST_CASE("float_from_half: all finite halves are ordered like their bits") {
    for (std::uint16_t bits = 0; bits < 0x7BFF; ++bits) {
        const auto next = static_cast<std::uint16_t>(bits + 1);
        REQUIRE(float_from_half(bits) < float_from_half(next));
        REQUIRE(float_from_half(bits | 0x8000) == -float_from_half(bits));
    }
}

TEST_CASE("float_from_brain_float: it is the upper half of a float") {
    CHECK(float_from_brain_float(0x3FC0) == 1.5f);
    CHECK(float_from_brain_float(0xFF80) == -std::numeric_limits<float>::infinity());
    CHECK(std::isnan(float_from_brain_float(0x7FC0)));
}

TEST_CASE("has_exactly: products of sizes do not overflow") {
    const auto fits = [](std::uint64_t size_bytes, std::vector<std::uint64_t> shape) {
        return has_exactly(size_bytes, {NumberKind::Float, 8}, shape);
    };
    CHECK(fits(48, {2, 3}));
    CHECK_FALSE(fits(47, {2, 3}));
    CHECK_FALSE(fits(48, {3, 3}));
    CHECK(fits(0, {0, ~std::uint64_t{0}}));
    CHECK_FALSE(fits(8, {0, 1}));
    CHECK_FALSE(fits(0, {std::uint64_t{1} << 61, 8}));
    CHECK_FALSE(fits(8, {(std::uint64_t{1} << 63) + 1, 2}));
}

}  // namespace headlight::number_type_test
