#include "io/files/limits.h"

#include <charconv>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr const char* kVariable = "HEADLIGHT_LIMIT";

std::uint64_t need_size(const char* text, const char* where) {
    if (const auto size = parse_size(text)) return *size;
    throw Error(where, "{} is not a size such as 512M or 4G", in_quotes(text));
}

}  // namespace

Limits limits() {
    const char* text = std::getenv(kVariable);
    if (!text || !*text) return {};
    const std::uint64_t size = need_size(text, kVariable);
    return {size, size, size, size};
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
    std::uint64_t size = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, size);
    if (failure != std::errc() || size == 0) return std::nullopt;
    constexpr std::string_view kUnits = "KMGT";
    const std::size_t unit = rest == end ? 0 : kUnits.find(*rest) + 1;
    if (rest != end && (rest + 1 != end || unit == 0)) return std::nullopt;
    const std::uint64_t factor = std::uint64_t{1} << 10 * unit;
    if (size > (std::uint64_t{1} << 62) / factor) return std::nullopt;
    return size * factor;
}

void raise_limits(const char* text) {
    need_size(text, "--limit");
    ::setenv(kVariable, text, 1);
}

}  // namespace headlight
