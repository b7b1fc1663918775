#include "paint/graphs/graph_marks.h"

#include <algorithm>
#include <cmath>

#include "paint/color.h"
#include "paint/color_scale.h"
#include "paint/curve.h"

namespace headlight {
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
    const ReadEdge& read = input_.edges[edge];
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

}  // namespace headlight
