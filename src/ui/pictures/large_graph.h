// A large graph in the window: what the pointer does not change is made and drawn once.
#pragma once

#include <memory>

#include "paint/graphs/graph_layers.h"
#include "ui/panel.h"

namespace headlight {

class LargeGraph {
  public:
    /// True of a graph that would take longer than a frame.
    static bool is_needed(const PanelContext& context);

    /// Draws it into the current window.
    struct Drawn {
        const GraphGeometry* geometry;
        bool is_moving;  // the picture follows a zoom: the geometry is that of before
        const std::vector<LeftOut>* left_out;
    };
    Drawn draw(PanelContext& context, Box box, Point origin);

  private:
    /// What the layers are made from.
    struct Source {
        std::shared_ptr<const Trace> trace;
        MatrixPtr pattern;
        const Theme* theme = nullptr;
        GraphLook look;
        int head = 0;
        std::vector<Node> nodes;
        std::vector<int> chosen;  // where edges are those of what is chosen
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

}  // namespace headlight
