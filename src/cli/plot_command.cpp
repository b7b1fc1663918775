#include "cli/plot_command.h"

#include <filesystem>

#include "cli/open_study.h"
#include "cli/output/write_picture.h"
#include "io/files/file.h"
#include "io/pictures/figure_text.h"
#include "scene/figures/log_curves.h"
#include "scene/figures/plot_figure.h"

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

}  // namespace headlight
