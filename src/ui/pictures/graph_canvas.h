// The graph under the chosen head's attention, drawn and alive under the pointer.
#pragma once

#include "scene/prediction.h"
#include "ui/pictures/graph_pointer.h"
#include "ui/pictures/large_graph.h"

namespace headlight {

class GraphCanvas {
  public:
    /// Into the current window: inside `box`, counted from `origin`. Where the pattern is covered,
    /// all edges look alike, and a click on one is a guess. Returns what had no room.
    std::vector<LeftOut> draw(PanelContext& context, Box box, Point origin,
                              Prediction* prediction = nullptr, float times = 1);

    /// The pointer over a graph that was drawn elsewhere, with its origin there.
    void point(PanelContext& context, const GraphGeometry& geometry, Point origin);

  private:
    LargeGraph::Drawn draw_large(PanelContext& context, Box box, Point origin);
    void take_request(PanelContext& context) const;

    GraphPointer pointer_;
    LargeGraph large_;
};

}  // namespace headlight
