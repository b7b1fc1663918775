// The marks of a graph's picture: an edge, a node; the geometry of their curves; and which of them
// are in focus.
#include "figure/graphs/graph_marks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "figure/color.h"
#include "figure/color_scale.h"

namespace headlight {
namespace {

constexpr int kPieces = 24;

float distance_to_segment(Point a, Point b, Point p) {
    const float dx = b.x - a.x, dy = b.y - a.y;
    const float length_squared = dx * dx + dy * dy;
    float t = 0;
    if (length_squared > 0)
        t = std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length_squared, 0.0f, 1.0f);
    return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/// True if p lies too far from the curve, which lies within the box around its four points.
bool is_beyond(const CurveMark& c, Point p, float distance) {
    const auto [left, right] = std::minmax({c.from.x, c.control_1.x, c.control_2.x, c.to.x});
    const auto [top, bottom] = std::minmax({c.from.y, c.control_1.y, c.control_2.y, c.to.y});
    return p.x < left - distance || p.x > right + distance || p.y < top - distance ||
           p.y > bottom + distance;
}

/// Returns both halves of a curve, cut at t.
std::pair<CurveMark, CurveMark> cut(const CurveMark& c, float t) {
    const auto between = [t](Point a, Point b) {
        return Point{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
    };
    const Point a = between(c.from, c.control_1), b = between(c.control_1, c.control_2),
                d = between(c.control_2, c.to);
    const Point ab = between(a, b), bd = between(b, d), middle = between(ab, bd);
    return {{c.from, a, ab, middle, c.color, c.width}, {middle, bd, d, c.to, c.color, c.width}};
}

Box box_around(const CurveMark& c) {
    const auto [left, right] = std::minmax({c.from.x, c.control_1.x, c.control_2.x, c.to.x});
    const auto [top, bottom] = std::minmax({c.from.y, c.control_1.y, c.control_2.y, c.to.y});
    return {left, top, right - left, bottom - top};
}

bool is_apart(const Box& a, const Box& b) {
    return a.right() < b.x || b.right() < a.x || a.bottom() < b.y || b.bottom() < a.y;
}

/// Returns the first t at which the curve is in the box, to a small fraction of its length.
std::optional<float> first_inside(const CurveMark& curve, const Box& box, int n_cuts) {
    if (is_apart(box_around(curve), box)) return std::nullopt;
    if (n_cuts == 0 || box.contains(curve.from)) return 0.0f;
    const auto [first, second] = cut(curve, 0.5f);
    if (const auto t = first_inside(first, box, n_cuts - 1)) return *t / 2;
    const auto t = first_inside(second, box, n_cuts - 1);
    return t ? std::optional(0.5f + *t / 2) : std::nullopt;
}

}  // namespace

std::optional<CurveMark> part_inside(const CurveMark& curve, const Box& box) {
    constexpr int kCuts = 12;
    const Box around = box_around(curve);
    if (is_apart(around, box)) return std::nullopt;
    if (box.contains({around.x, around.y}) && box.contains({around.right(), around.bottom()}))
        return curve;
    const auto begin = first_inside(curve, box, kCuts);
    if (!begin) return std::nullopt;
    const CurveMark rest = *begin > 0 ? cut(curve, *begin).second : curve;
    const CurveMark back{rest.to, rest.control_2, rest.control_1, rest.from, {}, 1};
    const float end = first_inside(back, box, kCuts).value_or(0);
    return end > 0 ? cut(rest, 1 - end).first : rest;
}

Point point_on(const CurveMark& c, float t) {
    const float u = 1 - t;
    const float a = u * u * u, b = 3 * u * u * t, d = 3 * u * t * t, e = t * t * t;
    return {a * c.from.x + b * c.control_1.x + d * c.control_2.x + e * c.to.x,
            a * c.from.y + b * c.control_1.y + d * c.control_2.y + e * c.to.y};
}

namespace {

/// Returns the direction of the curve at t, as a vector of length 1; (1, 0) on a curve of length 0.
Point direction_on(const CurveMark& c, float t) {
    const float u = 1 - t;
    const float a = u * u, b = 2 * u * t, d = t * t;
    const float dx = a * (c.control_1.x - c.from.x) + b * (c.control_2.x - c.control_1.x) +
                     d * (c.to.x - c.control_2.x);
    const float dy = a * (c.control_1.y - c.from.y) + b * (c.control_2.y - c.control_1.y) +
                     d * (c.to.y - c.control_2.y);
    const float length = std::hypot(dx, dy);
    return length > 0 ? Point{dx / length, dy / length} : Point{1, 0};
}

}  // namespace

float distance_to(const CurveMark& curve, Point p, float give_up) {
    if (is_beyond(curve, p, give_up)) return give_up;
    float nearest = give_up;
    Point from = curve.from;
    for (int k = 1; k <= kPieces; ++k) {
        const Point to = point_on(curve, static_cast<float>(k) / kPieces);
        nearest = std::min(nearest, distance_to_segment(from, to, p));
        from = to;
    }
    return nearest;
}

namespace {

constexpr float kSmallNode = 4;        // radius
constexpr double kSmallBorder = 0.35;  // of such a node: how dark
constexpr float kFaintest = 0.02f;     // with many edges, thinner ones have no arrow

// The size of an arrow's head among few edges, at least; among more edges it is smaller.
constexpr float kLeastHead = 9, kLeastHalf = 3.8f, kFewEdges = 60;
constexpr float kLeastHeadStrength = 0.3f;  // the colour of the head of a faint edge

/// Moves the end of the curve nearer to its beginning by `length`.
void cut_back(CurveMark& curve, float length) {
    const Point way = direction_on(curve, 1);
    const Point by{-way.x * length, -way.y * length};
    curve.to = {curve.to.x + by.x, curve.to.y + by.y};
    curve.control_2 = {curve.control_2.x + by.x, curve.control_2.y + by.y};
}

}  // namespace

double background_strength(const Theme& theme) {
    constexpr double kOnLight = 0.5, kOnDark = 0.7;
    return oklab_from(theme.canvas).L < 0.5 ? kOnDark : kOnLight;
}

float GraphMarks::edge_strength(int edge) const {
    const auto share = std::abs(static_cast<float>(input_.edges[edge].alpha / input_.full));
    return std::isfinite(share) ? std::min(share, 1.0f) : 0;
}

/// Returns a colour that is pale towards the background for a small weight, and the head's own from
/// 0.6 on.
Color GraphMarks::edge_color(float strength, Emphasis emphasis, Color full) const {
    if (emphasis == Emphasis::Selected) return theme_.selection;
    const double least = emphasis == Emphasis::Focus ? 0.5 : 0.28;
    const Color color =
        mixed(theme_.canvas, full, least + (1 - least) * std::min(1.0f, strength / 0.6f));
    return emphasis == Emphasis::Background
               ? mixed(theme_.canvas, color, background_strength(theme_))
               : color;
}

float GraphMarks::edge_width(float strength) const {
    return (0.7f + 6.3f * strength) * std::clamp(geometry_.radius / 12, 0.25f, 1.0f);
}

/// True if an edge has an arrow. Loops have none, nor has an edge whose reader is out of view; with
/// very many edges, the faintest have none.
bool GraphMarks::has_arrow(int edge) const {
    const WeightedEdge& read = input_.edges[edge];
    if (read.i == read.j) return false;
    const Point tip = geometry_.curves[edge].to, reader = geometry_.points[read.i];
    const bool is_cut = std::hypot(tip.x - reader.x, tip.y - reader.y) > geometry_.radius + 1;
    return !is_cut && (input_.edges.size() < kManyEdges || edge_strength(edge) > kFaintest);
}

/// Adds the head of the arrow, which takes the last part of the curve; the curve is cut back to its
/// base.
void GraphMarks::add_arrow(Figure& figure, CurveMark& curve, Color color) const {
    const float scale = std::clamp(geometry_.radius / 12, 0.25f, 1.0f);
    const float few = std::min(1.0f, kFewEdges / static_cast<float>(input_.edges.size()));
    const float length = std::max(4.5f + 1.1f * curve.width, kLeastHead * few) * scale;
    const float half = std::max(1.8f + 0.75f * curve.width, kLeastHalf * few) * scale;
    const Point tip = curve.to, way = direction_on(curve, 1);
    const Point base{tip.x - way.x * length, tip.y - way.y * length};
    figure.add(TriangleMark{tip,
                            {base.x - way.y * half, base.y + way.x * half},
                            {base.x + way.y * half, base.y - way.x * half},
                            color});
    cut_back(curve, length * 0.8f);
}

void GraphMarks::add_edge(Figure& figure, int edge, Emphasis emphasis, NodeLook reader) const {
    const float strength = edge_strength(edge);
    const bool is_negative = input_.edges[edge].alpha < 0;
    CurveMark curve = geometry_.curves[edge];
    const Color full = is_negative ? input_.negative_color : input_.color;
    curve.color = edge_color(strength, emphasis, full);
    curve.width = edge_width(strength);
    if (emphasis == Emphasis::Selected) curve.width = std::max(curve.width, 2.0f);
    if (has_arrow(edge)) {
        const CircleMark node = node_circle(input_.edges[edge].i, reader);
        cut_back(curve, std::max(0.0f, node.radius + node.stroke_width / 2 - geometry_.radius));
        add_arrow(figure, curve,
                  edge_color(std::max(strength, kLeastHeadStrength), emphasis, full));
    }
    figure.add(curve);
}

std::span<const float> GraphMarks::node_classes(int node) const {
    const auto n = static_cast<std::size_t>(node);
    if (n >= input_.classes.size()) return {};
    return input_.classes[n];
}

/// Returns the fill of a group, stronger where nodes are so small that little of their colour is
/// seen.
Color GraphMarks::group_fill(int group) const {
    if (geometry_.radius >= kSmallNode || group == 0) return group_color(theme_, group);
    return mixed(theme_.card, head_color(theme_, group), 0.85);
}

/// Returns the mixed colours of the expected classes.
Color GraphMarks::node_color(int node) const {
    if (input_.values)
        return value_color(input_.values->scale, input_.values->values.at(std::size_t(node)));
    const std::span<const float> classes = node_classes(node);
    if (classes.empty()) return group_fill(input_.nodes[node].group);
    Color mix = theme_.card;
    float sum = 0;
    for (std::size_t c = 0; c < classes.size(); ++c) {
        sum += classes[c];
        if (classes[c] > 0)
            mix = mixed(mix, class_color(theme_, static_cast<int>(c)), classes[c] / sum);
    }
    return mix;
}

std::vector<Color> GraphMarks::value_fills() const {
    std::vector<Color> fills;
    for (int node = 0; input_.values && node < static_cast<int>(input_.nodes.size()); ++node)
        fills.push_back(node_color(node));
    return fills;
}

/// True if the node's group, counted from 1, is not the most expected class, counted from 0.
bool GraphMarks::is_surprising(int node) const {
    const std::span<const float> classes = node_classes(node);
    const auto most = std::ranges::max_element(classes) - classes.begin();
    const int group = input_.nodes[node].group;
    return !input_.values && !classes.empty() && group > 0 && most != group - 1;
}

void GraphMarks::add_node(Figure& figure, int node, NodeLook look) const {
    if (geometry_.is_in_view(node)) figure.add(node_circle(node, look));
}

CircleMark GraphMarks::node_circle(int node, NodeLook look) const {
    CircleMark circle{geometry_.points[node], geometry_.radius, node_color(node),
                      theme_.node_border, std::clamp(geometry_.radius / 9, 0.5f, 1.3f)};
    if (geometry_.radius < kSmallNode)
        circle.stroke = mixed(circle.fill, theme_.node_border, kSmallBorder);
    if (look.is_faded) circle.stroke = mixed(theme_.canvas, theme_.node_border, 0.35);
    if (look.is_faded && input_.edges.size() >= kManyEdges)
        circle.fill = mixed(theme_.canvas, circle.fill, background_strength(theme_));
    if (is_surprising(node)) {
        circle.stroke = head_color(theme_, input_.nodes[node].group);
        circle.stroke_width = std::max(1.5f, geometry_.radius / 4);
    }
    if (look.is_hovered) circle.stroke = theme_.accent;
    if (look.is_selected) circle.stroke = theme_.selection;
    if (look.is_hovered || look.is_selected) {
        circle.stroke_width = std::max(1.5f, geometry_.radius / 4.5f);
        circle.radius += geometry_.radius / 6;
    }
    return circle;
}

std::vector<int> GraphFocus::beside_chosen() const {
    std::vector<int> beside;
    for (int node = 0; has_focus && node < static_cast<int>(nodes.size()); ++node) {
        const NodeLook& look = nodes[static_cast<std::size_t>(node)];
        if (!look.is_faded && !look.is_hovered && !look.is_selected) beside.push_back(node);
    }
    return beside;
}

GraphFocus find_focus(const GraphInput& input, const GraphGeometry& geometry,
                      const GraphChoice& choice) {
    GraphFocus focus;
    focus.nodes.resize(input.nodes.size());
    const auto n_nodes = static_cast<int>(input.nodes.size());
    for (const int node : choice.selected_nodes)
        if (node >= 0 && node < n_nodes) focus.has_focus = focus.nodes[node].is_selected = true;
    if (choice.hovered_node && *choice.hovered_node >= 0 && *choice.hovered_node < n_nodes)
        focus.has_focus = focus.nodes[*choice.hovered_node].is_hovered = true;
    const auto is_chosen_node = [&](int node) {
        return focus.nodes[node].is_selected || focus.nodes[node].is_hovered;
    };
    const auto is_drawn = [&](std::optional<int> edge) {
        return edge && *edge >= 0 && std::size_t(*edge) < input.edges.size() &&
               geometry.curves[*edge].width > 0;
    };
    focus.has_focus |= is_drawn(choice.selected_edge) || is_drawn(choice.hovered_edge);
    if (!focus.has_focus) return focus;

    focus.edges.assign(input.edges.size(), Emphasis::Background);
    std::vector<bool> in_focus(input.nodes.size());
    for (int k = 0; k < n_nodes; ++k) in_focus[k] = is_chosen_node(k);
    for (int e = 0; e < static_cast<int>(input.edges.size()); ++e) {
        const WeightedEdge& edge = input.edges[e];
        if (!is_drawn(e)) continue;
        const bool is_chosen = choice.selected_edge == e || choice.hovered_edge == e;
        if (!is_chosen && !is_chosen_node(edge.i) && !is_chosen_node(edge.j)) continue;
        focus.edges[e] = is_chosen ? Emphasis::Selected : Emphasis::Focus;
        in_focus[edge.i] = in_focus[edge.j] = true;
    }
    for (int k = 0; k < n_nodes; ++k) focus.nodes[k].is_faded = !in_focus[k];
    return focus;
}

std::vector<int> drawing_order(const GraphMarks& marks, const GraphFocus& focus,
                               std::size_t n_edges) {
    using Key = std::pair<Emphasis, float>;
    std::vector<std::pair<Key, int>> keyed;
    for (int edge = 0; edge < static_cast<int>(n_edges); ++edge)
        if (marks.is_drawn(edge))
            keyed.push_back({{focus.edge_emphasis(edge), marks.edge_strength(edge)}, edge});
    std::ranges::sort(keyed);
    std::vector<int> order;
    for (const auto& [key, edge] : keyed) order.push_back(edge);
    return order;
}

}  // namespace headlight
