#include "cli/output/write_tensor.h"

#include "io/files/file.h"
#include "io/pictures/figure_text.h"
#include "paint/figure_type.h"
#include "paint/figures/tensor_figure.h"

namespace headlight {

std::string write_tensor(const Exporter& exporter, const Trace& trace, const Tensor& tensor,
                         const std::string& output, const FigureLook& look) {
    const Theme& theme = theme_named(look.theme);
    Figure figure;
    FigureSheet sheet;
    std::string note;
    if (exporter.kind == ExportKind::Picture) {
        const HeatmapInput input = heatmap_input(trace, tensor, theme);
        LaidOutFigure laid_out = lay_out_figure(look, [&](const FigureLook& typed) {
            return tensor_picture(input, typed, pango_measure());
        });
        figure = std::move(laid_out.figure);
        sheet = sheet_for(figure, laid_out.look, theme.card);
        note = laid_out.note;
    }
    write_file(output, export_bytes(exporter, {trace, {&tensor}, figure, sheet}));
    return note;
}

}  // namespace headlight
