#include "io/text/text_check.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/error.h"
#include "text/utf8.h"

namespace headlight {

void check_text(std::string_view bytes, const std::string& source) {
    if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
        throw Error(source, "is in UTF-16; save it as UTF-8");
    if (const std::size_t zero = bytes.find('\0'); zero != std::string_view::npos)
        fail_at_byte(bytes, zero, source, "a zero byte; this is not a text file");
    if (const auto invalid = find_invalid_utf8(bytes))
        fail_at_byte(bytes, *invalid, source,
                     fmt::format("not UTF-8 at byte {}; save it as UTF-8", *invalid));
}

void fail_at_byte(std::string_view bytes, std::size_t offset, const std::string& source,
                  const std::string& what) {
    const std::string_view before = bytes.substr(0, offset);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    throw Error({source, line}, what);
}

}  // namespace headlight
