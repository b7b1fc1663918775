// Bytes as letters, for images inside of text files.                              [RFC 4648, §4]
#pragma once

#include <string>
#include <string_view>

namespace headlight {

std::string base64(std::string_view bytes);

}  // namespace headlight
