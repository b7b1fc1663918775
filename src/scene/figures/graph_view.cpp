#include "scene/figures/graph_view.h"

#include <algorithm>

namespace headlight {
namespace {

std::optional<int> as_int(const std::optional<Index>& index) {
    if (!index) return std::nullopt;
    return static_cast<int>(*index);
}

/// What the classes of the nodes are expected to be; empty if that is not asked.
std::vector<std::vector<float>> expected_classes(const Trace& trace) {
    for (const Tensor& tensor : trace.tensors()) {
        if (tensor.identity().role != Role::ClassProbabilities || !tensor.value) continue;
        std::vector<std::vector<float>> classes;
        for (Index i = 0; i < tensor.value->rows(); ++i) {
            const auto row = tensor.value->row(i);
            classes.emplace_back(row.begin(), row.end());
        }
        return classes;
    }
    return {};
}

}  // namespace

bool shows_graph_alone(const Trace& trace, const Selection& selection) {
    const Tensor* chosen = trace.find(selection.chosen);
    return chosen && chosen->identity().role == Role::Pattern;
}

GraphInput graph_input(const Scene& scene) {
    const Selection& selection = scene.selection;
    GraphInput input;
    input.nodes = scene.document.graph()->graph.nodes;
    const std::vector<std::string>& shown = scene.trace.shown_items();
    for (std::size_t k = 0; k < std::min(shown.size(), input.nodes.size()); ++k)
        input.nodes[k].name = shown[k];
    input.classes = expected_classes(scene.trace);
    input.color = head_color(scene.theme, selection.head);
    input.selected_edge = as_int(selection.held().focus.edge);
    input.hovered_edge = as_int(selection.hovered().focus.edge);
    for (const Index node : selection.held().focus.queries())
        input.selected_nodes.push_back(static_cast<int>(node));
    input.hovered_node = as_int(selection.hovered().focus.query);
    const Tensor* pattern = shown_pattern(scene.trace, scene.components, selection);
    const Edges& edges = *scene.trace.edges();
    for (std::size_t e = 0; pattern && pattern->value && e < edges.row.size(); ++e)
        input.edges.push_back({static_cast<int>(edges.row[e]), static_cast<int>(edges.neighbour[e]),
                               (*pattern->value)(static_cast<Index>(e), 0)});
    return input;
}

}  // namespace headlight
