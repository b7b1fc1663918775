#include "cli/plot_command.h"

#include <filesystem>

#include "cli/open_study.h"
#include "core/error.h"
#include "io/exporters.h"
#include "io/files/file.h"
#include "io/pictures/figure_text.h"
#include "paint/figure_type.h"
#include "scene/figures/log_curves.h"
#include "scene/figures/plot_figure.h"

namespace headlight {
void plot_curves(const PlotCurves& options, const Streams& streams) {
    const Exporter& exporter = exporter_for(options.output);
    if (exporter.kind != ExportKind::Picture)
        throw Error(options.output, "is no picture; take .png, .svg, .pdf or .gif");
    check_is_no_input(options.output, std::vector<std::filesystem::path>(options.files.begin(),
                                                                         options.files.end()));
    std::vector<CurveLog> logs;
    for (const std::string& file : options.files)
        logs.push_back(read_curve_log(read_file(file), file));
    const Theme& theme = theme_named(options.look.theme);
    const CurvesInput curves = log_curves(logs, options.columns, theme, "--column");
    const LaidOutFigure laid_out = lay_out_figure(options.look, [&](const FigureLook& look) {
        return plot_figure(curves, theme, look, pango_measure());
    });
    const FigureSheet sheet = sheet_for(laid_out.figure, laid_out.look, theme.card);
    write_file(options.output, export_bytes(exporter, {Trace(), {}, laid_out.figure, sheet}));
    if (!laid_out.note.empty()) write_note(streams, laid_out.note);
}

}  // namespace headlight
