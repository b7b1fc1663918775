// Bytes as letters, for bytes inside of text files.                               [RFC 4648, §4]
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headlight {

std::string base64(std::string_view bytes);

/// Returns the bytes again; nothing if `text` is not base64. "=" at the end may be missing.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace headlight
