// The graph's canvas: nodes and edges under the chosen head's attention, and the flow of its
// matrices.
#include <algorithm>
#include <imgui.h>

#include "ui/comparison_canvas.h"
#include "ui/flow_canvas.h"
#include "ui/graph_pointer.h"
#include "ui/graph_view.h"
#include "ui/panels.h"
#include "ui/part_strip.h"
#include "ui/style.h"

namespace headlight {
namespace {

class GraphPanel final : public Panel {
  public:
    const char* title() const override { return "Graph canvas"; }
    const char* help() const override {
        return "Width and colour of an edge are α, the share of its neighbour in what the node "
               "reads. "
               "The arrow goes from the node that is read to the one that looks; loops are a node "
               "reading itself.";
    }

    void draw(PanelContext& context) override {
        draw_part_strip(context, ImGui::GetContentRegionAvail().x);
        if (context.comparison.is_on()) return draw_comparison(context);
        const auto place =
            canvas_.draw_beside_picture(context, shows_graph_alone(context.selection), 0.56f);
        draw_graph(context, place.box, place.origin);
    }

  private:
    void draw_graph(PanelContext& context, Box box, Point origin) {
        GraphInput input = graph_input(scene_of(context));
        input.box = box;
        const GraphFigure picture = graph_figure(input, context.theme, context.painter.measure());
        context.painter.draw(picture.figure, origin);
        context.regions.add("canvas Graph",
                            {origin.x + box.x, origin.y + box.y, box.width, box.height});
        point(context, picture.geometry, origin);
    }

    void draw_comparison(PanelContext& context) {
        const ImVec2 size = ImGui::GetContentRegionAvail();
        const auto place = canvas_.draw_cards_below(context, {size.x, size.y});
        const auto graph = comparison_.draw(context, place.box, place.origin);
        if (graph)
            point(context, *graph, {place.origin.x + place.box.x, place.origin.y + place.box.y});
    }

    void point(PanelContext& context, const GraphGeometry& geometry, Point origin) {
        name_nodes(context, geometry, origin);
        draw_new_edge(context, geometry, origin);
        pointer_.point(context, geometry, origin);
    }

    static void name_nodes(PanelContext& context, const GraphGeometry& geometry, Point origin) {
        const std::vector<Node>& nodes = context.document.graph()->graph.nodes;
        for (std::size_t i = 0; i < std::min(nodes.size(), geometry.points.size()); ++i) {
            const Point at = geometry.points[i];
            const float r = geometry.radius;
            context.regions.add("node " + nodes[i].name,
                                {origin.x + at.x - r, origin.y + at.y - r, 2 * r, 2 * r});
        }
    }

    void draw_new_edge(PanelContext& context, const GraphGeometry& geometry, Point origin) {
        if (!pointer_.edge_start()) return;
        const Point from = geometry.point_of(*pointer_.edge_start());
        ImGui::GetWindowDrawList()->AddLine({origin.x + from.x, origin.y + from.y},
                                            ImGui::GetIO().MousePos,
                                            im_color(context.theme.selection), 2);
    }

    FlowCanvas canvas_;
    ComparisonCanvas comparison_;
    GraphPointer pointer_;
};

}  // namespace

std::unique_ptr<Panel> make_graph_panel() {
    return std::make_unique<GraphPanel>();
}

}  // namespace headlight
