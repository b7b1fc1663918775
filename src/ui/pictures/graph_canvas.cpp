#include "ui/pictures/graph_canvas.h"

#include <algorithm>
#include <imgui.h>

#include "figure/figure_parts.h"
#include "figure/graphs/graph_marks.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/graph_view.h"

namespace headlight {
namespace {

constexpr double kRest_secs = 0.15;  // without a turn of the wheel, until the picture is made anew

bool is_same_box(const Box& a, const Box& b) {
    return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
}

/// Returns the head's own settings and those of the nodes, but not the zoom or the tool.
GraphLook without_view(GraphLook look) {
    look.zoom = {};
    look.tool = {};
    return look;
}

MatrixPtr pattern_values(const PanelContext& context) {
    const Tensor* pattern = shown_pattern(*context.trace, context.components, context.selection);
    return pattern ? pattern->value : nullptr;
}

std::vector<int> choice_for_edges(const Selection& selection) {
    const bool counts = selection.looks.graph.edges == GraphLook::EdgesShown::Chosen;
    return counts ? graph_choice(selection).selected_nodes : std::vector<int>{};
}

KeptFigure kept_picture(const GraphLayers& layers, const Theme& theme) {
    return {layers.picture, layers.geometry.plot, theme.canvas};
}

}  // namespace

bool LargeGraph::is_needed(const PanelContext& context) {
    return context.trace->edges() &&
           context.trace->edges()->size() >= static_cast<Index>(kManyEdges);
}

bool LargeGraph::is_of(const PanelContext& context, const Box& box) const {
    return is_but_for_places(context, box) && source_.trace == context.scene.kept &&
           source_.nodes == context.document.drawn_graph()->nodes;
}

/// True if only the places of nodes differ: nodes that are being dragged lie elsewhere.
bool LargeGraph::is_but_for_places(const PanelContext& context, const Box& box) const {
    return layers_ && source_.nodes.size() == context.document.drawn_graph()->nodes.size() &&
           source_.pattern == pattern_values(context) && source_.theme == &context.theme &&
           source_.head == context.selection.head && is_same_box(source_.box, box) &&
           without_view(source_.look) == without_view(context.selection.looks.graph) &&
           source_.chosen == choice_for_edges(context.selection);
}

void LargeGraph::draw_dragged(PanelContext& context, Point origin) const {
    const std::vector<Node>& nodes = context.document.drawn_graph()->nodes;
    const GraphGeometry& geometry = layers_->geometry;
    Figure figure;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        if (nodes[k].x == source_.nodes[k].x && nodes[k].y == source_.nodes[k].y) continue;
        const Point to{geometry.inner.x + nodes[k].x * geometry.inner.width,
                       geometry.inner.y + nodes[k].y * geometry.inner.height};
        const Color color = context.theme.selection;
        figure.add(LineMark{geometry.points[k], to, color, 1});
        figure.add(CircleMark{to, geometry.radius, context.theme.card, color, 1.5f});
    }
    context.painter.draw(figure, origin);
}

void LargeGraph::make(PanelContext& context, const Box& box) {
    GraphInput input = graph_input(context.scene);
    input.box = box;
    layers_ = std::make_shared<const GraphLayers>(
        graph_layers(std::move(input), context.theme, context.painter.measure()));
    source_ = {context.scene.kept,
               pattern_values(context),
               &context.theme,
               context.selection.looks.graph,
               context.selection.head,
               context.document.drawn_graph()->nodes,
               choice_for_edges(context.selection),
               box};
}

/// True while the wheel turns and while the graph is dragged.
bool LargeGraph::must_wait(PanelContext& context) {
    const GraphZoom& zoom = context.selection.looks.graph.zoom;
    const double now = ImGui::GetTime();
    if (!(std::exchange(asked_, zoom) == zoom)) asked_at_secs_ = now;
    if (source_.look.zoom == zoom) return false;
    const bool is_dragged = ImGui::IsMouseDown(ImGuiMouseButton_Left) ||
                            ImGui::IsMouseDown(ImGuiMouseButton_Middle) ||
                            ImGui::IsMouseDown(ImGuiMouseButton_Right);
    if (!is_dragged && now - asked_at_secs_ >= kRest_secs) return false;
    context.requests.look_again(kRest_secs);
    return true;
}

/// Draws the kept picture larger or smaller, and elsewhere.
void LargeGraph::draw_moved(PanelContext& context, Point origin) const {
    const GraphGeometry& before = layers_->geometry;
    const Box now = zoomed(before.whole, context.selection.looks.graph.zoom);
    const float scale = now.width / std::max(before.inner.width, 1e-6f);
    const Box place{origin.x + now.x + (before.plot.x - before.inner.x) * scale,
                    origin.y + now.y + (before.plot.y - before.inner.y) * scale,
                    before.plot.width * scale, before.plot.height * scale};
    const Box plot = before.plot.moved(origin);
    ImGui::PushClipRect({plot.x, plot.y}, {plot.right(), plot.bottom()}, true);
    context.painter.draw_kept(kept_picture(*layers_, context.theme), place);
    ImGui::PopClipRect();
    context.painter.draw(layers_->legend, origin);
}

void LargeGraph::name_nodes(PanelContext& context, Point origin) const {
    context.regions.add_many(
        "node ", [layers = layers_, origin](std::string_view name) -> std::optional<Box> {
            const std::vector<Node>& nodes = layers->input->nodes;
            const auto found = std::ranges::find(nodes, name, &Node::name);
            if (found == nodes.end()) return std::nullopt;
            const auto node = static_cast<int>(found - nodes.begin());
            if (!layers->geometry.is_in_view(node)) return std::nullopt;
            const Point at = layers->geometry.node_point(node);
            const float r = layers->geometry.radius;
            return Box{origin.x + at.x - r, origin.y + at.y - r, 2 * r, 2 * r};
        });
}

void LargeGraph::draw_layers(PanelContext& context, Point origin) const {
    Painter& painter = context.painter;
    painter.draw_kept(kept_picture(*layers_, context.theme), layers_->geometry.plot.moved(origin));
    painter.draw(layers_->names, origin);
    painter.draw(
        chosen_layer(*layers_, graph_choice(context.selection), context.theme, painter.measure()),
        origin);
    painter.draw(layers_->legend, origin);
}

LargeGraph::Drawn LargeGraph::draw(PanelContext& context, Box box, Point origin) {
    const bool is_known = is_of(context, box);
    if (is_known && must_wait(context)) {
        draw_moved(context, origin);
        return {&layers_->geometry, true, &layers_->names.left_out};
    }
    const bool is_dragged =
        !is_known && ImGui::IsMouseDown(ImGuiMouseButton_Left) && is_but_for_places(context, box);
    if (is_dragged) {
        draw_layers(context, origin);
        draw_dragged(context, origin);
        return {&layers_->geometry, false, &layers_->names.left_out};
    }
    if (!is_known || !(source_.look.zoom == context.selection.looks.graph.zoom)) make(context, box);
    draw_layers(context, origin);
    name_nodes(context, origin);
    return {&layers_->geometry, false, &layers_->names.left_out};
}

namespace {

constexpr float kEdgeReach = 8;         // points around an edge that count as pointing at it
constexpr Scalar kCoveredShare = 0.3f;  // the look of every edge under a cover

void name_nodes(PanelContext& context, const GraphGeometry& geometry, Point origin) {
    const std::vector<Node>& nodes = context.document.drawn_graph()->nodes;
    for (std::size_t i = 0; i < std::min(nodes.size(), geometry.points.size()); ++i) {
        const Point at = geometry.points[i];
        const float r = geometry.radius;
        context.regions.add("node " + nodes[i].name,
                            {origin.x + at.x - r, origin.y + at.y - r, 2 * r, 2 * r});
    }
}

void mark_guesses(PanelContext& context, const Tensor& pattern, const GraphGeometry& geometry,
                  Point origin, const Prediction& prediction) {
    // Marks are nearer to the node that reads: the same pair may be read both ways.
    constexpr float kMarkPlace = 0.6f;
    Figure figure;
    for (const auto& [cell, state] : prediction.marks(pattern)) {
        const auto edge = static_cast<std::size_t>(cell.row);
        if (edge < geometry.curves.size())
            add_guess_mark(figure, {point_on(geometry.curves[edge], kMarkPlace), 9, state},
                           context.theme);
    }
    context.painter.draw(figure, origin);
}

/// Takes a click on an edge of a covered pattern as a guess.
void take_guess(PanelContext& context, const GraphGeometry& geometry, Point origin,
                const Tensor& pattern, Prediction& prediction) {
    name_nodes(context, geometry, origin);
    const auto edge = geometry.edge_at(widgets::pointer_in(origin), kEdgeReach);
    if (!edge) return;
    context.selection.hover(point_at_edge(context, *edge));
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) prediction.guess(pattern, {*edge, 0});
}

}  // namespace

void GraphCanvas::point(PanelContext& context, const GraphGeometry& geometry, Point origin) {
    name_nodes(context, geometry, origin);
    pointer_.point(context, geometry, origin);
}

std::vector<LeftOut> GraphCanvas::draw(PanelContext& context, Box box, Point origin,
                                       Prediction* prediction, float times) {
    const Tensor* pattern = shown_pattern(*context.trace, context.components, context.selection);
    const bool is_covered = prediction && pattern && prediction->hides(*pattern);
    context.regions.add("canvas Graph",
                        {origin.x + box.x, origin.y + box.y, box.width, box.height});
    if (shows_picture_alone(*context.trace, context.selection)) take_request(context);
    if (!is_covered && LargeGraph::is_needed(context)) {
        const LargeGraph::Drawn drawn = draw_large(context, box, origin);
        if (prediction && pattern)
            mark_guesses(context, *pattern, *drawn.geometry, origin, *prediction);
        return *drawn.left_out;
    }
    GraphInput input = graph_input(context.scene);
    input.box = box;
    input.times = times;
    if (is_covered) {
        input.color = context.theme.muted;
        for (WeightedEdge& edge : input.edges) edge.alpha = kCoveredShare;
    }
    const GraphFigure picture = graph_figure(input, context.theme, context.painter.measure());
    context.painter.draw(picture.figure, origin);
    if (prediction && pattern)
        mark_guesses(context, *pattern, picture.geometry, origin, *prediction);
    if (is_covered)
        take_guess(context, picture.geometry, origin, *pattern, *prediction);
    else
        point(context, picture.geometry, origin);
    return picture.figure.left_out;
}

LargeGraph::Drawn GraphCanvas::draw_large(PanelContext& context, Box box, Point origin) {
    const LargeGraph::Drawn drawn = large_.draw(context, box, origin);
    if (drawn.is_moving)
        pointer_.turn(context, *drawn.geometry, origin);
    else
        pointer_.point(context, *drawn.geometry, origin);
    return drawn;
}

/// Takes the request of a command, where no matrix is shown that it could be meant for.
void GraphCanvas::take_request(PanelContext& context) const {
    constexpr double kStep = 1.3;
    Request<PictureRequest>& request = context.requests.picture;
    GraphZoom& zoom = context.selection.looks.graph.zoom;
    const Box middle{-0.5f, -0.5f, 1, 1};  // zoomed about its centre
    if (request.asked() == PictureRequest::Whole) zoom = {};
    if (request.asked() == PictureRequest::Larger) zoom = zoomed_at(middle, zoom, {}, kStep);
    if (request.asked() == PictureRequest::Smaller) zoom = zoomed_at(middle, zoom, {}, 1 / kStep);
    request.take();
}

}  // namespace headlight
