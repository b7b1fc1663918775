// Plays a lecture without a window and reports everything that does not hold.
#pragma once

#include <string>
#include <vector>

#include "present/lecture.h"
#include "present/page/page_view.h"

namespace headlight {

struct CheckedPage {
    std::string title;
    int n_claims = 0, n_expressions = 0;
    bool has_task = false;
    Faults failures;  // "[a.lecture] line 12: “Title” …", by their lines
    std::vector<std::string> notes;
};

/// Checks that the study opens, that the picture of the page can be made, that every expression in
/// the text has a value, that every claim holds, and that a goal is false before its solution and
/// true after it. Throws nothing: failures are in the result.
CheckedPage check_page(const PageSource& source, std::size_t page);

/// Returns the faults outside the pages: in the text before them, in studies and curves that no
/// page names.
Faults check_rest(const PageSource& source);

}  // namespace headlight
