#include "ui/pictures/graph_pointer.h"

#include <cmath>
#include <imgui.h>

#include "model/changes.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kEdgeTolerance = 5, kNodeDragStart = 4;

/// An edit of the graph; edits and pins follow their nodes and edges.
void push_graph_edit(PanelContext& context, const std::string& label,
                     std::function<void(Graph&)> change, const std::string& gesture = {}) {
    context.edits.push(
        label,
        [change = std::move(change)](Document& document) {
            GraphStudy study = *document.graph();
            change(study.graph);
            set_graph_study(document, std::move(study));
        },
        gesture);
}

std::string node_name(const PanelContext& context, int node) {
    return context.document.graph()->graph.nodes.at(static_cast<std::size_t>(node)).name;
}

/// Far enough for a press to be a drag.
bool is_far(Point from, Point to) {
    return std::hypot(to.x - from.x, to.y - from.y) > kNodeDragStart;
}

/// A node may be in the trace and gone from the document while the two differ for a frame.
bool exists(const PanelContext& context, int node) {
    return node >= 0 &&
           static_cast<std::size_t>(node) < context.document.graph()->graph.nodes.size();
}

}  // namespace

void push_add_node(PanelContext& context, Point place) {
    const std::string name = context.document.graph()->graph.unused_name();
    push_graph_edit(context, "Add node " + name,
                    [=](Graph& graph) { graph.add_node(name, place.x, place.y); });
}

Pointed point_at_edge(const PanelContext& context, int edge) {
    const Tensor* pattern = shown_pattern(*context.trace, context.components, context.selection);
    return pattern ? point_at(*context.trace, *pattern, edge, 0) : Pointed{};
}

void GraphPointer::point(PanelContext& context, const GraphGeometry& geometry, Point origin) {
    const Point pointer = widgets::pointer_in(origin);
    if (moved_) return move_node(context, geometry, pointer);
    if (edge_start_ && !ImGui::IsMouseDown(ImGuiMouseButton_Left))
        return finish_edge(context, geometry, pointer);
    if (geometry.box.contains(pointer)) {
        hover(context, geometry, pointer);
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) press(context, geometry, pointer);
    }
    const bool is_in_window = pointer.x > -1e5f;
    if (is_in_window && !ImGui::GetIO().WantTextInput &&
        (compat::is_key_pressed(Key::Delete) || compat::is_key_pressed(Key::Backspace)))
        remove_held(context);
}

void GraphPointer::hover(PanelContext& context, const GraphGeometry& geometry, Point pointer) {
    if (const auto node = geometry.node_at(pointer))
        context.selection.hover(point_at_item(*node));
    else if (const auto edge = geometry.edge_at(pointer, kEdgeTolerance))
        context.selection.hover(point_at_edge(context, *edge));
}

void GraphPointer::press(PanelContext& context, const GraphGeometry& geometry, Point pointer) {
    const auto node = geometry.node_at(pointer);
    pressed_at_ = pointer;
    is_drag_ = false;
    if (node && ImGui::GetIO().KeyShift) {
        edge_start_ = node;
    } else if (node) {
        moved_ = node;
    } else if (const auto edge = geometry.edge_at(pointer, kEdgeTolerance)) {
        context.selection.hold(point_at_edge(context, *edge));
    } else if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        push_add_node(context, geometry.place_from(pointer));
    } else {
        context.selection.release();
    }
}

void GraphPointer::move_node(PanelContext& context, const GraphGeometry& geometry, Point pointer) {
    const int node = *moved_;
    context.selection.hover(point_at_item(node));
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        moved_.reset();
        if (is_drag_) return context.edits.end_gesture();
        return context.selection.hold(point_at_item(node));
    }
    is_drag_ = is_drag_ || is_far(pressed_at_, pointer);
    if (!is_drag_ || !exists(context, node) || pointer.x < -1e5f) return;
    const Point place = geometry.place_from(pointer);
    push_graph_edit(
        context, "Move node " + node_name(context, node),
        [=](Graph& graph) {
            Node& moved = graph.nodes.at(static_cast<std::size_t>(node));
            moved.x = place.x;
            moved.y = place.y;
        },
        "move");
}

void GraphPointer::finish_edge(PanelContext& context, const GraphGeometry& geometry,
                               Point pointer) {
    const int from = *edge_start_;
    edge_start_.reset();
    const auto to = geometry.node_at(pointer);
    if (to == from && !is_far(pressed_at_, pointer))
        return context.selection.toggle(point_at_item(from));
    if (!to || !exists(context, from) || !exists(context, *to)) return;
    push_graph_edit(context,
                    "Add edge " + node_name(context, from) + " → " + node_name(context, *to),
                    [from, to = *to](Graph& graph) { graph.add_edge(from, to); });
}

void GraphPointer::remove_held(PanelContext& context) {
    const Focus held = context.selection.held().focus;
    if (held.edge && held.query && held.key) {
        const int source = static_cast<int>(*held.key), target = static_cast<int>(*held.query);
        if (!context.document.graph()->graph.has_edge(source, target)) return;
        push_graph_edit(
            context,
            "Remove edge " + node_name(context, source) + " → " + node_name(context, target),
            [=](Graph& graph) { graph.remove_edge(source, target); });
    } else if (held.query && exists(context, static_cast<int>(*held.query))) {
        const int node = static_cast<int>(*held.query);
        push_graph_edit(context, "Remove node " + node_name(context, node),
                        [=](Graph& graph) { graph.remove_node(node); });
    }
    context.selection.release();
}

}  // namespace headlight
