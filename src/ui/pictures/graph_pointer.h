// The pointer over the picture of a graph: hover, hold, mark, move, add and remove; zoom and pan.
#pragma once

#include <string>

#include "figure/graphs/graph_figure.h"
#include "ui/panel.h"

namespace headlight {

class NodeNaming {
  public:
    /// Begins a new node, at a place in [0,1]² of the graph; it comes to be when its name is
    /// entered.
    void begin_new(const PanelContext& context, Point place);
    void begin_rename(const PanelContext& context, int node);
    bool is_on() const { return is_on_; }

    /// Draws the field, around the point `at` of the window. Enter and a click elsewhere take the
    /// name, Esc does not. True if the pointer is on the field.
    bool draw(PanelContext& context, Point at);

    /// Returns the place of the new node, or of the one that is renamed.
    Point place() const { return place_; }

  private:
    void enter(PanelContext& context);
    bool is_taken(const PanelContext& context) const;

    bool is_on_ = false, must_focus_ = false, had_focus_ = false;
    int node_ = -1;  // the one that is renamed; −1: a new one
    Point place_;
    std::string text_;
};

class GraphPointer {
  public:
    /// Called after the graph was drawn with its figure's origin at `origin`.
    void point(PanelContext& context, const GraphGeometry& geometry, Point origin);

    /// Goes on with the zoom, and does nothing else, while the picture follows it.
    void turn(PanelContext& context, const GraphGeometry& geometry, Point origin);

  private:
    enum class Drag { None, Node, Edge, Pan, Mark };

    void hover(PanelContext& context, const GraphGeometry& geometry, Point pointer);
    void press(PanelContext& context, const GraphGeometry& geometry, Point pointer);
    void press_node(PanelContext& context, int node);
    void pan(PanelContext& context, const GraphGeometry& geometry, Point pointer);
    void wheel(PanelContext& context, const GraphGeometry& geometry, Point pointer) const;
    void drag(PanelContext& context, const GraphGeometry& geometry, Point pointer);
    void click_canvas(PanelContext& context, const GraphGeometry& geometry, Point pointer);
    void move_nodes(PanelContext& context, const GraphGeometry& geometry, Point pointer);
    void finish_edge(PanelContext& context, const GraphGeometry& geometry, Point pointer);
    void finish_mark(PanelContext& context, const GraphGeometry& geometry, Point pointer) const;
    void draw_drag(const PanelContext& context, const GraphGeometry& geometry, Point origin) const;
    Box marked(Point pointer) const;

    Drag drag_ = Drag::None;
    int button_ = 0;
    int node_ = -1;           // the one that is moved, or from which the edge begins
    Point pressed_at_;        // in the picture …
    Point place_before_;      // … and of the pointer in [0,1]², when nodes were last moved
    float farthest_ = 0;      // from there
    bool is_far_ = false;     // the press has become a drag
    bool is_second_ = false;  // press of a double-click
    NodeNaming naming_;
};

/// Removes the held nodes and their edges, or the held edge, as one step.
void push_remove_held(PanelContext& context);

Pick point_at_edge(const PanelContext& context, int edge);

}  // namespace headlight
