// Figures as a PDF: one a page, or several on sheets of paper.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/progress.h"
#include "figure/figure_look.h"

namespace headlight {

/// A figure on a page, its origin at `at`, each of its points `scale` points of the page.
struct PlacedFigure {
    const Figure* figure = nullptr;
    Point at = {};
    float scale = 1;
};

struct PaperPage {
    double width = 0, height = 0;  // points
    Color background{255, 255, 255, 255};
    std::vector<PlacedFigure> figures = {};
};

/// Writes a PDF. Text is text, with the letters that it needs of its fonts; heatmaps are as
/// paint_figure draws them on paper. The same figure gives the same bytes. Throws Error if the page
/// is larger than readers show: 200 inches.
std::string write_pdf(const Figure& figure, const FigureSheet& sheet, const Steps& steps = {});
std::string write_pdf(std::span<const PaperPage> pages, const Steps& steps = {});

}  // namespace headlight
