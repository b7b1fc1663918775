// Checks that any text from outside must pass.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight {

/// Throws Error, with `source` and the line, unless the bytes are UTF-8 without NUL.
void check_text(std::string_view bytes, const std::string& source);

/// "[source] line 3: what", for the byte at `offset`.
[[noreturn]] void fail_at_byte(std::string_view bytes, std::size_t offset,
                               const std::string& source, const std::string& what);

}  // namespace headlight
