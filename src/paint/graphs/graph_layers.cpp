#include "paint/graphs/graph_layers.h"

#include <algorithm>

#include "paint/color.h"
#include "paint/figure_parts.h"
#include "paint/graphs/graph_choice.h"
#include "paint/graphs/graph_labels.h"
#include "paint/graphs/graph_legend.h"

namespace headlight {
namespace {

constexpr std::size_t kMostInFocus = 500;     // nodes whose edges are shown with them
constexpr std::size_t kMostNamedBeside = 60;  // neighbours of the chosen nodes

/// Marks only the nodes when very many are chosen: their edges would be most of the picture.
void add_rings(Figure& figure, const GraphLayers& layers, const GraphChoice& choice,
               const GraphMarks& marks) {
    const auto n_nodes = static_cast<int>(layers.input->nodes.size());
    for (const int node : choice.selected_nodes)
        if (node >= 0 && node < n_nodes) marks.add_node(figure, node, {.is_selected = true});
    if (choice.hovered_node && *choice.hovered_node < n_nodes)
        marks.add_node(figure, *choice.hovered_node, {.is_hovered = true});
}

/// Adds the names of chosen nodes over everything else.
void add_chosen_names(Figure& figure, const GraphLayers& layers, const GraphFocus& focus,
                      const Theme& theme, const MeasureText& measure) {
    NodeNames names{layers.input->nodes,  layers.geometry,         {}, {},
                    layers.geometry.plot, layers.input->label_size};
    for (int node = 0; node < static_cast<int>(focus.nodes.size()); ++node)
        if (focus.node_look(node).is_hovered || focus.node_look(node).is_selected)
            names.important.push_back(node);
    std::vector<int> beside = focus.beside_chosen();
    if (beside.size() <= kMostNamedBeside)
        names.important.insert(names.important.end(), beside.begin(), beside.end());
    if (names.important.size() > 2 * kMostNamedBeside) names.important.resize(2 * kMostNamedBeside);
    add_important_names(figure, names, theme, measure);
}

/// Adds the names of the picture over the veil, so that they can be read. Names that those of
/// chosen nodes would cover are left out.
void add_other_names(Figure& figure, const GraphLayers& layers, const GraphMarks& marks,
                     const Figure& chosen_names, const Theme& theme) {
    const auto is_covered = [&](const Box& box) {
        return std::ranges::any_of(chosen_names.marks, [&](const Mark& mark) {
            const auto* taken = std::get_if<RectMark>(&mark);
            return taken && overlap(taken->box, box);
        });
    };
    const RectMark* ground = nullptr;  // of a name beside its node
    int node = 0;                      // of a name inside it
    for (const Mark& mark : layers.names.marks) {
        if (const auto* rect = std::get_if<RectMark>(&mark)) ground = rect;
        const auto* name = std::get_if<TextMark>(&mark);
        if (!name || (ground && is_covered(ground->box))) continue;
        TextMark seen = *name;
        if (ground) {
            figure.add(*ground);
            seen.color = faded_name(theme);
        } else {
            while (!layers.geometry.is_in_view(node)) ++node;
            seen.color = text_on(
                theme, mixed(theme.canvas, marks.node_color(node++), background_strength(theme)));
        }
        figure.add(std::move(seen));
    }
}

}  // namespace

GraphLayers graph_layers(GraphInput input, const Theme& theme, const MeasureText& measure) {
    GraphLayers layers;
    input.choice = {};
    input.times = 1;
    layers.input = std::make_shared<const GraphInput>(std::move(input));
    layers.geometry = graph_geometry(*layers.input);
    const GraphMarks marks(*layers.input, theme, layers.geometry);
    const GraphFocus none = find_focus(*layers.input, layers.geometry, {});
    Figure picture{layers.input->box.right(), layers.input->box.bottom()};
    for (const int edge : drawing_order(marks, none, layers.input->edges.size()))
        marks.add_edge(picture, edge, Emphasis::Plain, {});
    for (int node = 0; node < static_cast<int>(layers.input->nodes.size()); ++node)
        marks.add_node(picture, node, {});
    layers.picture = std::make_shared<const Figure>(std::move(picture));
    const NodeNames names{
        layers.input->nodes,      layers.geometry,    {}, {}, layers.geometry.plot,
        layers.input->label_size, marks.value_fills()};
    add_node_names(layers.names, names, theme, measure);
    add_graph_legend(layers.legend, *layers.input, layers.geometry, theme, measure);
    return layers;
}

Figure chosen_layer(const GraphLayers& layers, const GraphChoice& choice, const Theme& theme,
                    const MeasureText& measure) {
    Figure figure{layers.input->box.right(), layers.input->box.bottom()};
    if (choice == GraphChoice{}) return figure;
    const GraphMarks marks(*layers.input, theme, layers.geometry);
    if (choice.selected_nodes.size() > kMostInFocus) {
        add_rings(figure, layers, choice, marks);
        return figure;
    }
    const GraphFocus focus = find_focus(*layers.input, layers.geometry, choice);
    if (!focus.has_focus) return figure;
    figure.add(RectMark{layers.geometry.plot, faded(theme.canvas, 1 - background_strength(theme))});
    Figure chosen_names;
    add_chosen_names(chosen_names, layers, focus, theme, measure);
    add_other_names(figure, layers, marks, chosen_names, theme);
    std::vector<std::pair<float, int>> edges;
    for (int edge = 0; edge < static_cast<int>(focus.edges.size()); ++edge)
        if (focus.edge_emphasis(edge) > Emphasis::Background)
            edges.push_back({marks.edge_strength(edge), edge});
    std::ranges::sort(edges);
    for (const Emphasis emphasis : {Emphasis::Focus, Emphasis::Selected})
        for (const auto& [strength, edge] : edges)
            if (focus.edge_emphasis(edge) == emphasis)
                marks.add_edge(figure, edge, emphasis,
                               focus.node_look(layers.input->edges[edge].i));
    for (int node = 0; node < static_cast<int>(focus.nodes.size()); ++node)
        if (!focus.node_look(node).is_faded) marks.add_node(figure, node, focus.node_look(node));
    add_part(figure, chosen_names, {0, 0});
    return figure;
}

}  // namespace headlight
