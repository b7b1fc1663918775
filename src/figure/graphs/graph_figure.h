// A graph with the attention of one head on its edges. A large one is drawn in layers: those that
// stay while the pointer moves are made once.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "figure/figure.h"
#include "figure/picture_view.h"
#include "figure/read_lines.h"
#include "figure/theme.h"
#include "graph/graph.h"

namespace headlight {

/// The nodes and edges that are pointed at and held, edges as indices into the input's.
struct GraphChoice {
    std::vector<int> selected_nodes;
    std::optional<int> hovered_node;
    std::optional<int> selected_edge, hovered_edge;

    bool operator==(const GraphChoice&) const = default;
};

/// One number for each node, as its colour.
struct NodeValues {
    std::string name;  // "out, column 3"
    std::vector<Scalar> values;
    ColorScale scale;
};

struct GraphInput {
    std::vector<Node> nodes;  // places in [0,1]²
    /// The expectation of each class, by node, in all 1; empty: nodes have the colour of their
    /// group.
    std::vector<std::vector<float>> classes;
    std::optional<NodeValues> values;  // instead of groups and classes
    std::vector<WeightedEdge> edges;   // names of nodes that do not exist are left out
    std::vector<bool> hidden_edges;    // by edge; empty: none
    std::vector<std::string> notes;    // notes on omissions, written below the graph
    Color color;                       // of the head
    Color negative_color;              // of weights below 0, which a difference has
    Scalar full = 1;                   // weight of the widest edges
    std::string symbol = "α";          // the legend's symbol for a weight
    GraphChoice choice;
    std::optional<float> label_size;  // of names; absent: as there is room
    GraphZoom view;
    Box box{0, 0, 800, 600};
    /// The factor by which nodes, arrows, names and legend are larger than on a desk, in the same
    /// box.
    float times = 1;
    float largest_radius = 1e6f;  // of nodes, without `times`
};

/// Places on the picture, for hit tests, for drags and for drawing.
struct GraphGeometry {
    Box box;    // the whole picture
    Box plot;   // without the legend: nothing is drawn outside
    Box whole;  // the place of [0,1]² when the whole graph is visible …
    Box inner;  // … and its place now
    float radius = 0;
    std::vector<Point> points;      // of nodes
    std::vector<CurveMark> curves;  // of edges, from the node that is read to the one that looks

    Point node_point(int node) const { return points.at(node); }
    bool is_in_view(int node) const;
    /// Returns the place in [0,1]² under p, the nearest one if p is outside.
    Point place_from(Point p) const;
    /// Returns the topmost node under p.
    std::optional<int> node_at(Point p) const;
    /// Returns the nearest edge within `tolerance` of p; nodes hide the edges under them.
    std::optional<int> edge_at(Point p, float tolerance) const;
    /// Returns the nodes with their centres in the box.
    std::vector<int> nodes_in(const Box& box) const;
};

struct GraphFigure {
    Figure figure;
    GraphGeometry geometry;
};

GraphGeometry graph_geometry(const GraphInput& input);

/// Returns the input before it is enlarged by `times`: in a box that is smaller by that factor.
/// Nodes are enlarged as far as they do not touch.
GraphInput without_times(GraphInput input);

/// Draws the graph. Width and colour of an edge are its weight, as a part of `full`. The arrow goes
/// the message's way, from the node that is read to the node that looks. With a node or an edge
/// hovered or selected the others step back.
GraphFigure graph_figure(const GraphInput& input, const Theme& theme, const MeasureText& measure);

struct GraphLayers {
    std::shared_ptr<const GraphInput> input;
    GraphGeometry geometry;
    std::shared_ptr<const Figure> picture;  // edges and nodes, without texts
    Figure names, legend;
};

/// Makes the layers. The choice of the input is not drawn, and its `times` is 1: there is no room.
GraphLayers graph_layers(GraphInput input, const Theme& theme, const MeasureText& measure);

/// Draws the hovered and held nodes and edges over a veil under which everything else steps back.
/// Empty if there are none.
Figure chosen_layer(const GraphLayers& layers, const GraphChoice& choice, const Theme& theme,
                    const MeasureText& measure);

}  // namespace headlight
