// The pointer over the picture of a graph: hover, hold, move, add and remove.
#pragma once

#include "paint/figures/graph_figure.h"
#include "ui/panel.h"

namespace headlight {

class GraphPointer {
  public:
    /// After the graph was drawn with its figure's origin at `origin`.
    void point(PanelContext& context, const GraphGeometry& geometry, Point origin);

    /// Node from which a new edge is being drawn, and where the pointer is.
    const std::optional<int>& edge_start() const { return edge_start_; }

  private:
    void hover(PanelContext& context, const GraphGeometry& geometry, Point pointer);
    void press(PanelContext& context, const GraphGeometry& geometry, Point pointer);
    void move_node(PanelContext& context, const GraphGeometry& geometry, Point pointer);
    void finish_edge(PanelContext& context, const GraphGeometry& geometry, Point pointer);
    void remove_held(PanelContext& context);

    std::optional<int> moved_, edge_start_;
    Point pressed_at_;
    bool is_drag_ = false;
};

/// `place` in [0,1]².
void push_add_node(PanelContext& context, Point place);

Pointed point_at_edge(const PanelContext& context, int edge);

}  // namespace headlight
