// Handouts: the pages of a lecture as figures, as a PDF on sheets of paper, as one HTML file.
//
// Goals: the page that the hall sees, with the study as the file has it. Not goals: films.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "io/pictures/figure_pdf.h"
#include "present/page/page_figure.h"

namespace headlight {

struct PrintLook {
    Point size{kWidePage, kPageHeight};
    std::optional<ThemeName> theme = {};   // absent: as the pages say, else light
    std::optional<std::size_t> page = {};  // the only one; absent: all
};

/// Draws the page in the theme of the look, else in its own. Throws Error with the line.
PageFigure draw_page(const PageSource& source, const PrintedPage& page, const PrintLook& look,
                     const MeasureText& measure);

/// Opens the pages, one after another. Throws Error with the line of the first one that cannot be
/// opened, and Cancelled.
void print_pages(const PageSource& source, const PrintLook& look, Progress& progress,
                 const std::function<void(const PrintedPage&)>& take);

/// The sheets of paper with pages on them. They refer to the figures of the pages, and to their own
/// frames.
struct HandoutSheets {
    std::vector<PaperPage> sheets;
    std::deque<Figure> frames = {};  // under the pages; their places stay
};
/// With 1 each page is a sheet of its own size. With 2 or 4 the pages stand on A4, each in a frame,
/// with lines to write on where there is room. Throws Error for another number.
HandoutSheets lay_out_handout(const std::vector<PageFigure>& pages, int n_per_sheet);
/// Writes the same sheets as a PDF file.
std::string write_handout_pdf(const std::vector<PageFigure>& pages, int n_per_sheet);

/// Writes text, and figures as SVG; where the pointer is on a cell of a heatmap, its names and its
/// value are shown. The file needs no other file.
std::string write_handout_html(const PageSource& source, const PrintLook& look, Progress& progress);

}  // namespace headlight
