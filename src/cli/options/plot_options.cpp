#include "cli/options/plot_options.h"

#include "cli/options/look_options.h"

namespace headlight {

void add_plot_options(Options command, PlotCurves& plot) {
    command.arguments("FILE", plot.files, "CSV files, such as --log of train writes");
    command.list("--column", plot.columns, "NAME", "Only this one; may be repeated");
    command.output(plot.output, ".png, .svg, .pdf or .gif");
    add_look_options(command, plot.look);
    command.example(
        "  headlight plot gat.csv gatv2.csv --column accuracy -o both.pdf --width 120mm");
}

}  // namespace headlight
