// The graph's canvas: nodes and edges under the chosen head's attention, and the flow of its
// matrices.
#include <imgui.h>

#include "scene/figures/graph_view.h"
#include "ui/panels/component_strip.h"
#include "ui/panels/panels.h"
#include "ui/pictures/comparison_canvas.h"
#include "ui/pictures/flow_canvas.h"
#include "ui/pictures/graph_canvas.h"
#include "ui/pictures/graph_controls.h"

namespace headlight {
namespace {

class GraphPanel final : public Panel {
  public:
    const char* title() const override { return "Graph canvas"; }
    const char* help() const override {
        return "Width and colour of an edge show α, the share of the neighbour in what the node "
               "reads. The arrow goes from the node that is read to its reader; a loop is a node "
               "that reads itself. The wheel zooms at the pointer, a drag of the canvas pans, Home "
               "shows the whole graph. A click holds a node, Shift-click adds one, a Shift-drag of "
               "the canvas marks all nodes in a rectangle; Del removes what is held, a drag moves "
               "it. Double-click: a new node, or the name of a node.";
    }

    void draw(PanelContext& context) override {
        draw_component_strip(context, ImGui::GetContentRegionAvail().x);
        if (context.comparison.is_on()) return draw_comparison(context);
        draw_graph_controls(context);
        const auto place = canvas_.draw_beside_picture(
            context, shows_graph_alone(*context.trace, context.selection), 0.56f);
        graph_.draw(context, place.box, place.origin);
    }

  private:
    void draw_comparison(PanelContext& context) {
        const ImVec2 size = ImGui::GetContentRegionAvail();
        const auto place = canvas_.draw_cards_below(context, {size.x, size.y});
        const auto graph = comparison_.draw(context, place.box, place.origin);
        if (graph)
            graph_.point(context, *graph,
                         {place.origin.x + place.box.x, place.origin.y + place.box.y});
    }

    FlowCanvas canvas_;
    ComparisonCanvas comparison_;
    GraphCanvas graph_;
};

}  // namespace

std::unique_ptr<Panel> make_graph_panel() {
    return std::make_unique<GraphPanel>();
}

}  // namespace headlight
