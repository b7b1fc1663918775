// headlight export: one tensor as a file.
#include "cli/commands.h"
#include "cli/open_study.h"
#include "cli/tensor_names.h"
#include "io/exporters.h"
#include "io/figure_png.h"
#include "io/file.h"
#include "paint/figure_extent.h"
#include "paint/heatmap_figure.h"
#include "paint/tensor_figure.h"

namespace headlight {
namespace {

constexpr Point kLargestPicture = {900, 720};  // points, when no size is given

Figure figure_of(const Trace& trace, const Tensor& tensor, const ExportTensor& options) {
    const Theme& theme = theme_named(options.theme);
    HeatmapInput input = heatmap_input(trace, tensor, theme);
    const Point size = options.size.value_or(kLargestPicture);
    input.width = size.x;
    input.height = size.y;
    const MeasureText measure = pango_measure();
    Figure figure = heatmap_figure(input, theme, measure).figure;
    if (!options.size) trim(figure, kFigurePad, measure);
    return figure;
}

}  // namespace

void export_one_tensor(const ExportTensor& options, const Streams& streams) {
    const Exporter& exporter = exporter_for(options.output);
    const Watched watched{.everything = false, .globs = {options.tensor}};
    const Trace trace =
        sentence_of(evaluate_study(open_study(options.study), watched, streams), options.sentence);
    const Tensor& tensor = trace[tensor_named(trace, options.tensor)];
    const bool is_picture = exporter.kind == ExportKind::Picture;
    const Figure figure = is_picture ? figure_of(trace, tensor, options) : Figure{};
    const ExportRequest request{.trace = trace,
                                .tensor = tensor,
                                .figure = figure,
                                .scale = options.scale,
                                .ground = theme_named(options.theme).card};
    write_file(options.output, export_tensor(exporter, request));
}

}  // namespace headlight
