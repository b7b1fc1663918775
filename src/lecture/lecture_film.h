// A lecture as a film: each page for a while, and the way from one page to the next.
#pragma once

#include <string>

#include "lecture/handout.h"

namespace headlight {

struct LectureFilm {
    PrintLook look = {};
    float page_secs = 4;  // of each page
    float dpi = 72;       // a point of the page is a pixel
};

/// An animated PNG if `extension` is ".png", else a GIF. Where a page changes numbers of the one
/// before, they run as when it is presented; all else changes at once. Throws Error as print_pages
/// does, and Cancelled.
std::string write_lecture_film(const PageSource& source, const LectureFilm& film,
                               const std::string& extension, Progress& progress);

}  // namespace headlight
