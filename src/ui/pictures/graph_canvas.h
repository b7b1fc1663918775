// The graph under the chosen head's attention, drawn and alive under the pointer.
#pragma once

#include <memory>

#include "figure/graphs/graph_figure.h"
#include "ui/panel.h"
#include "ui/pictures/graph_pointer.h"
#include "views/prediction.h"

namespace headlight {

class LargeGraph {
  public:
    /// True if drawing the graph would take longer than a frame.
    static bool is_needed(const PanelContext& context);

    /// Draws the graph into the current window.
    struct Drawn {
        const GraphGeometry* geometry;
        bool is_moving;  // the picture follows a zoom: the geometry is the one before it
        const std::vector<LeftOut>* left_out;
    };
    Drawn draw(PanelContext& context, Box box, Point origin);

  private:
    /// Everything that the layers are made from.
    struct Source {
        std::shared_ptr<const Trace> trace;
        MatrixPtr pattern;
        const Theme* theme = nullptr;
        GraphLook look;
        int head = 0;
        std::vector<Node> nodes;
        std::vector<int> chosen;  // the chosen nodes, where only their edges are shown
        Box box;
    };
    bool is_of(const PanelContext& context, const Box& box) const;
    bool is_but_for_places(const PanelContext& context, const Box& box) const;
    void make(PanelContext& context, const Box& box);
    void draw_layers(PanelContext& context, Point origin) const;
    void draw_dragged(PanelContext& context, Point origin) const;
    bool must_wait(PanelContext& context);
    void draw_moved(PanelContext& context, Point origin) const;
    void name_nodes(PanelContext& context, Point origin) const;

    Source source_;
    std::shared_ptr<const GraphLayers> layers_;
    GraphZoom asked_;  // of the last frame, and since when
    double asked_at_secs_ = 0;
};

class GraphCanvas {
  public:
    /// Draws into the current window: inside `box`, counted from `origin`. Where the pattern is
    /// covered, all edges look alike, and a click on one is a guess. Returns what had no room.
    std::vector<LeftOut> draw(PanelContext& context, Box box, Point origin,
                              Prediction* prediction = nullptr, float times = 1);

    /// Handles the pointer over a graph that was drawn elsewhere, with its origin there.
    void point(PanelContext& context, const GraphGeometry& geometry, Point origin);

  private:
    LargeGraph::Drawn draw_large(PanelContext& context, Box box, Point origin);
    void take_request(PanelContext& context) const;

    GraphPointer pointer_;
    LargeGraph large_;
};

}  // namespace headlight
