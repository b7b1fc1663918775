// Several matrices of one shape in one figure, as a paper has them: letters, short titles, names at
// the left and at the top, one bar for what has the same colours.
#pragma once

#include "paint/panels/panels_layout.h"
#include "paint/theme.h"

namespace headlight {

struct PanelsFigure {
    Figure figure;
    std::vector<CellGrid> grids;  // of each panel
    std::vector<Box> bars;
    std::string problem;  // why there is no figure; "": there is one
};

PanelsFigure panels_figure(const PanelsInput& input, const Theme& theme,
                           const MeasureText& measure);

}  // namespace headlight
