// The texts of a graph's picture: the names of its nodes, inside the circles or beside them, and
// its legend, the meaning of width and colour of edges and nodes, in numbers, with notes on
// omissions.
#pragma once

#include <vector>

#include "figure/graphs/graph_figure.h"

namespace headlight {

struct NodeNames {
    const std::vector<Node>& nodes;
    const GraphGeometry& geometry;
    std::vector<int> important;  // named first
    std::vector<int> faded;      // ascending
    Box box;                     // names stay inside
    std::optional<float> size;   // absent: as there is room
    std::vector<Color> fills{};  // of the nodes, if names must keep off them; empty: they are pale
};

/// A name that fits is written inside its circle; if not all do, names stand beside the circles,
/// smaller where they are crowded, wherever they cover no other name and are much nearer to their
/// own node than to any other; the rest is left out.
void add_node_names(Figure& figure, const NodeNames& names, const Theme& theme,
                    const MeasureText& measure);

bool overlap(const Box& a, const Box& b);

/// Returns the colour of a name beside the nodes in focus.
Color faded_name(const Theme& theme);

/// Adds only the important names, over everything but other important names.
void add_important_names(Figure& figure, const NodeNames& names, const Theme& theme,
                         const MeasureText& measure);

/// Returns the height of the legend at the bottom of the picture.
float graph_legend_height(const GraphInput& input);

void add_graph_legend(Figure& figure, const GraphInput& input, const GraphGeometry& geometry,
                      const Theme& theme, const MeasureText& measure);

}  // namespace headlight
