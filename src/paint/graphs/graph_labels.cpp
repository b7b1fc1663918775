// The names of a graph's nodes, inside the circles or beside them.
#include "paint/graphs/graph_labels.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "paint/color.h"
#include "paint/labels.h"

namespace headlight {
namespace {

constexpr float kNameShare = 0.75f;  // of a large node's radius
constexpr float kLargestName = 11, kSmallestInside = 8, kBesideSize = 10.5f;
constexpr float kBesideShare = 0.85f;  // of the radius of a large node: small graphs in a hall
constexpr float kWidestName = 110;
constexpr double kFadedName = 0.78;  // of its colour, beside what is in focus
constexpr float kTile = 32;
constexpr int kMostTries = 2000;  // in a row without room: the picture is full

bool overlap(const Box& a, const Box& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

/// Boxes that are taken, sorted into tiles of the plane so that a test is quick.
class TakenBoxes {
  public:
    bool is_free(const Box& box) const {
        return all_tiles(box, [&](std::int64_t tile) {
            const auto found = tiles_.find(tile);
            return found == tiles_.end() ||
                   std::ranges::none_of(found->second,
                                        [&](const Box& other) { return overlap(box, other); });
        });
    }

    void take(const Box& box) {
        all_tiles(box, [&](std::int64_t tile) {
            tiles_[tile].push_back(box);
            return true;
        });
    }

  private:
    /// Whether `holds` is true for every tile of the box. Stops at the first tile for which it is
    /// false.
    template <class Holds>
    static bool all_tiles(const Box& box, const Holds& holds) {
        const auto tile = [](float at) { return static_cast<int>(std::floor(at / kTile)); };
        for (int y = tile(box.y); y <= tile(box.bottom()); ++y)
            for (int x = tile(box.x); x <= tile(box.right()); ++x)
                if (!holds(static_cast<std::int64_t>(y) * 1000003 + x)) return false;
        return true;
    }

    std::unordered_map<std::int64_t, std::vector<Box>> tiles_;
};

struct Inks {
    const Theme& theme;
    const MeasureText& measure;
};

float inside_size(const NodeNames& names, const MeasureText& measure) {
    const float room = 2 * names.geometry.radius - 4;
    const float largest = std::max(kLargestName, kNameShare * names.geometry.radius);
    float size = names.size.value_or(std::min(largest, 1.05f * names.geometry.radius));
    const float smallest = names.size.value_or(kSmallestInside);
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
    return is_faded ? mixed(theme.canvas, theme.text, kFadedName) : theme.text;
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

/// Under, over, right, left of the node: the first box that is inside the picture and free.
std::optional<Box> free_box(const NodeNames& names, int node, float width,
                            const TakenBoxes& taken) {
    const Point at = names.geometry.points[node];
    const float height = beside_size(names) * 1.2f, gap = names.geometry.radius + 3;
    for (const Box& box : {Box{at.x - width / 2, at.y + gap, width, height},
                           Box{at.x - width / 2, at.y - gap - height, width, height},
                           Box{at.x + gap, at.y - height / 2, width, height},
                           Box{at.x - gap - width, at.y - height / 2, width, height}}) {
        const bool is_inside = box.x >= names.box.x && box.right() <= names.box.right() &&
                               box.y >= names.box.y && box.bottom() <= names.box.bottom();
        if (is_inside && taken.is_free(box)) return box;
    }
    return std::nullopt;
}

/// Adds the names for which there is room, in that order; returns how many.
Index add_beside(Figure& figure, const NodeNames& names, const std::vector<int>& order,
                 TakenBoxes& taken, const Inks& inks) {
    const auto& [theme, measure] = inks;
    const float size = beside_size(names);
    Index n_named = 0;
    int n_tries = 0;
    for (const int node : order) {
        if (n_tries > kMostTries) break;
        if (!names.geometry.is_in_view(node)) continue;
        ++n_tries;
        TextMark mark{{}, names.nodes[node].name, size, name_color(names, node, theme)};
        mark.align = Align::Middle;
        shorten(mark, kWidestName * size / kBesideSize, measure);
        const float width = measure(mark.text, mark.size, mark.font);
        const auto box = free_box(names, node, width, taken);
        if (!box) continue;
        n_tries = 0;
        ++n_named;
        taken.take(*box);
        figure.add(RectMark{*box, faded(theme.canvas, 0.72), {0, 0, 0, 0}, 0, 3});
        mark.at = {box->center().x, box->y + size * 0.95f};
        figure.add(std::move(mark));
    }
    return n_named;
}

TakenBoxes nodes_in_view(const NodeNames& names) {
    TakenBoxes taken;
    const float r = names.geometry.radius;
    for (int k = 0; k < static_cast<int>(names.nodes.size()); ++k) {
        const Point p = names.geometry.points[k];
        if (names.geometry.is_in_view(k)) taken.take({p.x - r, p.y - r, 2 * r, 2 * r});
    }
    return taken;
}

}  // namespace

void add_node_names(Figure& figure, const NodeNames& names, const Theme& theme,
                    const MeasureText& measure) {
    const float size = inside_size(names, measure);
    if (size > 0) return add_inside(figure, names, size, theme);
    TakenBoxes taken = nodes_in_view(names);
    const Index n_named = add_beside(figure, names, naming_order(names), taken, {theme, measure});
    const auto n_seen = static_cast<Index>(names.geometry.nodes_in(names.geometry.plot).size());
    figure.leave_out({"names", n_seen - n_named, n_seen});
}

void add_important_names(Figure& figure, const NodeNames& names, const Theme& theme,
                         const MeasureText& measure) {
    TakenBoxes taken;
    add_beside(figure, names, names.important, taken, {theme, measure});
}

}  // namespace headlight
