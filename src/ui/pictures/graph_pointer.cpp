#include "ui/pictures/graph_pointer.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <utility>

#include "figure/color.h"
#include "model/changes.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/held.h"

namespace headlight {
namespace {

constexpr float kNameField = 124, kNameGap = 10;
constexpr const char* kTakenName = "another node has this name";

const Graph& edited_graph(const PanelContext& context) {
    return *context.document.drawn_graph();
}

}  // namespace

void NodeNaming::begin_new(const PanelContext& context, Point place) {
    is_on_ = must_focus_ = true;
    had_focus_ = false;
    node_ = -1;
    place_ = place;
    text_ = edited_graph(context).unused_name();
}

void NodeNaming::begin_rename(const PanelContext& context, int node) {
    const Node& renamed = edited_graph(context).nodes.at(static_cast<std::size_t>(node));
    is_on_ = must_focus_ = true;
    had_focus_ = false;
    node_ = node;
    place_ = {renamed.x, renamed.y};
    text_ = renamed.name;
}

bool NodeNaming::is_taken(const PanelContext& context) const {
    const int same = edited_graph(context).find_node(text_);
    return same >= 0 && same != node_;
}

bool NodeNaming::draw(PanelContext& context, Point at) {
    is_on_ = is_on_ && node_ < static_cast<int>(edited_graph(context).nodes.size());
    if (!is_on_) return false;
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (node_ < 0) list.AddCircleFilled({at.x, at.y}, 6, im_color(context.theme.selection));
    const float window_left = ImGui::GetWindowPos().x;
    const float window_right = window_left + ImGui::GetWindowSize().x;
    const float left = std::clamp(at.x - kNameField / 2, window_left + kNameGap,
                                  window_right - kNameField - kNameGap);
    ImGui::SetCursorScreenPos({left, at.y + kNameGap});
    ImGui::SetNextItemWidth(kNameField);
    if (std::exchange(must_focus_, false)) compat::focus_next_item();
    const bool is_bad = text_.empty() || is_taken(context);
    ImGui::PushStyleColor(ImGuiCol_Text,
                          im_vec(is_bad ? context.theme.warning : context.theme.text));
    const bool is_entered = widgets::text_field(
        context, "##node name", "", text_,
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ImGui::PopStyleColor();
    widgets::name_item(context, "text Node name");
    const bool is_hovered = ImGui::IsItemHovered();
    const bool is_active = ImGui::IsItemActive();
    // The field is left also where it was away meanwhile, with the workspace.
    const bool is_left = std::exchange(had_focus_, is_active) && !is_active && !is_entered;
    if (is_bad)
        list.AddText({left, at.y + 14 + ImGui::GetFrameHeight()}, im_color(context.theme.warning),
                     text_.empty() ? "a node needs a name" : kTakenName);
    ImGui::SetCursorScreenPos(cursor);
    if (is_left && compat::is_key_pressed(Key::Escape))
        is_on_ = false;
    else if (is_entered && is_bad)
        must_focus_ = true;
    else if (is_entered || is_left)
        enter(context);
    return is_hovered;
}

/// Takes the name; one that cannot be taken changes nothing.
void NodeNaming::enter(PanelContext& context) {
    is_on_ = false;
    if (text_.empty() || is_taken(context)) return;
    if (node_ < 0)
        return context.edits.push("Add node " + text_,
                                  [name = text_, place = place_](Document& document) {
                                      GraphStudy study = *document.graph();
                                      study.graph.add_node(name, place.x, place.y);
                                      set_graph_study(document, std::move(study));
                                  });
    const std::string before = edited_graph(context).nodes.at(static_cast<std::size_t>(node_)).name;
    if (before == text_) return;
    context.edits.push(fmt::format("Rename node {} to {}", before, text_),
                       [node = node_, name = text_](Document& document) {
                           document.graph()->graph.rename_node(node, name);
                       });
}

namespace {

constexpr float kEdgeTolerance = 5, kNodeDragStart = 4;
constexpr double kGraphZoomStep = 1.3;   // of the wheel, as in the picture of a matrix
constexpr float kGraphWheelPoints = 48;  // the distance of a step to the side

/// Asks for an edit of the graph; edits and pins follow their nodes and edges. Of a recording's
/// graph only places change: any other edit is refused, and says so.
void push_graph_edit(PanelContext& context, const std::string& label,
                     std::function<void(Graph&)> change, const std::string& gesture = {}) {
    context.edits.push(
        label, [change = std::move(change)](Document& document) { change_graph(document, change); },
        gesture);
}

std::string node_name(const PanelContext& context, int node) {
    return edited_graph(context).nodes.at(static_cast<std::size_t>(node)).name;
}

/// True if the node is in the document; the trace may still have it while the two differ for a
/// frame.
bool exists(const PanelContext& context, int node) {
    return node >= 0 && static_cast<std::size_t>(node) < edited_graph(context).nodes.size();
}

bool is_in_window(Point pointer) {
    return pointer.x > -1e5f;
}

/// Returns "node 7", "5 nodes".
std::string nodes_text(const PanelContext& context, const std::vector<int>& nodes) {
    return nodes.size() == 1 ? "node " + node_name(context, nodes.front())
                             : fmt::format("{} nodes", nodes.size());
}

}  // namespace

Pick point_at_edge(const PanelContext& context, int edge) {
    const Tensor* pattern = shown_pattern(*context.trace, context.components, context.selection);
    return pattern ? pick_at(*context.trace, *pattern, edge, 0) : Pick{};
}

void GraphPointer::point(PanelContext& context, const GraphGeometry& geometry, Point origin) {
    Point pointer = widgets::pointer_in(origin);
    if (naming_.is_on()) {
        const Point place = naming_.place();
        const Box& inner = geometry.inner;
        const Point at{origin.x + inner.x + place.x * inner.width,
                       origin.y + inner.y + place.y * inner.height};
        if (naming_.draw(context, at)) pointer = {-1e6f, -1e6f};
    }
    draw_drag(context, geometry, origin);
    if (drag_ != Drag::None) return drag(context, geometry, pointer);
    if (geometry.plot.contains(pointer)) {
        hover(context, geometry, pointer);
        wheel(context, geometry, pointer);
        press(context, geometry, pointer);
    }
    if (is_in_window(pointer) && !ImGui::GetIO().WantTextInput &&
        (compat::is_key_pressed(Key::Delete) || compat::is_key_pressed(Key::Backspace)))
        push_remove_held(context);
}

void GraphPointer::turn(PanelContext& context, const GraphGeometry& geometry, Point origin) {
    const Point pointer = widgets::pointer_in(origin);
    if (drag_ == Drag::Pan) return drag(context, geometry, pointer);
    if (geometry.plot.contains(pointer)) wheel(context, geometry, pointer);
}

void GraphPointer::hover(PanelContext& context, const GraphGeometry& geometry, Point pointer) {
    if (const auto node = geometry.node_at(pointer))
        context.selection.hover(pick_item(*node));
    else if (const auto edge = geometry.edge_at(pointer, kEdgeTolerance))
        context.selection.hover(point_at_edge(context, *edge));
}

/// Zooms at the pointer with the wheel; to the side, or with Shift, it moves the picture.
void GraphPointer::wheel(PanelContext& context, const GraphGeometry& geometry,
                         Point pointer) const {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl || (io.MouseWheel == 0 && io.MouseWheelH == 0)) return;
    GraphZoom& zoom = context.selection.looks.graph.zoom;
    const float side = io.MouseWheelH + (io.KeyShift ? io.MouseWheel : 0);
    zoom = side != 0
               ? moved(geometry.whole, zoom, {side * kGraphWheelPoints, 0})
               : zoomed_at(geometry.whole, zoom, pointer, std::pow(kGraphZoomStep, io.MouseWheel));
}

void GraphPointer::press(PanelContext& context, const GraphGeometry& geometry, Point pointer) {
    pressed_at_ = pointer;
    place_before_ = geometry.place_from(pointer);
    is_far_ = false;
    farthest_ = 0;
    for (const int button : {ImGuiMouseButton_Middle, ImGuiMouseButton_Right})
        if (ImGui::IsMouseClicked(button)) drag_ = Drag::Pan, button_ = button;
    if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
    button_ = ImGuiMouseButton_Left;
    is_second_ = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    if (const auto node = geometry.node_at(pointer)) return press_node(context, *node);
    const auto edge = geometry.edge_at(pointer, kEdgeTolerance);
    const bool moves = compat::is_key_down(Key::Space);
    if (edge && !ImGui::GetIO().KeyShift && !moves)
        return context.selection.hold(point_at_edge(context, *edge));
    drag_ = ImGui::GetIO().KeyShift ? Drag::Mark : Drag::Pan;
}

void GraphPointer::press_node(PanelContext& context, int node) {
    const bool draws = context.selection.looks.graph.tool == GraphLook::Tool::Draw;
    if (is_second_ && exists(context, node) && context.document.graph())
        return naming_.begin_rename(context, node);
    if (is_second_ && exists(context, node))
        return push_graph_edit(context, "Rename a node", [node](Graph& graph) {
            graph.rename_node(node, graph.unused_name());
        });
    node_ = node;
    drag_ = draws || ImGui::GetIO().KeyShift ? Drag::Edge : Drag::Node;
}

void GraphPointer::drag(PanelContext& context, const GraphGeometry& geometry, Point pointer) {
    const bool is_over = !ImGui::IsMouseDown(button_);
    if (is_in_window(pointer)) {
        const float moved = std::hypot(pointer.x - pressed_at_.x, pointer.y - pressed_at_.y);
        is_far_ = is_far_ || moved > kNodeDragStart;
        farthest_ = std::max(farthest_, moved);
    }
    if (drag_ == Drag::Node) move_nodes(context, geometry, pointer);
    if (drag_ == Drag::Pan && is_far_) pan(context, geometry, pointer);
    if (!is_over) return;
    const Drag was = std::exchange(drag_, Drag::None);
    if (was == Drag::Node) {
        if (is_far_) return context.edits.end_gesture();
        return context.selection.hold(pick_item(node_));
    }
    if (was == Drag::Edge) return finish_edge(context, geometry, pointer);
    const bool is_click = !is_far_ && button_ == ImGuiMouseButton_Left;
    if (is_click && was == Drag::Pan) return click_canvas(context, geometry, pointer);
    if (was == Drag::Mark) finish_mark(context, geometry, pointer);
}

void GraphPointer::pan(PanelContext& context, const GraphGeometry& geometry, Point pointer) {
    if (!is_in_window(pointer)) return;
    GraphZoom& zoom = context.selection.looks.graph.zoom;
    if (!zoom.is_whole()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    const ImVec2 by = ImGui::GetIO().MouseDelta;
    zoom = moved(geometry.whole, zoom, {by.x, by.y});
}

/// Lets go of what is held; with the tool for drawing, or at a second click, makes a node.
void GraphPointer::click_canvas(PanelContext& context, const GraphGeometry& geometry,
                                Point pointer) {
    const bool draws = context.selection.looks.graph.tool == GraphLook::Tool::Draw;
    context.selection.release();
    if (is_second_ == draws) return;
    const Point place = geometry.place_from(pointer);
    if (context.document.graph()) return naming_.begin_new(context, place);
    push_graph_edit(context, "Add a node", [place](Graph& graph) {
        graph.add_node(graph.unused_name(), place.x, place.y);
    });
}

/// Moves all held nodes, if the one under the pointer is one of them.
void GraphPointer::move_nodes(PanelContext& context, const GraphGeometry& geometry, Point pointer) {
    context.selection.hover(pick_item(node_));
    if (!is_far_ || !exists(context, node_) || !is_in_window(pointer)) return;
    std::vector<int> nodes = held_nodes(context.selection, edited_graph(context));
    if (std::ranges::find(nodes, node_) == nodes.end()) nodes = {node_};
    const Point place = geometry.place_from(pointer), from = std::exchange(place_before_, place);
    push_graph_edit(
        context, "Move " + nodes_text(context, nodes),
        [nodes, by = Point{place.x - from.x, place.y - from.y}](Graph& graph) {
            for (const int node : nodes) {
                Node& moved = graph.nodes.at(static_cast<std::size_t>(node));
                moved.x = std::clamp(moved.x + by.x, 0.0f, 1.0f);
                moved.y = std::clamp(moved.y + by.y, 0.0f, 1.0f);
            }
        },
        "move");
}

void GraphPointer::finish_edge(PanelContext& context, const GraphGeometry& geometry,
                               Point pointer) {
    const auto to = geometry.node_at(pointer);
    const bool is_toggle = ImGui::GetIO().KeyShift;
    const bool has_left = farthest_ > 2 * geometry.radius + kNodeDragStart;
    if (to == node_ && !has_left)  // away and back, it is an edge to itself
        return is_toggle ? context.selection.toggle(pick_item(node_))
                         : context.selection.hold(pick_item(node_));
    if (!to || !exists(context, node_) || !exists(context, *to)) return;
    push_graph_edit(
        context,
        fmt::format("Add edge {} → {}", node_name(context, node_), node_name(context, *to)),
        [from = node_, to = *to](Graph& graph) { graph.add_edge(from, to); });
}

Box GraphPointer::marked(Point pointer) const {
    const float left = std::min(pressed_at_.x, pointer.x), top = std::min(pressed_at_.y, pointer.y);
    return {left, top, std::abs(pressed_at_.x - pointer.x), std::abs(pressed_at_.y - pointer.y)};
}

void GraphPointer::finish_mark(PanelContext& context, const GraphGeometry& geometry,
                               Point pointer) const {
    if (!is_far_ || !is_in_window(pointer)) return;
    hold_nodes(context.selection, geometry.nodes_in(marked(pointer)));
}

void GraphPointer::draw_drag(const PanelContext& context, const GraphGeometry& geometry,
                             Point origin) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 color = im_color(context.theme.selection);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (drag_ == Drag::Edge && node_ < static_cast<int>(geometry.points.size())) {
        const Point from = geometry.node_point(node_);
        list.AddLine({origin.x + from.x, origin.y + from.y}, mouse, color, 2);
    }
    if (drag_ != Drag::Mark || !is_far_) return;
    const Box box = marked({mouse.x - origin.x, mouse.y - origin.y});
    const ImVec2 low{origin.x + box.x, origin.y + box.y};
    const ImVec2 high{low.x + box.width, low.y + box.height};
    list.AddRectFilled(low, high, im_color(faded(context.theme.selection, 0.12)));
    list.AddRect(low, high, color);
}

void push_remove_held(PanelContext& context) {
    const AxisIndices held = context.selection.held().indices;
    const std::vector<int> nodes = held_nodes(context.selection, edited_graph(context));
    if (held.edge && held.query && held.key) {
        const int source = static_cast<int>(*held.key), target = static_cast<int>(*held.query);
        if (!edited_graph(context).has_edge(source, target)) return;
        push_graph_edit(context,
                        fmt::format("Remove edge {} → {}", node_name(context, source),
                                    node_name(context, target)),
                        [=](Graph& graph) { graph.remove_edge(source, target); });
    } else if (!nodes.empty()) {
        push_graph_edit(context, "Remove " + nodes_text(context, nodes),
                        [nodes](Graph& graph) { graph.remove_nodes(nodes); });
    }
    context.selection.release();
}

}  // namespace headlight
