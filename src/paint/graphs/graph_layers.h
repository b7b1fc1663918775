// A large graph in layers: what stays while the pointer moves is made once.
#pragma once

#include <memory>

#include "paint/graphs/graph_figure.h"

namespace headlight {

struct GraphLayers {
    std::shared_ptr<const GraphInput> input;
    GraphGeometry geometry;
    std::shared_ptr<const Figure> picture;  // edges and nodes, without texts
    Figure names, legend;
};

/// The choice of the input is not drawn, and its `times` is 1: there is no room.
GraphLayers graph_layers(GraphInput input, const Theme& theme, const MeasureText& measure);

/// What is pointed at and held, over a veil under which everything else steps back. Empty if there
/// is neither.
Figure chosen_layer(const GraphLayers& layers, const GraphChoice& choice, const Theme& theme,
                    const MeasureText& measure);

}  // namespace headlight
