#include "ui/chosen_figure.h"

#include <algorithm>

#include "paint/graph_figure.h"
#include "paint/heatmap_figure.h"
#include "paint/tensor_figure.h"
#include "ui/graph_view.h"

namespace headlight {
namespace {

constexpr float kWidth = 720, kHeight = 680;  // points

}  // namespace

Figure chosen_figure(const Document& document, const Trace& trace, const Selection& selection,
                     const Theme& theme, const MeasureText& measure) {
    const Tensor& tensor = trace.at(selection.chosen);
    if (document.graph() && shows_graph_alone(selection)) {
        GraphInput input = graph_input(document, trace, selection, theme);
        input.hovered_node.reset();
        input.hovered_edge.reset();
        input.box = {0, 0, kHeight * 1.4f, kHeight};
        Figure figure = graph_figure(input, theme, measure).figure;
        figure.width = input.box.width;
        figure.height = input.box.height;
        return figure;
    }
    HeatmapInput input = heatmap_input(trace, tensor, theme);
    input.selected = pick_of(tensor, selection.held().focus);
    input.width = kWidth;
    input.height = kHeight;
    return heatmap_figure(input, theme, measure).figure;
}

}  // namespace headlight
