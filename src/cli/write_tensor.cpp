#include "cli/write_tensor.h"

#include "io/figure_png.h"
#include "io/file.h"
#include "paint/figure_extent.h"
#include "paint/heatmap_figure.h"
#include "paint/tensor_figure.h"

namespace headlight {
namespace {

constexpr Point kLargestPicture = {900, 720};  // points, when no size is given

Figure figure_of(const Trace& trace, const Tensor& tensor, const PictureLook& look) {
    const Theme& theme = theme_named(look.theme);
    HeatmapInput input = heatmap_input(trace, tensor, theme);
    const Point size = look.size.value_or(kLargestPicture);
    input.width = size.x;
    input.height = size.y;
    const MeasureText measure = pango_measure();
    Figure figure = heatmap_figure(input, theme, measure).figure;
    if (!look.size) trim(figure, kFigurePad, measure);
    return figure;
}

}  // namespace

void write_tensor(const Exporter& exporter, const Trace& trace, const Tensor& tensor,
                  const std::string& output, const PictureLook& look) {
    const bool is_picture = exporter.kind == ExportKind::Picture;
    const Figure figure = is_picture ? figure_of(trace, tensor, look) : Figure{};
    const ExportRequest request{.trace = trace,
                                .tensor = tensor,
                                .figure = figure,
                                .scale = look.scale,
                                .ground = theme_named(look.theme).card};
    write_file(output, export_tensor(exporter, request));
}

}  // namespace headlight
