// headlight plot: columns of CSV files as curves.
#pragma once

#include "cli/commands.h"

namespace headlight {

/// Curves of CSV files: each column over the first one.
struct PlotCurves {
    std::vector<std::string> files;
    std::vector<std::string> columns;  // by name; none: all
    std::string output;                // a picture
    FigureLook look;
};
void plot_curves(const PlotCurves& options, const Streams& streams);

}  // namespace headlight
