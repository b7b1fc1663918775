// A graph with the attention of one head on its edges.
#include "paint/figures/graph_figure.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numeric>

#include "paint/color.h"
#include "paint/curve.h"
#include "paint/figures/graph_labels.h"
#include "paint/number_format.h"

namespace headlight {
namespace {

constexpr double kBackground = 0.5;  // strength of what is not in focus
constexpr std::size_t kManyEdges = 3000;
constexpr float kFaintest = 0.02f;  // with many edges, thinner ones have no arrow

enum class Emphasis { Plain, Background, Focus, Selected };

class GraphDrawing {
  public:
    GraphDrawing(const GraphInput& input, const Theme& theme, const MeasureText& measure)
        : input_(input), theme_(theme), measure_(measure), geometry_(graph_geometry(input)) {
        figure_.width = input.box.right();
        figure_.height = input.box.bottom();
    }

    GraphFigure paint() {
        find_focus();
        add_edges();
        for (int node = 0; node < static_cast<int>(input_.nodes.size()); ++node) add_node(node);
        add_node_names(figure_, name_request(), theme_, measure_);
        add_legend();
        return {std::move(figure_), std::move(geometry_)};
    }

  private:
    /// How strong an edge is, 0 … 1, whatever its sign.
    float edge_alpha(const ReadEdge& edge) const {
        const auto alpha = std::abs(static_cast<float>(edge.alpha / input_.full));
        return std::isfinite(alpha) ? std::min(alpha, 1.0f) : 0;
    }

    bool exists(const std::optional<int>& node) const {
        return node && *node >= 0 && *node < static_cast<int>(input_.nodes.size());
    }

    bool is_drawn(int edge) const { return geometry_.curves[edge].width > 0; }

    bool is_chosen_edge(int edge) const {
        return input_.selected_edge == edge || input_.hovered_edge == edge;
    }

    bool is_selected_node(int node) const {
        const std::vector<int>& nodes = input_.selected_nodes;
        return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
    }

    bool is_chosen_node(int node) const {
        return is_selected_node(node) || input_.hovered_node == node;
    }

    /// What is in focus: the chosen edges, all edges at the chosen nodes, and their ends.
    void find_focus() {
        const int edges = static_cast<int>(input_.edges.size());
        edge_in_focus_.resize(edges, false);
        node_in_focus_.resize(input_.nodes.size(), false);
        std::vector<std::optional<int>> chosen(input_.selected_nodes.begin(),
                                               input_.selected_nodes.end());
        chosen.push_back(input_.hovered_node);
        for (const auto& node : chosen) {
            if (!exists(node)) continue;
            node_in_focus_[*node] = true;
            has_focus_ = true;
        }
        for (int k = 0; k < edges; ++k) {
            const ReadEdge& edge = input_.edges[k];
            if (!is_drawn(k)) continue;
            if (!is_chosen_edge(k) && !is_chosen_node(edge.i) && !is_chosen_node(edge.j)) continue;
            edge_in_focus_[k] = node_in_focus_[edge.i] = node_in_focus_[edge.j] = true;
            has_focus_ = true;
        }
    }

    Emphasis edge_emphasis(int edge) const {
        if (is_chosen_edge(edge)) return Emphasis::Selected;
        if (!has_focus_) return Emphasis::Plain;
        return edge_in_focus_[edge] ? Emphasis::Focus : Emphasis::Background;
    }

    void add_edges() {
        std::vector<int> order(input_.edges.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            const auto ea = edge_emphasis(a), eb = edge_emphasis(b);
            if (ea != eb) return ea < eb;
            return edge_alpha(input_.edges[a]) < edge_alpha(input_.edges[b]);
        });
        for (int edge : order)
            if (is_drawn(edge)) add_edge(edge);
    }

    /// Pale towards the background for a small α, the head's own colour from 0.6 on.
    Color edge_color(float alpha, Emphasis emphasis, Color full) const {
        if (emphasis == Emphasis::Selected) return theme_.selection;
        const double least = emphasis == Emphasis::Focus ? 0.5 : 0.28;
        const double strength = least + (1 - least) * std::min(1.0f, alpha / 0.6f);
        const Color color = mixed(theme_.canvas, full, strength);
        return emphasis == Emphasis::Background ? mixed(theme_.canvas, color, kBackground) : color;
    }

    void add_edge(int edge) {
        const float alpha = edge_alpha(input_.edges[edge]);
        const Emphasis emphasis = edge_emphasis(edge);
        const float scale = std::clamp(geometry_.radius / 12, 0.25f, 1.0f);
        CurveMark curve = geometry_.curves[edge];
        const bool is_negative = input_.edges[edge].alpha < 0;
        curve.color =
            edge_color(alpha, emphasis, is_negative ? input_.negative_color : input_.color);
        curve.width = edge_width(alpha);
        if (emphasis == Emphasis::Selected) curve.width = std::max(curve.width, 2.0f);
        if (has_arrow(edge)) add_arrow(curve, scale);
        figure_.add(curve);
    }

    /// As many as there is room for.
    enum class Weights { Positive, Signed };
    std::vector<float> legend_samples(Weights weights) const {
        const bool is_wide = input_.box.width > 290;
        if (weights == Weights::Signed)
            return is_wide ? std::vector<float>{-1, -0.5f, 0.5f, 1} : std::vector<float>{-1, 1};
        return is_wide ? std::vector<float>{0.05f, 0.25f, 0.5f, 1} : std::vector<float>{0.25f, 1};
    }

    /// What width and colour mean, at the bottom left.
    void add_legend() {
        const bool has_room = input_.box.width > 180 && input_.box.height > 3 * kGraphLegendHeight;
        if (input_.edges.empty() || !has_room) return;
        const float y = input_.box.bottom() - kGraphLegendHeight / 2;
        float x = input_.box.x + 12;
        const auto add_text = [&](const std::string& text, Font font) {
            figure_.add(TextMark{{x, y + 4}, text, 11, theme_.muted, font});
            x += measure_(text, 11, font) + 12;
        };
        const auto add_sample = [&](float alpha, Color full) {
            const float strength = std::abs(alpha);
            figure_.add(LineMark{{x, y},
                                 {x + 26, y},
                                 edge_color(strength, Emphasis::Plain, full),
                                 edge_width(strength)});
            x += 32;
            add_text(format_value(static_cast<Scalar>(alpha) * input_.full, 2), Font::Regular);
        };
        add_text(input_.symbol, Font::Math);
        const bool is_signed = std::any_of(input_.edges.begin(), input_.edges.end(),
                                           [](const ReadEdge& edge) { return edge.alpha < 0; });
        for (const float alpha : legend_samples(is_signed ? Weights::Signed : Weights::Positive))
            add_sample(alpha, alpha < 0 ? input_.negative_color : input_.color);
        const auto add_longest = [&](std::initializer_list<const char*> texts) {
            for (const char* text : texts)
                if (x + measure_(text, 11, Font::Regular) < input_.box.right())
                    return add_text(text, Font::Regular);
        };
        if (!input_.classes.empty())
            add_longest({"fill: class predicted; ring: the true one", "fill: predicted; ring: true",
                         "fill: predicted"});
        add_longest({"arrow: from the node that is read to its reader", "arrow: to the reader"});
    }

    float edge_width(float alpha) const {
        return (0.7f + 6.3f * alpha) * std::clamp(geometry_.radius / 12, 0.25f, 1.0f);
    }

    /// Loops need none; of very many edges, the faintest go without.
    bool has_arrow(int edge) const {
        const ReadEdge& read = input_.edges[edge];
        if (read.i == read.j) return false;
        return input_.edges.size() < kManyEdges || edge_alpha(read) > kFaintest;
    }

    /// The head of the arrow takes the last part of the curve, which is cut back to its base.
    void add_arrow(CurveMark& curve, float scale) {
        const float length = (4.5f + 1.1f * curve.width) * scale;
        const float half = (1.8f + 0.75f * curve.width) * scale;
        const Point tip = curve.to, way = direction_on(curve, 1);
        const Point base{tip.x - way.x * length, tip.y - way.y * length};
        figure_.add(TriangleMark{tip,
                                 {base.x - way.y * half, base.y + way.x * half},
                                 {base.x + way.y * half, base.y - way.x * half},
                                 curve.color});
        const float back = length * 0.8f;
        curve.to = {tip.x - way.x * back, tip.y - way.y * back};
        curve.control_2 = {curve.control_2.x - way.x * back, curve.control_2.y - way.y * back};
    }

    bool is_faded(int node) const { return has_focus_ && !node_in_focus_[node]; }

    /// Empty if nothing is expected of the node.
    std::span<const float> expected(int node) const {
        const auto n = static_cast<std::size_t>(node);
        if (n >= input_.classes.size()) return {};
        return input_.classes[n];
    }

    /// The classes that are expected, mixed.
    Color node_color(int node) const {
        const std::span<const float> classes = expected(node);
        if (classes.empty()) return group_color(theme_, input_.nodes[node].group);
        Color mix = theme_.card;
        float sum = 0;
        for (std::size_t c = 0; c < classes.size(); ++c) {
            sum += classes[c];
            if (classes[c] > 0)
                mix = mixed(mix, class_color(theme_, static_cast<int>(c)), classes[c] / sum);
        }
        return mix;
    }

    /// Its group, from 1, is not the class that is expected most, from 0.
    bool is_surprising(int node) const {
        const std::span<const float> classes = expected(node);
        const auto most = std::ranges::max_element(classes) - classes.begin();
        const int group = input_.nodes[node].group;
        return !classes.empty() && group > 0 && most != group - 1;
    }

    void add_node(int node) {
        CircleMark circle{geometry_.points[node], geometry_.radius, node_color(node),
                          theme_.node_border, std::clamp(geometry_.radius / 9, 0.5f, 1.3f)};
        if (is_faded(node)) circle.stroke = mixed(theme_.canvas, theme_.node_border, 0.35);
        if (is_surprising(node)) {
            circle.stroke = head_color(theme_, input_.nodes[node].group);
            circle.stroke_width = std::max(1.5f, geometry_.radius / 4);
        }
        if (input_.hovered_node == node) circle.stroke = theme_.accent;
        if (is_selected_node(node)) circle.stroke = theme_.selection;
        if (is_chosen_node(node)) {
            circle.stroke_width = std::max(1.5f, geometry_.radius / 4.5f);
            circle.radius += geometry_.radius / 6;
        }
        figure_.add(circle);
    }

    NodeNames name_request() const {
        NodeNames names{input_.nodes, geometry_, {}, {}, input_.box, input_.label_size};
        for (int node = 0; node < static_cast<int>(input_.nodes.size()); ++node) {
            if (is_faded(node)) names.faded.push_back(node);
            if (is_chosen_node(node)) names.important.push_back(node);
        }
        for (int node = 0; node < static_cast<int>(input_.nodes.size()); ++node)
            if (has_focus_ && node_in_focus_[node] && !is_chosen_node(node))
                names.important.push_back(node);
        return names;
    }

    const GraphInput& input_;
    const Theme& theme_;
    const MeasureText& measure_;
    GraphGeometry geometry_;
    std::vector<bool> edge_in_focus_, node_in_focus_;
    bool has_focus_ = false;
    Figure figure_;
};

}  // namespace

GraphFigure graph_figure(const GraphInput& input, const Theme& theme, const MeasureText& measure) {
    return GraphDrawing(input, theme, measure).paint();
}

}  // namespace headlight
