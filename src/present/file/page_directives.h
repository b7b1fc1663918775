// Checks the directives of a page, one by one and beside each other.
#pragma once

#include <algorithm>
#include <string_view>

#include "present/lecture.h"
#include "present/page/page_view.h"

namespace headlight {

/// Throws Error with the line if a key is given twice that can be given once, or if theme, minutes
/// or animate has a value that it cannot have. With the first page those of the lecture are checked
/// as well. With `faults` each of these is added there.
void check_directives(const PageSource& source, std::size_t page, Faults* faults = nullptr);

/// Gives pages, texts, directives, studies and curves their lines in the text that write_lecture
/// makes. Leaves them as they are if that cannot be read again.
void number_lines(Lecture& lecture);

/// True of "  ## Title" and " ```headlight", which are hardly meant as text.
inline bool is_indented_mark(std::string_view line) {
    const std::string_view rest = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    return rest.size() < line.size() &&
           (rest.starts_with("# ") || rest.starts_with("## ") || rest.starts_with("```"));
}

}  // namespace headlight
