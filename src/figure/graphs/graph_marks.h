// The marks of a graph's picture: an edge, a node; the geometry of their curves; and which of them
// are in focus.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "figure/figure.h"
#include "figure/graphs/graph_figure.h"

namespace headlight {

Point point_on(const CurveMark& curve, float t);

/// Returns the part from the point where the curve first meets the box to the point where it last
/// leaves it; nothing if it does not meet the box.
std::optional<CurveMark> part_inside(const CurveMark& curve, const Box& box);

/// Returns the distance from p to the curve, exact to a fraction of a point. At least `give_up` is
/// returned as soon as the distance cannot be smaller.
float distance_to(const CurveMark& curve, Point p, float give_up);

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

/// The focus in a graph: the chosen edges, all edges at the chosen nodes, and their ends.
struct GraphFocus {
    bool has_focus = false;
    std::vector<Emphasis> edges;  // by edge; empty: all are plain
    std::vector<NodeLook> nodes;  // by node

    Emphasis edge_emphasis(int edge) const { return edges.empty() ? Emphasis::Plain : edges[edge]; }
    NodeLook node_look(int node) const { return nodes[node]; }
    /// Returns the nodes in focus that are not chosen themselves.
    std::vector<int> beside_chosen() const;
};

GraphFocus find_focus(const GraphInput& input, const GraphGeometry& geometry,
                      const GraphChoice& choice);

/// Returns the edges that are drawn: those in focus last, and of the rest the strongest.
std::vector<int> drawing_order(const GraphMarks& marks, const GraphFocus& focus,
                               std::size_t n_edges);

}  // namespace headlight
