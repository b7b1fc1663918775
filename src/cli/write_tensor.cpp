#include "cli/write_tensor.h"

#include "io/figure_text.h"
#include "io/file.h"
#include "paint/tensor_figure.h"

namespace headlight {

void write_tensor(const Exporter& exporter, const Trace& trace, const Tensor& tensor,
                  const std::string& output, const FigureLook& look) {
    const Theme& theme = theme_named(look.theme);
    Figure figure;
    FigureSheet sheet;
    if (exporter.kind == ExportKind::Picture) {
        figure = picture_of(heatmap_input(trace, tensor, theme), look, pango_measure());
        sheet = sheet_for(figure, look, theme.card);
    }
    write_file(output, export_bytes(exporter, {trace, {&tensor}, figure, sheet}));
}

}  // namespace headlight
