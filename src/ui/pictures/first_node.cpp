#include "ui/pictures/first_node.h"

#include <imgui.h>

#include "paint/graphs/graph_figure.h"
#include "scene/figures/graph_view.h"
#include "ui/widgets/widgets.h"

namespace headlight {

void FirstNode::draw(PanelContext& context, Box box) {
    context.regions.add("canvas Graph", box);
    if (naming_.is_on()) {
        const Point place = naming_.place();
        naming_.draw(context, {box.x + place.x * box.width, box.y + place.y * box.height});
        return;
    }
    const Point pointer = widgets::pointer_in({box.x, box.y});
    const bool is_inside = Box{0, 0, box.width, box.height}.contains(pointer);
    if (!is_inside || !ImGui::IsMouseReleased(ImGuiMouseButton_Left)) return;
    clicked_ = {box.x + pointer.x, box.y + pointer.y};
    naming_.begin_new(context, {pointer.x / box.width, pointer.y / box.height});
}

/// The picture has another box than the empty canvas: controls and matrices stand beside it.
void FirstNode::put_in_place(Workspace& space, const Regions& regions) {
    if (!clicked_ || naming_.is_on()) return;
    const GraphStudy* study = space.session.document().graph();
    if (!study || study->graph.nodes.size() != 1) {
        clicked_.reset();  // no name was given, or it is another study
        return;
    }
    const auto canvas = regions.find("canvas Graph");
    const bool is_shown = space.page && space.page->items().size() == 1 && canvas;
    if (!is_shown) return;
    GraphInput input = graph_input(make_scene(space, theme_named(ThemeName::Light)));
    input.box = *canvas;
    const Point place = graph_geometry(input).place_from(*clicked_);
    clicked_.reset();
    space.session.amend([place](Document& document) {
        Node& node = document.graph()->graph.nodes.front();
        node.x = place.x;
        node.y = place.y;
    });
}

}  // namespace headlight
