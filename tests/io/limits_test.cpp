#include "io/files/limits.h"

#include <cstdlib>
#include <doctest/doctest.h>

#include "broken_input.h"

namespace headlight::limits_test {
namespace {

/// Restores HEADLIGHT_LIMIT at the end.
struct KeptLimits {
    ~KeptLimits() { ::unsetenv("HEADLIGHT_LIMIT"); }
};

}  // namespace

TEST_CASE("limits: a size is a number, optionally with K, M, G or T") {
    CHECK(parse_size("17") == 17);
    CHECK(parse_size("2K") == 2048);
    CHECK(parse_size("512M") == std::uint64_t{512} << 20);
    CHECK(parse_size("4G") == std::uint64_t{4} << 30);
    CHECK(parse_size("1T") == std::uint64_t{1} << 40);
    for (const char* wrong : {"", "0", "-1", "G", "4GB", "4 G", "1.5G", "99999999999T", "x"}) {
        INFO(wrong);
        CHECK_FALSE(parse_size(wrong));
    }
}

TEST_CASE("limits: the option and the variable raise the limits that protect memory") {
    const KeptLimits kept;
    CHECK(limits() == Limits{});
    raise_limits("4G");
    constexpr std::uint64_t kSize = std::uint64_t{4} << 30;
    CHECK(limits() == Limits{kSize, kSize, kSize, kSize});
    CHECK(error_of([] { raise_limits("much"); }) ==
          "[--limit] 'much' is not a size such as 512M or 4G");
    ::setenv("HEADLIGHT_LIMIT", "much", 1);
    CHECK(error_of([] { static_cast<void>(limits()); }) ==
          "[HEADLIGHT_LIMIT] 'much' is not a size such as 512M or 4G");
}

}  // namespace headlight::limits_test
