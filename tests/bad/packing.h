// The compression and checksums of zip archives and PNG pictures, by zlib.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headlight::bad {

std::uint32_t crc_32(std::string_view bytes);       // [ISO 3309]
std::uint32_t adler_32(std::string_view bytes);     // [RFC 1950]
std::string zlib_deflated(std::string_view bytes);  // [RFC 1950]
std::string raw_deflated(std::string_view bytes);   // [RFC 1951]

}  // namespace headlight::bad
