#include "paint/graphs/graph_choice.h"

#include <algorithm>
#include <utility>

namespace headlight {

std::vector<int> GraphFocus::beside_chosen() const {
    std::vector<int> beside;
    for (int node = 0; has_focus && node < static_cast<int>(nodes.size()); ++node) {
        const NodeLook& look = nodes[static_cast<std::size_t>(node)];
        if (!look.is_faded && !look.is_hovered && !look.is_selected) beside.push_back(node);
    }
    return beside;
}

GraphFocus find_focus(const GraphInput& input, const GraphGeometry& geometry,
                      const GraphChoice& choice) {
    GraphFocus focus;
    focus.nodes.resize(input.nodes.size());
    const auto n_nodes = static_cast<int>(input.nodes.size());
    for (const int node : choice.selected_nodes)
        if (node >= 0 && node < n_nodes) focus.has_focus = focus.nodes[node].is_selected = true;
    if (choice.hovered_node && *choice.hovered_node >= 0 && *choice.hovered_node < n_nodes)
        focus.has_focus = focus.nodes[*choice.hovered_node].is_hovered = true;
    const auto is_chosen_node = [&](int node) {
        return focus.nodes[node].is_selected || focus.nodes[node].is_hovered;
    };
    const auto is_drawn = [&](std::optional<int> edge) {
        return edge && *edge >= 0 && std::size_t(*edge) < input.edges.size() &&
               geometry.curves[*edge].width > 0;
    };
    focus.has_focus |= is_drawn(choice.selected_edge) || is_drawn(choice.hovered_edge);
    if (!focus.has_focus) return focus;

    focus.edges.assign(input.edges.size(), Emphasis::Background);
    std::vector<bool> in_focus(input.nodes.size());
    for (int k = 0; k < n_nodes; ++k) in_focus[k] = is_chosen_node(k);
    for (int e = 0; e < static_cast<int>(input.edges.size()); ++e) {
        const ReadEdge& edge = input.edges[e];
        if (!is_drawn(e)) continue;
        const bool is_chosen = choice.selected_edge == e || choice.hovered_edge == e;
        if (!is_chosen && !is_chosen_node(edge.i) && !is_chosen_node(edge.j)) continue;
        focus.edges[e] = is_chosen ? Emphasis::Selected : Emphasis::Focus;
        in_focus[edge.i] = in_focus[edge.j] = true;
    }
    for (int k = 0; k < n_nodes; ++k) focus.nodes[k].is_faded = !in_focus[k];
    return focus;
}

std::vector<int> drawing_order(const GraphMarks& marks, const GraphFocus& focus,
                               std::size_t n_edges) {
    using Key = std::pair<Emphasis, float>;
    std::vector<std::pair<Key, int>> keyed;
    for (int edge = 0; edge < static_cast<int>(n_edges); ++edge)
        if (marks.is_drawn(edge))
            keyed.push_back({{focus.edge_emphasis(edge), marks.edge_strength(edge)}, edge});
    std::ranges::sort(keyed);
    std::vector<int> order;
    for (const auto& [key, edge] : keyed) order.push_back(edge);
    return order;
}

}  // namespace headlight
