// The options of headlight plot.
#pragma once

#include "cli/options/options.h"
#include "cli/plot_command.h"

namespace headlight {

/// `plot` must live as long as the command.
void add_plot_options(Options command, PlotCurves& plot);

}  // namespace headlight
