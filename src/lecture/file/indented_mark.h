// Lines that would mean something, did they not begin with blanks.
#pragma once

#include <algorithm>
#include <string_view>

namespace headlight {

/// "  ## Title", " ```headlight": hardly meant as text.
inline bool is_indented_mark(std::string_view line) {
    const std::string_view rest = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    return rest.size() < line.size() &&
           (rest.starts_with("# ") || rest.starts_with("## ") || rest.starts_with("```"));
}

}  // namespace headlight
