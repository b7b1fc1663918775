// The sums that zip archives and PNG pictures carry.
#pragma once

#include <cstdint>
#include <string_view>

namespace headlight::bad {

std::uint32_t crc_32(std::string_view bytes);    // [ISO 3309]
std::uint32_t adler_32(std::string_view bytes);  // [RFC 1950]

}  // namespace headlight::bad
