// The names of a graph's nodes, inside the circles or beside them.
#include "paint/graphs/graph_labels.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "paint/color.h"
#include "paint/labels.h"

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

}  // namespace headlight
