// A number with what it counts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headlight {

/// "1 node", "2 nodes". `many`: the plural, where it is not `one` with an s.
std::string counted(std::int64_t n, std::string_view one, std::string_view many = {});

}  // namespace headlight
