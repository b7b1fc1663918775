// A graph with the attention of one head on its edges, as one figure or in layers.
#include "figure/graphs/graph_figure.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "figure/color.h"
#include "figure/figure_parts.h"
#include "figure/graphs/graph_labels.h"
#include "figure/graphs/graph_marks.h"

namespace headlight {
namespace {

class GraphDrawing {
  public:
    GraphDrawing(const GraphInput& input, const Theme& theme, const MeasureText& measure)
        : input_(input),
          theme_(theme),
          measure_(measure),
          geometry_(graph_geometry(input)),
          marks_(input, theme, geometry_),
          focus_(find_focus(input, geometry_, input.choice)) {
        figure_.width = input.box.right();
        figure_.height = input.box.bottom();
    }

    GraphFigure paint() {
        for (const int edge : drawing_order(marks_, focus_, input_.edges.size()))
            marks_.add_edge(figure_, edge, focus_.edge_emphasis(edge),
                            focus_.node_look(input_.edges[edge].i));
        for (int node = 0; node < static_cast<int>(input_.nodes.size()); ++node)
            marks_.add_node(figure_, node, focus_.node_look(node));
        add_node_names(figure_, name_request(), theme_, measure_);
        add_graph_legend(figure_, input_, geometry_, theme_, measure_);
        return {std::move(figure_), std::move(geometry_)};
    }

  private:
    NodeNames name_request() const {
        NodeNames names{input_.nodes, geometry_, {}, {}, geometry_.plot, input_.label_size};
        names.fills = marks_.value_fills();
        for (int node = 0; node < static_cast<int>(input_.nodes.size()); ++node) {
            const NodeLook look = focus_.node_look(node);
            if (look.is_faded) names.faded.push_back(node);
            if (look.is_hovered || look.is_selected) names.important.push_back(node);
        }
        for (const int node : focus_.beside_chosen()) names.important.push_back(node);
        return names;
    }

    const GraphInput& input_;
    const Theme& theme_;
    const MeasureText& measure_;
    GraphGeometry geometry_;
    GraphMarks marks_;
    GraphFocus focus_;
    Figure figure_;
};

}  // namespace

GraphFigure graph_figure(const GraphInput& input, const Theme& theme, const MeasureText& measure) {
    if (input.times != 1) {
        const MeasureText enlarged = measure_enlarged(measure, input.times);
        Figure figure = graph_figure(without_times(input), theme, enlarged).figure;
        enlarge(figure, input.times);
        return {std::move(figure), graph_geometry(input)};
    }
    return GraphDrawing(input, theme, measure).paint();
}

namespace {

constexpr float kLargestRadius = 12, kSmallestRadius = 2.5f;
constexpr float kFewNodes = 16, kMoreRadius = 0.7f;  // for each node less: readable from far away
constexpr float kHighestRadius = 1 / 10.5f;          // of the height: a flat picture
constexpr float kBend = 0.07f, kMostBend = 16;

bool is_node(const GraphInput& input, int k) {
    return k >= 0 && k < static_cast<int>(input.nodes.size());
}

std::uint64_t pair_key(int i, int j) {
    return static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint32_t>(j);
}

/// Nodes cover at most about a twelfth of the picture.
float radius_for(const GraphInput& input, double zoom) {
    const float area = std::max(0.0f, input.box.width) * std::max(0.0f, input.box.height);
    const float count = std::max<float>(1, static_cast<float>(input.nodes.size()));
    const float factor = static_cast<float>(std::clamp(zoom, 1.0, kMostGraphZoom));
    const float largest = kLargestRadius + kMoreRadius * std::max(0.0f, kFewNodes - count);
    const float high = std::max(kSmallestRadius, factor * input.box.height * kHighestRadius);
    const float most = std::max(kSmallestRadius, std::min({largest, high, input.largest_radius}));
    return std::clamp(factor * std::sqrt(area / count / 38), kSmallestRadius, most);
}

/// Returns the side of a node for its loop: it looks away from the middle of the graph, or is the
/// nearest to that side on which the loop covers no other node; in large graphs it is always the
/// first.
Point loop_side(const std::vector<Point>& nodes, std::size_t of, Point middle, float radius) {
    constexpr std::size_t kMostTurned = 200;
    constexpr int kSides = 12;
    constexpr float kLoopAt = 1.9f, kReach = 2.1f;  // radii: its middle, and that of a node off it
    const Point node = nodes[of];
    const float dx = node.x - middle.x, dy = node.y - middle.y, length = std::hypot(dx, dy);
    const float outward = length > 1 ? std::atan2(dy, dx) : -std::numbers::pi_v<float> / 2;
    const auto side = [&](int turn) {
        const int steps = turn % 2 == 0 ? turn / 2 : -(turn + 1) / 2;
        const float angle = outward + 2 * std::numbers::pi_v<float> / kSides * float(steps);
        return Point{std::cos(angle), std::sin(angle)};
    };
    for (int turn = 0; turn < kSides && nodes.size() <= kMostTurned; ++turn) {
        const Point to = side(turn);
        const Point at{node.x + kLoopAt * radius * to.x, node.y + kLoopAt * radius * to.y};
        const auto is_covered = [&](const Point& other) {
            return &other != &nodes[of] &&
                   std::hypot(other.x - at.x, other.y - at.y) < kReach * radius;
        };
        if (std::ranges::none_of(nodes, is_covered)) return to;
    }
    return side(0);
}

CurveMark loop_at(Point node, Point side, float radius) {
    const float dx = side.x, dy = side.y;
    const auto turned = [&](float angle, float reach) {
        const float c = std::cos(angle), s = std::sin(angle);
        return Point{node.x + reach * (dx * c - dy * s), node.y + reach * (dx * s + dy * c)};
    };
    return {turned(-0.5f, radius),
            turned(-0.72f, 2.9f * radius),
            turned(0.72f, 2.9f * radius),
            turned(0.5f, radius),
            {},
            1};
}

/// Returns a curve from border to border; `bend` is how far its middle leaves the straight line.
CurveMark edge_between(Point from, Point to, float radius, float bend) {
    const float dx = to.x - from.x, dy = to.y - from.y;
    const float length = std::max(std::hypot(dx, dy), 1e-3f);
    const float ux = dx / length, uy = dy / length;
    const float start = std::min(radius, length / 2);
    const float tilt = length > 0 ? std::min(0.6f, 3 * bend / length) : 0;
    const auto along = [&](float distance, float side) {
        return Point{from.x + ux * distance - uy * side, from.y + uy * distance + ux * side};
    };
    const float lift = bend * 4 / 3;
    return {along(start, start * tilt),
            along(length * 0.33f, lift),
            along(length * 0.67f, lift),
            along(length - start, start * tilt),
            {},
            1};
}

Point midpoint(const std::vector<Point>& points) {
    Point sum;
    for (Point p : points) sum = {sum.x + p.x, sum.y + p.y};
    const float count = std::max<float>(1, static_cast<float>(points.size()));
    return {sum.x / count, sum.y / count};
}

void add_curves(GraphGeometry& geometry, const GraphInput& input) {
    std::vector<std::uint64_t> pairs;
    pairs.reserve(input.edges.size());
    for (const WeightedEdge& edge : input.edges) pairs.push_back(pair_key(edge.i, edge.j));
    std::ranges::sort(pairs);
    const Point middle = midpoint(geometry.points);
    CurveMark left_out;
    left_out.width = 0;
    geometry.curves.assign(input.edges.size(), left_out);
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        const WeightedEdge& edge = input.edges[e];
        const bool is_hidden = e < input.hidden_edges.size() && input.hidden_edges[e];
        if (is_hidden || !is_node(input, edge.i) || !is_node(input, edge.j)) continue;
        const Point to = geometry.points[edge.i], from = geometry.points[edge.j];
        const bool is_mutual = std::ranges::binary_search(pairs, pair_key(edge.j, edge.i));
        const float length = std::hypot(to.x - from.x, to.y - from.y);
        const float bend = is_mutual ? std::min(kMostBend, kBend * length) : 0;
        const float radius = geometry.radius;
        const auto reader = static_cast<std::size_t>(edge.i);
        const CurveMark curve =
            edge.i == edge.j
                ? loop_at(to, loop_side(geometry.points, reader, middle, radius), radius)
                : edge_between(from, to, radius, bend);
        if (input.view.is_whole())
            geometry.curves[e] = curve;
        else if (const auto seen = part_inside(curve, geometry.plot))
            geometry.curves[e] = *seen;
    }
}

Point times_point(Point p, float times) {
    return {p.x * times, p.y * times};
}

Box times_box(const Box& box, float times) {
    return {box.x * times, box.y * times, box.width * times, box.height * times};
}

GraphGeometry enlarged(GraphGeometry geometry, float times) {
    for (Box* box : {&geometry.box, &geometry.plot, &geometry.whole, &geometry.inner})
        *box = times_box(*box, times);
    geometry.radius *= times;
    for (Point& point : geometry.points) point = times_point(point, times);
    for (CurveMark& curve : geometry.curves)
        for (Point* point : {&curve.from, &curve.control_1, &curve.control_2, &curve.to})
            *point = times_point(*point, times);
    return geometry;
}

/// Returns the least distance between two nodes.
float least_distance(std::vector<Point> points) {
    std::ranges::sort(points, {}, &Point::x);
    float least = 1e6f;
    for (std::size_t k = 0; k < points.size(); ++k)
        for (std::size_t l = k + 1; l < points.size() && points[l].x - points[k].x < least; ++l)
            least =
                std::min(least, std::hypot(points[l].x - points[k].x, points[l].y - points[k].y));
    return least;
}

/// Returns the places of the picture and its nodes.
GraphGeometry placed_nodes(const GraphInput& input) {
    GraphGeometry geometry;
    geometry.box = geometry.plot = input.box;
    geometry.radius = radius_for(input, input.view.zoom);
    geometry.plot.height = std::max(0.0f, input.box.height - graph_legend_height(input));
    const Box& plot = geometry.plot;
    const float margin =
        std::min({radius_for(input, 1) * 2.6f + 6, plot.width / 2, plot.height / 2});
    geometry.whole = {plot.x + margin, plot.y + margin, plot.width - 2 * margin,
                      plot.height - 2 * margin};
    geometry.inner = zoomed(geometry.whole, input.view);
    const Box& inner = geometry.inner;
    for (const Node& node : input.nodes)
        geometry.points.push_back({inner.x + std::clamp(node.x, 0.0f, 1.0f) * inner.width,
                                   inner.y + std::clamp(node.y, 0.0f, 1.0f) * inner.height});
    return geometry;
}

}  // namespace

GraphInput without_times(GraphInput input) {
    constexpr float kOfDistance = 0.45f;  // of the nearest two; the rest is for their borders
    constexpr float kOfUsual = 0.6f;      // at least: two can be dragged onto each other
    const float times = std::exchange(input.times, 1.0f);
    const float usual = radius_for(input, input.view.zoom) / times;
    input.box = times_box(input.box, 1 / times);
    if (input.label_size) input.label_size = *input.label_size / times;
    const float nearest = least_distance(placed_nodes(input).points);
    input.largest_radius = std::max(kOfUsual * usual, kOfDistance * nearest);
    return input;
}

GraphGeometry graph_geometry(const GraphInput& input) {
    if (input.times != 1) return enlarged(graph_geometry(without_times(input)), input.times);
    GraphGeometry geometry = placed_nodes(input);
    add_curves(geometry, input);
    return geometry;
}

bool GraphGeometry::is_in_view(int node) const {
    const Point at = points[static_cast<std::size_t>(node)];
    const float below = std::min(radius, plot.height / 2);  // the legend is there
    return at.x >= plot.x && at.x <= plot.right() && at.y >= plot.y &&
           at.y <= plot.bottom() - below;
}

std::vector<int> GraphGeometry::nodes_in(const Box& marked) const {
    std::vector<int> nodes;
    for (int k = 0; k < static_cast<int>(points.size()); ++k)
        if (marked.contains(points[static_cast<std::size_t>(k)]) && is_in_view(k))
            nodes.push_back(k);
    return nodes;
}

Point GraphGeometry::place_from(Point p) const {
    const auto part = [](float at, float start, float size) {
        return size > 0 ? std::clamp((at - start) / size, 0.0f, 1.0f) : 0.5f;
    };
    return {part(p.x, inner.x, inner.width), part(p.y, inner.y, inner.height)};
}

std::optional<int> GraphGeometry::node_at(Point p) const {
    const float reach = std::max(radius, 5.0f);
    for (int k = static_cast<int>(points.size()) - 1; k >= 0; --k) {
        const float dx = p.x - points[k].x, dy = p.y - points[k].y;
        if (dx * dx + dy * dy <= reach * reach && is_in_view(k)) return k;
    }
    return std::nullopt;
}

std::optional<int> GraphGeometry::edge_at(Point p, float tolerance) const {
    if (node_at(p)) return std::nullopt;
    std::optional<int> nearest;
    float distance = tolerance;
    for (std::size_t k = 0; k < curves.size(); ++k) {
        if (curves[k].width == 0) continue;
        const float here = distance_to(curves[k], p, distance);
        if (here >= distance) continue;
        distance = here;
        nearest = static_cast<int>(k);
    }
    return nearest;
}

namespace {

constexpr std::size_t kMostInFocus = 500;     // nodes whose edges are shown with them
constexpr std::size_t kMostNamedBeside = 60;  // neighbours of the chosen nodes

/// Marks only the nodes when very many are chosen: their edges would be most of the picture.
void add_rings(Figure& figure, const GraphLayers& layers, const GraphChoice& choice,
               const GraphMarks& marks) {
    const auto n_nodes = static_cast<int>(layers.input->nodes.size());
    for (const int node : choice.selected_nodes)
        if (node >= 0 && node < n_nodes) marks.add_node(figure, node, {.is_selected = true});
    if (choice.hovered_node && *choice.hovered_node < n_nodes)
        marks.add_node(figure, *choice.hovered_node, {.is_hovered = true});
}

/// Adds the names of chosen nodes over everything else.
void add_chosen_names(Figure& figure, const GraphLayers& layers, const GraphFocus& focus,
                      const Theme& theme, const MeasureText& measure) {
    NodeNames names{layers.input->nodes,  layers.geometry,         {}, {},
                    layers.geometry.plot, layers.input->label_size};
    for (int node = 0; node < static_cast<int>(focus.nodes.size()); ++node)
        if (focus.node_look(node).is_hovered || focus.node_look(node).is_selected)
            names.important.push_back(node);
    std::vector<int> beside = focus.beside_chosen();
    if (beside.size() <= kMostNamedBeside)
        names.important.insert(names.important.end(), beside.begin(), beside.end());
    if (names.important.size() > 2 * kMostNamedBeside) names.important.resize(2 * kMostNamedBeside);
    add_important_names(figure, names, theme, measure);
}

/// Adds the names of the picture over the veil, so that they can be read. Names that those of
/// chosen nodes would cover are left out.
void add_other_names(Figure& figure, const GraphLayers& layers, const GraphMarks& marks,
                     const Figure& chosen_names, const Theme& theme) {
    const auto is_covered = [&](const Box& box) {
        return std::ranges::any_of(chosen_names.marks, [&](const Mark& mark) {
            const auto* taken = std::get_if<RectMark>(&mark);
            return taken && overlap(taken->box, box);
        });
    };
    const RectMark* ground = nullptr;  // of a name beside its node
    int node = 0;                      // of a name inside it
    for (const Mark& mark : layers.names.marks) {
        if (const auto* rect = std::get_if<RectMark>(&mark)) ground = rect;
        const auto* name = std::get_if<TextMark>(&mark);
        if (!name || (ground && is_covered(ground->box))) continue;
        TextMark seen = *name;
        if (ground) {
            figure.add(*ground);
            seen.color = faded_name(theme);
        } else {
            while (!layers.geometry.is_in_view(node)) ++node;
            seen.color = text_on(
                theme, mixed(theme.canvas, marks.node_color(node++), background_strength(theme)));
        }
        figure.add(std::move(seen));
    }
}

}  // namespace

GraphLayers graph_layers(GraphInput input, const Theme& theme, const MeasureText& measure) {
    GraphLayers layers;
    input.choice = {};
    input.times = 1;
    layers.input = std::make_shared<const GraphInput>(std::move(input));
    layers.geometry = graph_geometry(*layers.input);
    const GraphMarks marks(*layers.input, theme, layers.geometry);
    const GraphFocus none = find_focus(*layers.input, layers.geometry, {});
    Figure picture{layers.input->box.right(), layers.input->box.bottom()};
    for (const int edge : drawing_order(marks, none, layers.input->edges.size()))
        marks.add_edge(picture, edge, Emphasis::Plain, {});
    for (int node = 0; node < static_cast<int>(layers.input->nodes.size()); ++node)
        marks.add_node(picture, node, {});
    layers.picture = std::make_shared<const Figure>(std::move(picture));
    const NodeNames names{
        layers.input->nodes,      layers.geometry,    {}, {}, layers.geometry.plot,
        layers.input->label_size, marks.value_fills()};
    add_node_names(layers.names, names, theme, measure);
    add_graph_legend(layers.legend, *layers.input, layers.geometry, theme, measure);
    return layers;
}

Figure chosen_layer(const GraphLayers& layers, const GraphChoice& choice, const Theme& theme,
                    const MeasureText& measure) {
    Figure figure{layers.input->box.right(), layers.input->box.bottom()};
    if (choice == GraphChoice{}) return figure;
    const GraphMarks marks(*layers.input, theme, layers.geometry);
    if (choice.selected_nodes.size() > kMostInFocus) {
        add_rings(figure, layers, choice, marks);
        return figure;
    }
    const GraphFocus focus = find_focus(*layers.input, layers.geometry, choice);
    if (!focus.has_focus) return figure;
    figure.add(RectMark{layers.geometry.plot, faded(theme.canvas, 1 - background_strength(theme))});
    Figure chosen_names;
    add_chosen_names(chosen_names, layers, focus, theme, measure);
    add_other_names(figure, layers, marks, chosen_names, theme);
    std::vector<std::pair<float, int>> edges;
    for (int edge = 0; edge < static_cast<int>(focus.edges.size()); ++edge)
        if (focus.edge_emphasis(edge) > Emphasis::Background)
            edges.push_back({marks.edge_strength(edge), edge});
    std::ranges::sort(edges);
    for (const Emphasis emphasis : {Emphasis::Focus, Emphasis::Selected})
        for (const auto& [strength, edge] : edges)
            if (focus.edge_emphasis(edge) == emphasis)
                marks.add_edge(figure, edge, emphasis,
                               focus.node_look(layers.input->edges[edge].i));
    for (int node = 0; node < static_cast<int>(focus.nodes.size()); ++node)
        if (!focus.node_look(node).is_faded) marks.add_node(figure, node, focus.node_look(node));
    add_part(figure, chosen_names, {0, 0});
    return figure;
}

}  // namespace headlight
