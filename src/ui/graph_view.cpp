#include "ui/graph_view.h"

namespace headlight {
namespace {

std::optional<int> as_int(const std::optional<Index>& index) {
    if (!index) return std::nullopt;
    return static_cast<int>(*index);
}

}  // namespace

bool shows_graph_alone(const Selection& selection) {
    return selection.chosen.ends_with(".pattern");
}

GraphInput graph_input(const Document& document, const Trace& trace, const Selection& selection,
                       const Theme& theme) {
    GraphInput input;
    input.nodes = document.graph()->graph.nodes;
    input.color = head_color(theme, selection.head);
    input.selected_edge = as_int(selection.held().focus.edge);
    input.hovered_edge = as_int(selection.hovered().focus.edge);
    input.selected_node = as_int(selection.held().focus.query);
    input.hovered_node = as_int(selection.hovered().focus.query);
    const Tensor& pattern =
        trace.at(head_path(trace, selection.layer, selection.head) + ".pattern");
    for (std::size_t e = 0; pattern.value && e < trace.edges->row.size(); ++e)
        input.edges.push_back({static_cast<int>(trace.edges->row[e]),
                               static_cast<int>(trace.edges->neighbour[e]),
                               (*pattern.value)(static_cast<Index>(e), 0)});
    return input;
}

}  // namespace headlight
