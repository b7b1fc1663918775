// The texts of a graph's picture: the names of its nodes, and its legend.
#include "figure/graphs/graph_labels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <map>
#include <numeric>
#include <unordered_map>

#include "figure/color.h"
#include "figure/color_scale.h"
#include "figure/graphs/graph_marks.h"
#include "figure/labels.h"
#include "figure/number_format.h"

namespace headlight {

bool overlap(const Box& a, const Box& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

namespace {

constexpr float kNameShare = 0.75f;  // of a large node's radius
constexpr float kLargestName = 11, kSmallestInside = 8, kLeastInside = 5.8f, kBesideSize = 10.5f;
constexpr float kBesideShare = 0.85f;  // of the radius of a large node: small graphs in a hall
constexpr float kWidestName = 110;
constexpr double kFadedName = 0.78;                  // of its colour, beside nodes in focus
constexpr float kNameGap = 3, kOtherGap = 6;         // to its own node, and to any other
constexpr float kCorner = 0.6f;                      // of the gap, both ways
constexpr float kNameLineHeight = 1.2f;              // of the size of a name
constexpr float kSmaller[] = {1, 0.9f, 0.8f, 0.7f};  // for crowded names
constexpr std::size_t kMostResized = 200;
constexpr float kTile = 32;
constexpr int kMostTries = 2000;  // in a row without room: the picture is full

/// Boxes that are taken, sorted into tiles of the plane so that a test is quick.
class TakenBoxes {
  public:
    /// True if the box overlaps no boxes, except those of `owner`.
    bool is_free(const Box& box, int owner) const {
        return all_tiles(box, [&](std::int64_t tile) {
            const auto found = tiles_.find(tile);
            return found == tiles_.end() ||
                   std::ranges::none_of(found->second, [&](const Taken& other) {
                       return other.owner != owner && overlap(box, other.box);
                   });
        });
    }

    void take(const Box& box, int owner) {
        all_tiles(box, [&](std::int64_t tile) {
            tiles_[tile].push_back({box, owner});
            return true;
        });
    }

  private:
    struct Taken {
        Box box;
        int owner;  // a node
    };

    /// True if `holds` is true for every tile of the box. Stops at the first tile for which it is
    /// false.
    template <class Holds>
    static bool all_tiles(const Box& box, const Holds& holds) {
        const auto tile = [](float at) { return static_cast<int>(std::floor(at / kTile)); };
        for (int y = tile(box.y); y <= tile(box.bottom()); ++y)
            for (int x = tile(box.x); x <= tile(box.right()); ++x)
                if (!holds(static_cast<std::int64_t>(y) * 1000003 + x)) return false;
        return true;
    }

    std::unordered_map<std::int64_t, std::vector<Taken>> tiles_;
};

/// The places that names must avoid.
struct TakenPlaces {
    TakenBoxes names, nodes;
};

/// A name beside its node.
struct PlacedName {
    TextMark text;
    Box box;
    int node;
};

/// Returns the size in which every name has room in its circle; 0 if it is less than `smallest`.
float inside_size(const NodeNames& names, float smallest, const MeasureText& measure) {
    const float room = 2 * names.geometry.radius - 4;
    const float largest = std::max(kLargestName, kNameShare * names.geometry.radius);
    float size = names.size.value_or(std::min(largest, 1.05f * names.geometry.radius));
    for (int k = 0; k < static_cast<int>(names.nodes.size()); ++k) {
        if (!names.geometry.is_in_view(k)) continue;
        const float width = measure(names.nodes[k].name, size, Font::Regular);
        if (width > room) size *= room / width;
        if (size < smallest) return 0;
    }
    return size;
}

Color name_color(const NodeNames& names, int node, const Theme& theme) {
    const bool is_faded = std::binary_search(names.faded.begin(), names.faded.end(), node);
    return is_faded ? faded_name(theme) : theme.text;
}

void add_inside(Figure& figure, const NodeNames& names, float size, const Theme& theme) {
    for (int k = 0; k < static_cast<int>(names.nodes.size()); ++k) {
        const Point at = names.geometry.points[k];
        if (!names.geometry.is_in_view(k)) continue;
        figure.add(TextMark{
            {at.x, at.y + size * kMiddleShift},
            names.nodes[k].name,
            size,
            names.fills.empty() ? name_color(names, k, theme) : text_on(theme, names.fills[k]),
            Font::Regular,
            Align::Middle});
    }
}

std::vector<int> naming_order(const NodeNames& names) {
    std::vector<int> order = names.important;
    std::vector<bool> listed(names.nodes.size(), false);
    for (int node : order) listed[node] = true;
    for (int k = 0; k < static_cast<int>(names.nodes.size()); ++k)
        if (!listed[k]) order.push_back(k);
    return order;
}

float beside_size(const NodeNames& names) {
    return names.size.value_or(std::max(kBesideSize, kBesideShare * names.geometry.radius));
}

/// Tries boxes under, over, right, left of the node, and at its corners. Returns the first that is
/// inside the picture, free, and much nearer to the node than to any other.
std::optional<Box> free_box(const NodeNames& names, int node, Point size,
                            const TakenPlaces& taken) {
    const Point at = names.geometry.points[node];
    const float gap = names.geometry.radius + kNameGap, corner = gap * kCorner;
    const float left = at.x - size.x, over = at.y - size.y;
    for (const Point p :
         {Point{at.x - size.x / 2, at.y + gap}, Point{at.x - size.x / 2, over - gap},
          Point{at.x + gap, at.y - size.y / 2}, Point{left - gap, at.y - size.y / 2},
          Point{at.x + corner, at.y + corner}, Point{at.x + corner, over - corner},
          Point{left - corner, at.y + corner}, Point{left - corner, over - corner}}) {
        const Box box{p.x, p.y, size.x, size.y};
        const Box around{p.x - kOtherGap, p.y - kOtherGap, size.x + 2 * kOtherGap,
                         size.y + 2 * kOtherGap};
        const bool is_inside = box.x >= names.box.x && box.right() <= names.box.right() &&
                               box.y >= names.box.y && box.bottom() <= names.box.bottom();
        if (is_inside && taken.names.is_free(box, -1) && taken.nodes.is_free(around, node))
            return box;
    }
    return std::nullopt;
}

/// Places the names for which there is room, in that order.
std::vector<PlacedName> place_beside(const NodeNames& names, const std::vector<int>& order,
                                     float size, TakenPlaces taken, const MeasureText& measure) {
    std::vector<PlacedName> placed;
    int n_tries = 0;
    for (const int node : order) {
        if (n_tries > kMostTries) break;
        if (!names.geometry.is_in_view(node)) continue;
        ++n_tries;
        TextMark mark{{}, names.nodes[node].name, size};
        mark.align = Align::Middle;
        shorten(mark, kWidestName * size / kBesideSize, measure);
        const float width = measure(mark.text, mark.size, mark.font);
        const auto box = free_box(names, node, {width, size * kNameLineHeight}, taken);
        if (!box) continue;
        n_tries = 0;
        taken.names.take(*box, node);
        mark.at = {box->center().x, box->y + size * 0.95f};
        placed.push_back({std::move(mark), *box, node});
    }
    return placed;
}

/// Places names in the largest size in which all of a few names have room, else in the one in which
/// most have.
std::vector<PlacedName> place_smaller(const NodeNames& names, const std::vector<int>& order,
                                      const TakenPlaces& taken, const MeasureText& measure) {
    const std::size_t n_seen = names.geometry.nodes_in(names.geometry.plot).size();
    std::vector<PlacedName> best;
    for (const float share : kSmaller) {
        std::vector<PlacedName> placed =
            place_beside(names, order, share * beside_size(names), taken, measure);
        if (placed.size() > best.size()) best = std::move(placed);
        if (names.size || best.size() >= n_seen || n_seen > kMostResized) break;
    }
    return best;
}

void add_placed(Figure& figure, const NodeNames& names, std::vector<PlacedName> placed,
                const Theme& theme) {
    for (PlacedName& name : placed) {
        figure.add(RectMark{name.box, faded(theme.canvas, 0.72), {0, 0, 0, 0}, 0, 3});
        name.text.color = name_color(names, name.node, theme);
        figure.add(std::move(name.text));
    }
}

TakenPlaces nodes_in_view(const NodeNames& names) {
    TakenPlaces taken;
    const float r = names.geometry.radius;
    for (int k = 0; k < static_cast<int>(names.nodes.size()); ++k) {
        const Point p = names.geometry.points[k];
        if (names.geometry.is_in_view(k)) taken.nodes.take({p.x - r, p.y - r, 2 * r, 2 * r}, k);
    }
    return taken;
}

}  // namespace

Color faded_name(const Theme& theme) {
    return mixed(theme.canvas, theme.text, kFadedName);
}

void add_node_names(Figure& figure, const NodeNames& names, const Theme& theme,
                    const MeasureText& measure) {
    const float size = inside_size(names, names.size.value_or(kSmallestInside), measure);
    if (size > 0) return add_inside(figure, names, size, theme);
    std::vector<PlacedName> placed =
        place_smaller(names, naming_order(names), nodes_in_view(names), measure);
    const auto n_seen = static_cast<Index>(names.geometry.nodes_in(names.geometry.plot).size());
    const bool is_crowded = std::ssize(placed) < n_seen && !names.size;
    const float small = is_crowded ? inside_size(names, kLeastInside, measure) : 0;
    if (small > 0) return add_inside(figure, names, small, theme);
    figure.leave_out({"names", n_seen - std::ssize(placed), n_seen});
    add_placed(figure, names, std::move(placed), theme);
}

void add_important_names(Figure& figure, const NodeNames& names, const Theme& theme,
                         const MeasureText& measure) {
    add_placed(figure, names, place_beside(names, names.important, beside_size(names), {}, measure),
               theme);
}

namespace {

constexpr float kLegendRow = 26, kNextLegendRow = 20;
constexpr float kLegendText = 11;
constexpr float kLegendTextGap = 12, kLegendDot = 14;    // between texts; of a dot before its text
constexpr float kWideLegend = 420, kNarrowLegend = 360;  // widths for four weights, and three
constexpr int kBarSteps = 24;                            // of the bar of a colour scale

/// A colour of nodes, its meaning, and the number of nodes that have it.
struct NodeKind {
    std::string name;
    Color color;
    int count = 0;
};

bool has_node_row(const GraphInput& input) {
    return input.values || !input.classes.empty() ||
           std::ranges::any_of(input.nodes, [](const Node& node) { return node.group > 0; });
}

class GraphLegend {
  public:
    GraphLegend(Figure& figure, const GraphInput& input, const GraphGeometry& geometry,
                const Theme& theme, const MeasureText& measure)
        : figure_(figure),
          input_(input),
          geometry_(geometry),
          marks_(input, theme, geometry),
          theme_(theme),
          measure_(measure) {}

    void add() {
        y_ = input_.box.bottom() - graph_legend_height(input_) + kLegendRow / 2;
        std::vector<std::string> notes = input_.notes;
        if (!input_.view.is_whole()) notes.push_back(zoom_note());
        for (const std::string& note : notes) {
            begin_row();
            add_text(note, theme_.text);
            y_ += kNextLegendRow;
        }
        if (!input_.edges.empty()) {
            begin_row();
            add_edges();
            y_ += kNextLegendRow;
        }
        if (!has_node_row(input_)) return;
        begin_row();
        input_.values ? add_values() : add_kinds();
    }

  private:
    void begin_row() { x_ = input_.box.x + 12; }
    /// Writes "2.5 times larger: 12 of 34 nodes in view".
    std::string zoom_note() const {
        std::size_t n_seen = 0;
        for (int k = 0; k < static_cast<int>(input_.nodes.size()); ++k)
            if (geometry_.is_in_view(k)) ++n_seen;
        return fmt::format("{} times larger: {} of {} nodes in view",
                           format_value(static_cast<Scalar>(input_.view.zoom), 2), n_seen,
                           input_.nodes.size());
    }

    float measure_width(const std::string& text) const {
        return measure_(text, kLegendText, Font::Regular);
    }
    bool has_room(float width) const { return x_ + width < input_.box.right() - 4; }

    void add_text(const std::string& text, Color color, Font font = Font::Regular) {
        figure_.add(TextMark{{x_, y_ + 4}, text, kLegendText, color, font});
        x_ += measure_(text, kLegendText, font) + kLegendTextGap;
    }

    /// Adds the first text for which there is room.
    void add_longest(std::initializer_list<const char*> texts) {
        for (const char* text : texts)
            if (has_room(measure_width(text))) return add_text(text, theme_.muted);
    }

    /// Returns as many sample weights as there is room for.
    std::vector<float> samples() const {
        // A wide legend has words beside the weights.
        const bool is_wide = input_.box.width > kWideLegend;
        const bool is_signed = std::ranges::any_of(
            input_.edges, [](const WeightedEdge& edge) { return edge.alpha < 0; });
        if (is_signed)
            return is_wide ? std::vector<float>{-1, -0.5f, 0.5f, 1} : std::vector<float>{-1, 1};
        if (!is_wide && input_.box.width > kNarrowLegend) return {0.05f, 0.25f, 1};
        return is_wide ? std::vector<float>{0.05f, 0.25f, 0.5f, 1} : std::vector<float>{0.25f, 1};
    }

    void add_edges() {
        add_text(input_.symbol, theme_.muted, Font::Math);
        for (const float sample : samples()) {
            const float strength = std::abs(sample);
            const Color full = sample < 0 ? input_.negative_color : input_.color;
            figure_.add(LineMark{{x_, y_},
                                 {x_ + 26, y_},
                                 marks_.edge_color(strength, Emphasis::Plain, full),
                                 marks_.edge_width(strength)});
            x_ += 32;
            add_text(format_value(static_cast<Scalar>(sample) * input_.full, 2), theme_.muted);
        }
        add_longest({"arrow: from the node that is read to its reader", "arrow: to the reader"});
    }

    /// Adds a bar of the colours between the numbers of its ends.
    void add_values() {
        const NodeValues& values = *input_.values;
        const float bar = std::min(120.0f, input_.box.width / 4), step = bar / kBarSteps;
        add_text(format_value(values.scale.low, 3), theme_.muted);
        for (int k = 0; k < kBarSteps; ++k) {
            const Scalar share = (Scalar(k) + Scalar(0.5)) / kBarSteps;
            const Scalar value = values.scale.low + share * (values.scale.high - values.scale.low);
            figure_.add(RectMark{{x_ + static_cast<float>(k) * step, y_ - 5, step + 0.5f, 10},
                                 value_color(values.scale, value)});
        }
        x_ += bar + 8;
        add_text(format_value(values.scale.high, 3), theme_.muted);
        if (has_room(measure_width("nodes: " + values.name)))
            add_text("nodes: " + values.name, theme_.muted);
    }

    std::vector<NodeKind> kinds() const {
        std::map<int, NodeKind> kinds;
        const bool is_expected = !input_.classes.empty();
        for (int k = 0; k < static_cast<int>(input_.nodes.size()); ++k) {
            const std::span<const float> classes = marks_.node_classes(k);
            const int group = input_.nodes[static_cast<std::size_t>(k)].group;
            const int kind =
                is_expected ? static_cast<int>(std::ranges::max_element(classes) - classes.begin())
                            : group;
            ++kinds[kind].count;
        }
        std::vector<NodeKind> found;
        for (auto& [kind, counted] : kinds) {
            counted.name = std::string(is_expected ? "class " : "group ") + std::to_string(kind);
            counted.color = is_expected ? class_color(theme_, kind) : marks_.group_fill(kind);
            found.push_back(std::move(counted));
        }
        return found;
    }

    /// The text of a kind: its name, and perhaps the number of its nodes.
    enum class Says { Count, Name };
    static std::string words(const NodeKind& kind, Says says) {
        return kind.name + (says == Says::Count ? fmt::format(": {}", kind.count) : "");
    }

    /// True if all kinds have room after a heading of that width.
    bool have_room(const std::vector<NodeKind>& all, float heading, Says says) const {
        float width = heading;
        for (const NodeKind& kind : all)
            width += kLegendDot + measure_width(words(kind, says)) + kLegendTextGap;
        return has_room(width - kLegendTextGap);
    }

    void add_kinds() {
        const std::vector<NodeKind> all = kinds();
        const float heading = measure_width("nodes of") + kLegendTextGap;
        const bool has_heading =
            have_room(all, heading, Says::Count) || !have_room(all, 0, Says::Name);
        const Says says = has_heading || have_room(all, 0, Says::Count) ? Says::Count : Says::Name;
        if (has_heading &&
            !has_room(heading + kLegendDot + measure_width(words(all.front(), Says::Count))))
            return add_kind_count(all.size());
        if (has_heading) add_text("nodes of", theme_.muted);
        const float more_width = measure_width("and 999 more") + 8;
        for (std::size_t k = 0; k < all.size(); ++k) {
            const float reserved = has_heading && k > 0 && k + 1 < all.size() ? more_width : 0;
            if (!has_room(kLegendDot + measure_width(words(all[k], says)) + reserved))
                return add_text(fmt::format("and {} more", all.size() - k), theme_.muted);
            figure_.add(CircleMark{{x_ + 5, y_}, 5, all[k].color, theme_.node_border, 0.8f});
            x_ += kLegendDot;
            add_text(words(all[k], says), theme_.muted);
        }
        if (!input_.classes.empty())
            add_longest({"fill: class predicted; ring: the true one", "fill: predicted; ring: true",
                         "fill: predicted"});
    }

    /// Adds the number of kinds where not even one of them has room.
    void add_kind_count(std::size_t n_kinds) {
        const std::string kind = input_.classes.empty() ? "group" : "class";
        const std::string many = input_.classes.empty() ? "groups" : "classes";
        const std::string count =
            fmt::format("nodes of {} {}", n_kinds, n_kinds == 1 ? kind : many);
        if (has_room(measure_width(count))) add_text(count, theme_.muted);
    }

    Figure& figure_;
    const GraphInput& input_;
    const GraphGeometry& geometry_;
    const GraphMarks marks_;
    const Theme& theme_;
    const MeasureText& measure_;
    float x_ = 0, y_ = 0;
};

}  // namespace

float graph_legend_height(const GraphInput& input) {
    const auto n_rows = static_cast<float>(input.notes.size()) + (has_node_row(input) ? 1 : 0) +
                        (input.view.is_whole() ? 0 : 1);
    return kLegendRow + n_rows * kNextLegendRow;
}

void add_graph_legend(Figure& figure, const GraphInput& input, const GraphGeometry& geometry,
                      const Theme& theme, const MeasureText& measure) {
    const bool has_room =
        input.box.width > 180 && input.box.height > 3 * graph_legend_height(input);
    const bool has_content = !input.edges.empty() || !input.notes.empty() || has_node_row(input);
    if (has_content && has_room) GraphLegend(figure, input, geometry, theme, measure).add();
}

}  // namespace headlight
