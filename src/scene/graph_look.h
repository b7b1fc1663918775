// How the picture of a graph is shown: view state, never undone, never saved.
#pragma once

#include "paint/graphs/graph_zoom.h"

namespace headlight {

struct GraphLook {
    enum class EdgesShown {
        All,
        Strongest,  // `n_strongest` of those that each node reads
        Weight,     // at least `least_weight`
        Chosen,     // those at the held nodes
    } edges = EdgesShown::All;
    int n_strongest = 3;
    float least_weight = 0.1f;

    enum class NodeColors {
        Classes,  // the prediction, or the given groups where nothing is predicted
        Groups,
        Feature,  // column `column` of the features
        Output,   // column `column` of the part's output
    } nodes = NodeColors::Classes;
    int column = 0;

    GraphZoom zoom;

    /// What a click on the empty canvas does: it lets go, or makes a node.
    enum class Tool { Select, Draw } tool = Tool::Select;

    bool operator==(const GraphLook&) const = default;
};

}  // namespace headlight
