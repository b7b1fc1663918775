// A large graph in layers: those that stay while the pointer moves are made once.
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

/// Makes the layers. The choice of the input is not drawn, and its `times` is 1: there is no room.
GraphLayers graph_layers(GraphInput input, const Theme& theme, const MeasureText& measure);

/// Draws the hovered and held nodes and edges over a veil under which everything else steps back.
/// Empty if there are none.
Figure chosen_layer(const GraphLayers& layers, const GraphChoice& choice, const Theme& theme,
                    const MeasureText& measure);

}  // namespace headlight
