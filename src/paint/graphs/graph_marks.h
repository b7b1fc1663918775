// The marks of a graph's picture: an edge, a node.
#pragma once

#include <span>

#include "paint/graphs/graph_figure.h"

namespace headlight {

enum class Emphasis { Plain, Background, Focus, Selected };

struct NodeLook {
    bool is_faded = false, is_hovered = false, is_selected = false;
};

/// Beyond so many edges the faintest have no arrow, and the window draws the graph in layers.
inline constexpr std::size_t kManyEdges = 3000;

/// Returns the strength of the colours of everything that is not in focus. It is higher on a dark
/// canvas, since a projector shows little of dim colours.
double background_strength(const Theme& theme);

class GraphMarks {
  public:
    /// Keeps references to all, which must outlive this.
    GraphMarks(const GraphInput& input, const Theme& theme, const GraphGeometry& geometry)
        : input_(input), theme_(theme), geometry_(geometry) {}

    bool is_drawn(int edge) const { return geometry_.curves[edge].width > 0; }
    /// Returns the strength of an edge, 0 … 1, whatever its sign.
    float edge_strength(int edge) const;
    /// Adds an edge whose arrow ends at the border of the node that reads.
    void add_edge(Figure& figure, int edge, Emphasis emphasis, NodeLook reader) const;
    /// Adds a node, unless it is out of view.
    void add_node(Figure& figure, int node, NodeLook look) const;

    Color node_color(int node) const;

    // These are for the legend.
    Color edge_color(float strength, Emphasis emphasis, Color full) const;
    float edge_width(float strength) const;
    Color group_fill(int group) const;
    std::vector<Color> value_fills() const;  // by node; empty where nodes show no values
    /// Returns how much each class is expected of the node; empty if nothing is.
    std::span<const float> node_classes(int node) const;

  private:
    bool has_arrow(int edge) const;
    void add_arrow(Figure& figure, CurveMark& curve, Color color) const;
    CircleMark node_circle(int node, NodeLook look) const;
    bool is_surprising(int node) const;

    const GraphInput& input_;
    const Theme& theme_;
    const GraphGeometry& geometry_;
};

}  // namespace headlight
