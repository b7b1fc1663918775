// A graph with the attention of one head on its edges.
#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"
#include "paint/figure.h"
#include "paint/figures/read_edge.h"
#include "paint/theme.h"

namespace headlight {

/// The height of the legend at the bottom, which says what the edges mean.
inline constexpr float kGraphLegendHeight = 26;

struct GraphInput {
    std::vector<Node> nodes;  // places in [0,1]²
    /// By node: how much each class is expected, in all 1; empty: nodes have the colour of their
    /// group.
    std::vector<std::vector<float>> classes;
    std::vector<ReadEdge> edges;  // names of nodes that do not exist are left out
    Color color;                  // of the head
    Color negative_color;         // of weights below 0, which a difference has
    Scalar full = 1;              // weight of the widest edges
    std::string symbol = "α";     // the legend's symbol for a weight
    std::vector<int> selected_nodes;
    std::optional<int> hovered_node;
    std::optional<int> selected_edge, hovered_edge;  // indices into edges
    std::optional<float> label_size;                 // of names; absent: as there is room
    Box box{0, 0, 800, 600};
};

/// Places on the picture, for hit tests, for drags and for drawing.
struct GraphGeometry {
    Box box;    // the whole picture
    Box inner;  // where [0,1]² lies
    float radius = 0;
    std::vector<Point> points;      // of nodes
    std::vector<CurveMark> curves;  // of edges, from the node that is read to the one that looks

    Point node_point(int node) const { return points.at(node); }
    /// The place in [0,1]² under p, the nearest one if p is outside.
    Point place_from(Point p) const;
    /// The topmost node under p.
    std::optional<int> node_at(Point p) const;
    /// The nearest edge within `tolerance` of p; nodes hide what is under them.
    std::optional<int> edge_at(Point p, float tolerance) const;
};

struct GraphFigure {
    Figure figure;
    GraphGeometry geometry;
};

GraphGeometry graph_geometry(const GraphInput& input);

/// Width and colour of an edge are its weight, as a part of `full`. The arrow goes the message's
/// way, from the node that is read to the node that looks. With a node or an edge hovered or
/// selected the others step back.
GraphFigure graph_figure(const GraphInput& input, const Theme& theme, const MeasureText& measure);

}  // namespace headlight
