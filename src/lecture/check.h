// Plays a lecture without a window and says what does not hold.
#pragma once

#include <string>
#include <vector>

#include "lecture/lecture.h"
#include "lecture/page/page_view.h"

namespace headlight {

struct CheckedPage {
    std::string title;
    int n_claims = 0, n_expressions = 0;
    bool has_task = false;
    Faults failures;  // "[a.lecture] line 12: “Title” …", by their lines
    std::vector<std::string> notes;
};

/// The study opens, the picture of the page can be made, every expression in the text has a value,
/// every claim holds, a goal is false before its solution and true after it. Nothing is thrown:
/// what fails is said.
CheckedPage check_page(const PageSource& source, std::size_t page);

/// What is wrong beside the pages: the text before them, studies and curves that no page names.
Faults check_rest(const PageSource& source);

}  // namespace headlight
