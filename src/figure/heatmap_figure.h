// A matrix as a picture: large with labels, numbers and a legend, or small for a card.
#pragma once

#include <string>
#include <vector>

#include "figure/heatmap_layout.h"
#include "figure/theme.h"

namespace headlight {

struct HeatmapHeader {
    std::vector<std::string> title_lines, formula_lines;
    float formula_size = 0;
};

/// Breaks the header into lines. A title without scripts may take a second line; from far away it
/// has one line. A formula is a little smaller where that is enough for one line, or where it
/// stands beside the title.
HeatmapHeader break_header(const HeatmapInput& input, bool is_formula_beside,
                           const MeasureText& measure);

struct HeatmapFigure {
    Figure figure;
    CellGrid grid;  // cell_at(point), cell_box(row, column)
    ZoomRoom room = {};
    CellGrid overview = {};  // without cells while all is seen
    Box legend = {};
    float number_size = 0;  // of the numbers in the cells; 0: there are none
};

/// Enlarges the whole picture by that factor.
void enlarge(HeatmapFigure& picture, float times);

/// Draws the large picture, input.width × input.height. Labels are thinned and shortened until none
/// touches another; those of selected and hovered rows and columns are always there.
HeatmapFigure heatmap_figure(const HeatmapInput& input, const Theme& theme,
                             const MeasureText& measure);
/// Draws pictures that stand side by side. Those of one shape are in line: their cells, labels and
/// legends have the same places and sizes. Pictures for reading from far away all have numbers, or
/// none has.
std::vector<HeatmapFigure> heatmaps_in_line(std::vector<HeatmapInput> inputs, const Theme& theme,
                                            const MeasureText& measure);
/// Draws the picture where the places are given, as in a figure of many; input.width × input.height
/// is the size of the whole figure.
HeatmapFigure heatmap_in_layout(const HeatmapInput& input, const HeatmapLayout& layout,
                                const Theme& theme, const MeasureText& measure);

}  // namespace headlight
