#include "ui/pictures/graph_canvas.h"

#include <algorithm>
#include <imgui.h>

#include "paint/figures/guess_marks.h"
#include "scene/figures/graph_view.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kEdgeReach = 8;         // points around an edge that count as pointing at it
constexpr Scalar kCoveredShare = 0.3f;  // what every edge looks like under a cover

void name_nodes(PanelContext& context, const GraphGeometry& geometry, Point origin) {
    const std::vector<Node>& nodes = context.document.drawn_graph()->nodes;
    for (std::size_t i = 0; i < std::min(nodes.size(), geometry.points.size()); ++i) {
        const Point at = geometry.points[i];
        const float r = geometry.radius;
        context.regions.add("node " + nodes[i].name,
                            {origin.x + at.x - r, origin.y + at.y - r, 2 * r, 2 * r});
    }
}

/// Nearer to the node that reads: the same pair may be read both ways.
Point mark_place(const CurveMark& curve) {
    const float t = 0.6f, u = 1 - t;
    const auto at = [&](float a, float b, float c, float d) {
        return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
    };
    return {at(curve.from.x, curve.control_1.x, curve.control_2.x, curve.to.x),
            at(curve.from.y, curve.control_1.y, curve.control_2.y, curve.to.y)};
}

void mark_guesses(PanelContext& context, const Tensor& pattern, const GraphGeometry& geometry,
                  Point origin, const Prediction& prediction) {
    const GuessState unjudged = GuessState::Open;
    Figure figure;
    const auto mark = [&](CellIndex cell, GuessState state) {
        const auto edge = static_cast<std::size_t>(cell.row);
        if (edge < geometry.curves.size())
            add_guess_mark(figure, {mark_place(geometry.curves[edge]), 9, state}, context.theme);
    };
    const bool is_hidden = prediction.hides(pattern) || !pattern.value;
    for (const CellIndex& guess : prediction.guesses(pattern)) {
        const bool right = !is_hidden && is_right(pattern, guess);
        if (!is_hidden && !right) mark(best_of_row(pattern, guess), GuessState::Answer);
        mark(guess, is_hidden ? unjudged : right ? GuessState::Right : GuessState::Wrong);
    }
    context.painter.draw(figure, origin);
}

/// A click on an edge of a covered pattern.
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
    if (shows_graph_alone(*context.trace, context.selection)) take_request(context);
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
        for (ReadEdge& edge : input.edges) edge.alpha = kCoveredShare;
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

/// Of a command, where no matrix is shown that it could be meant for.
void GraphCanvas::take_request(PanelContext& context) const {
    constexpr double kStep = 1.3;
    Request<PictureRequest>& request = context.requests.picture;
    GraphZoom& zoom = context.selection.graph.zoom;
    const Box middle{-0.5f, -0.5f, 1, 1};  // zoomed about its centre
    if (request.asked() == PictureRequest::Whole) zoom = {};
    if (request.asked() == PictureRequest::Larger) zoom = zoomed_at(middle, zoom, {}, kStep);
    if (request.asked() == PictureRequest::Smaller) zoom = zoomed_at(middle, zoom, {}, 1 / kStep);
    request.take();
}

}  // namespace headlight
