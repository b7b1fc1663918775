#include "scene/held_nodes.h"

#include <algorithm>
#include <cmath>

namespace headlight {

std::vector<int> held_nodes(const Selection& selection, const Graph& graph) {
    const Focus& held = selection.held().focus;
    std::vector<int> nodes;
    if (held.edge) return nodes;
    for (const Index node : held.queries())
        if (node >= 0 && static_cast<std::size_t>(node) < graph.nodes.size())
            nodes.push_back(static_cast<int>(node));
    return nodes;
}

void hold_nodes(Selection& selection, const std::vector<int>& nodes) {
    if (nodes.empty()) return selection.release();
    Pointed pointed = point_at_item(nodes.front());
    pointed.focus.also.assign(nodes.begin() + 1, nodes.end());
    selection.keep_held(std::move(pointed));
}

void see_node(Selection& selection, const Graph& graph, int node) {
    constexpr double kNodesAround = 40;  // so many of them are in view, roughly
    const Node& seen = graph.nodes.at(static_cast<std::size_t>(node));
    const double zoom = std::sqrt(static_cast<double>(graph.nodes.size()) / kNodesAround);
    selection.graph.zoom = {std::max({1.0, zoom, selection.graph.zoom.zoom}), seen.x, seen.y};
    selection.view = MiddleView::Component;
    selection.keep_held(point_at_item(node));
}

}  // namespace headlight
