// headlight plot: columns of CSV files as curves.
#include <filesystem>

#include "cli/commands.h"
#include "cli/open_study.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/files/file.h"
#include "io/pictures/figure_text.h"
#include "views/log_curves.h"

namespace headlight {

void plot_curves(const PlotCurves& options, const Streams& streams) {
    check_is_no_input(options.output, std::vector<std::filesystem::path>(options.files.begin(),
                                                                         options.files.end()));
    std::vector<CurveLog> logs;
    for (const std::string& file : options.files)
        logs.push_back(read_curve_log(read_file(file), file));
    const Theme& theme = theme_named(options.look.theme);
    const CurvesInput curves = log_curves(logs, options.columns, theme, "--column");
    const auto draw = [&](const FigureLook& look) {
        return plot_figure(curves, theme, look, pango_measure());
    };
    write_picture(options.output, options.look, draw, streams);
}

void add_plot_options(Options command, PlotCurves& plot) {
    command.arguments("FILE", plot.files, "CSV files, such as --log of train writes");
    command.list("--column", plot.columns, "NAME", "Only this one; may be repeated");
    command.output(plot.output, ".png, .svg, .pdf or .gif");
    add_look_options(command, plot.look);
    command.example(
        "  headlight plot gat.csv gatv2.csv --column accuracy -o both.pdf --width 120mm");
}

}  // namespace headlight
