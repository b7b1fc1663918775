// The first node of an empty graph: clicked and named before there is a picture of the graph.
//
// Goals: it lies where the canvas was clicked. Not goals: other nodes (graph_pointer.h).
#pragma once

#include <optional>

#include "scene/workspace.h"
#include "ui/pictures/node_naming.h"

namespace headlight {

class FirstNode {
  public:
    /// The canvas of a graph without nodes: a click on it is named.
    void draw(PanelContext& context, Box box);

    /// Once a frame, after the panels: the place of the node in the picture that now shows it.
    void put_in_place(Workspace& space, const Regions& regions);

  private:
    NodeNaming naming_;
    std::optional<Point> clicked_;  // in the window; absent: the node has its place
};

}  // namespace headlight
