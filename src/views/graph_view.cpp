#include "views/graph_view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "figure/color_scale.h"
#include "figure/figure_look.h"
#include "figure/graphs/graph_figure.h"
#include "figure/number_format.h"

namespace headlight {
namespace {

std::optional<int> as_int(const std::optional<Index>& index) {
    if (!index) return std::nullopt;
    return static_cast<int>(*index);
}

/// Returns the probabilities of the classes that each node is expected to have; empty if nothing
/// predicts them.
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

/// Keeps the strongest edges that each node reads; of equally strong ones the first.
void keep_strongest(GraphInput& input, int n_kept) {
    std::vector<int> order(input.edges.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](int a, int b) {
        return std::abs(input.edges[a].alpha) > std::abs(input.edges[b].alpha);
    });
    std::vector<int> n_read(input.nodes.size());
    for (const int e : order) {
        const auto reader = static_cast<std::size_t>(input.edges[e].i);
        if (reader < n_read.size()) input.hidden_edges[e] = ++n_read[reader] > n_kept;
    }
}

void keep_those_at(GraphInput& input, const std::vector<int>& nodes) {
    std::vector<bool> is_chosen(input.nodes.size());
    for (const int node : nodes)
        if (std::size_t(node) < is_chosen.size()) is_chosen[node] = true;
    for (std::size_t e = 0; e < input.edges.size(); ++e)
        input.hidden_edges[e] = !is_chosen[input.edges[e].i] && !is_chosen[input.edges[e].j];
}

/// "strongest 3 of each node"
std::string filter_words(const GraphInput& input, const GraphLook& look) {
    const std::vector<int>& nodes = input.choice.selected_nodes;
    switch (look.edges) {
        case GraphLook::EdgesShown::All:
            return "all";
        case GraphLook::EdgesShown::Strongest:
            return fmt::format("strongest {} of each node", look.n_strongest);
        case GraphLook::EdgesShown::Weight:
            return fmt::format("weights of {} and more", format_value(look.least_weight, 2));
        case GraphLook::EdgesShown::Chosen:
            break;
    }
    if (nodes.empty()) return "of the chosen node, and none is chosen";
    if (nodes.size() > 1) return fmt::format("of {} chosen nodes", nodes.size());
    return "of node " + input.nodes.at(static_cast<std::size_t>(nodes.front())).name;
}

/// Returns a column of a matrix with a row for each node; nothing if there is none.
std::optional<NodeValues> column_values(const Tensor* tensor, int column, const Theme& theme) {
    if (!tensor || !tensor->value || tensor->value->cols() == 0) return std::nullopt;
    const Matrix& matrix = *tensor->value;
    const Index shown = std::min<Index>(column, matrix.cols() - 1);
    NodeValues values;
    values.name = fmt::format("{}, column {}", tensor->path(), shown);
    for (Index i = 0; i < matrix.rows(); ++i) values.values.push_back(matrix(i, shown));
    const Matrix one_column = matrix.col(shown);
    values.scale = diverging_scale(theme, symmetric_limit(one_column));
    return values;
}

void color_nodes(GraphInput& input, const Scene& scene) {
    using NodeColors = GraphLook::NodeColors;
    const GraphLook& look = scene.selection.looks.graph;
    if (look.nodes == NodeColors::Groups) return;
    if (look.nodes == NodeColors::Classes)
        input.classes = expected_classes(scene.trace);
    else
        input.values = column_values(colored_matrix(scene.trace, scene.components, scene.selection),
                                     look.column, scene.theme);
    if (input.values && input.values->values.size() != input.nodes.size()) input.values.reset();
}

}  // namespace

const Tensor* colored_matrix(const Trace& trace, const Components& components,
                             const Selection& selection) {
    using NodeColors = GraphLook::NodeColors;
    if (selection.looks.graph.nodes == NodeColors::Feature) return trace.find("embed");
    if (selection.looks.graph.nodes != NodeColors::Output) return nullptr;
    const Component* attention = shown_attention(components, selection);
    return attention ? trace.find(attention->place.at("out").path) : nullptr;
}

void filter_edges(GraphInput& input, const GraphLook& look) {
    input.hidden_edges.clear();
    input.notes.clear();
    if (look.edges == GraphLook::EdgesShown::All) return;
    input.hidden_edges.assign(input.edges.size(), false);
    if (look.edges == GraphLook::EdgesShown::Strongest) keep_strongest(input, look.n_strongest);
    if (look.edges == GraphLook::EdgesShown::Weight)
        for (std::size_t e = 0; e < input.edges.size(); ++e)
            input.hidden_edges[e] = !(std::abs(input.edges[e].alpha) >= look.least_weight);
    if (look.edges == GraphLook::EdgesShown::Chosen)
        keep_those_at(input, input.choice.selected_nodes);
    const auto n_shown = std::ranges::count(input.hidden_edges, false);
    input.notes.push_back(
        fmt::format("{}: {} of {} edges", filter_words(input, look), n_shown, input.edges.size()));
}

GraphChoice graph_choice(const Selection& selection) {
    GraphChoice choice;
    choice.selected_edge = as_int(selection.held().indices.edge);
    choice.hovered_edge = as_int(selection.hovered().indices.edge);
    for (const Index node : selection.held().indices.queries())
        choice.selected_nodes.push_back(static_cast<int>(node));
    choice.hovered_node = as_int(selection.hovered().indices.query);
    return choice;
}

GraphInput graph_input(const Scene& scene) {
    const Selection& selection = scene.selection;
    GraphInput input;
    input.nodes = scene.document.drawn_graph()->nodes;
    const std::vector<std::string>& shown = scene.trace.shown_items();
    for (std::size_t k = 0; k < std::min(shown.size(), input.nodes.size()); ++k)
        input.nodes[k].name = shown[k];
    color_nodes(input, scene);
    input.view = selection.looks.graph.zoom;
    input.color = head_color(scene.theme, selection.head);
    input.choice = graph_choice(selection);
    const Tensor* pattern = shown_pattern(scene.trace, scene.components, selection);
    const Edges& edges = *scene.trace.edges();
    for (std::size_t e = 0; pattern && pattern->value && e < edges.row.size(); ++e)
        input.edges.push_back({static_cast<int>(edges.row[e]), static_cast<int>(edges.neighbour[e]),
                               (*pattern->value)(static_cast<Index>(e), 0)});
    filter_edges(input, selection.looks.graph);
    return input;
}

Figure graph_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    constexpr Point kRoom{952, 680};
    GraphInput input = graph_input(scene);
    const PictureRoom room = picture_room(look, kRoom, [&](float width) {
        return std::max(in_proportion(kRoom, width), std::min(width, 480.0f));
    });
    input.box = {0, 0, room.size.x, room.size.y};
    input.label_size = room.label_size;
    Figure figure = graph_figure(input, scene.theme, measure).figure;
    figure.width = room.size.x;
    figure.height = room.size.y;
    return figure;
}

}  // namespace headlight
