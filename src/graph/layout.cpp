// Layout: each connected component by stress, the components packed on shelves, all of it fitted.
#include "graph/layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph/communities.h"
#include "graph/stress.h"

namespace headlight {
namespace {

constexpr double kMargin = 0.04;       // of the unit square, on each side
constexpr double kMaxStretch = 1.3;    // most widening of one direction to fill the plane
constexpr double kComponentGap = 1.0;  // in mean edge lengths, as are all lengths below
constexpr int kNumberOfTries = 12;     // the one with the fewest crossings is kept
constexpr std::size_t kMaxEdgesForTries = 400;
constexpr std::size_t kLeastForCommunities = 500;
constexpr double kAboveChance = 0.15;  // modularity that communities must have
constexpr int kStepBetween = 28;       // length of a step between two communities

/// A function that is told which share of some work is done.
using Passed = std::function<void(double share)>;

/// A connected component: its nodes, and places for them in a box that begins at 0, 0.
struct ConnectedPart {
    std::vector<int> nodes;
    std::vector<Place> places;
    double width = 0, height = 0;
};

Neighbours find_neighbours(const Graph& graph) {
    Neighbours neighbours(graph.nodes.size());
    for (const Edge& edge : graph.edges) {
        if (edge.source == edge.target) continue;
        neighbours[edge.source].push_back(edge.target);
        neighbours[edge.target].push_back(edge.source);
    }
    for (auto& nodes : neighbours) {  // a directed graph may have both directions
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    }
    return neighbours;
}

std::vector<ConnectedPart> connected_components(const Neighbours& neighbours) {
    std::vector<ConnectedPart> components;
    std::vector<bool> is_found(neighbours.size());
    for (std::size_t first = 0; first < neighbours.size(); ++first) {
        if (is_found[first]) continue;
        is_found[first] = true;
        std::vector<int> nodes{static_cast<int>(first)};
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            for (const int next : neighbours[nodes[k]]) {
                if (is_found[next]) continue;
                is_found[next] = true;
                nodes.push_back(next);
            }
        }
        std::sort(nodes.begin(), nodes.end());
        components.push_back({std::move(nodes), {}, 0, 0});
    }
    return components;
}

/// Returns the component's own neighbours, with its nodes counted from 0. `position` has room for
/// every node of the graph.
Neighbours neighbours_within(const ConnectedPart& component, const Neighbours& neighbours,
                             std::vector<int>& position) {
    for (std::size_t k = 0; k < component.nodes.size(); ++k)
        position[component.nodes[k]] = static_cast<int>(k);
    Neighbours within(component.nodes.size());
    for (std::size_t k = 0; k < component.nodes.size(); ++k)
        for (const int next : neighbours[component.nodes[k]]) within[k].push_back(position[next]);
    return within;
}

/// True if c is on the left side of the line a → b.
bool is_left(Place a, Place b, Place c) {
    return (b.x - a.x) * (c.y - a.y) > (b.y - a.y) * (c.x - a.x);
}

int count_crossings(const std::vector<Edge>& edges, const std::vector<Place>& places) {
    int n_crossings = 0;
    for (std::size_t k = 0; k < edges.size(); ++k) {
        const int a = edges[k].source, b = edges[k].target;
        for (std::size_t l = 0; l < k; ++l) {
            const int c = edges[l].source, d = edges[l].target;
            if (a == c || a == d || b == c || b == d) continue;
            const Place pa = places[a], pb = places[b], pc = places[c], pd = places[d];
            n_crossings += is_left(pa, pb, pc) != is_left(pa, pb, pd) &&
                           is_left(pc, pd, pa) != is_left(pc, pd, pb);
        }
    }
    return n_crossings;
}

/// Returns longer steps between communities, if everything is few steps from everything: distances
/// say little then, and the communities show, if there are some. A mesh or a tree keeps its
/// distances.
StepLengths step_lengths(const Neighbours& neighbours) {
    if (neighbours.size() < kLeastForCommunities) return {};
    const std::vector<int> steps = steps_from(0, neighbours);
    const double farthest = *std::max_element(steps.begin(), steps.end());
    if (farthest > 2 * std::log2(static_cast<double>(neighbours.size()))) return {};
    Communities communities = find_communities(neighbours);
    const double chance = chance_modularity(neighbours);
    if (communities.count < 2 || communities.modularity < chance + kAboveChance) return {};
    return {std::move(communities.of), kStepBetween};
}

/// Places a component. Stress has many minima that are nearly as good: of a few, the one with the
/// fewest crossings is taken.
Pieces<std::vector<Place>> place_component(const Neighbours& neighbours, const Passed& passed) {
    std::vector<Edge> edges;
    for (int i = 0; i < static_cast<int>(neighbours.size()); ++i)
        for (const int j : neighbours[i])
            if (i < j) edges.push_back({i, j});
    const StepLengths lengths = step_lengths(neighbours), all_one;
    const Passed nobody;
    std::vector<Place> best = co_await minimise_stress(neighbours, 1, passed, lengths);
    if (edges.size() > kMaxEdgesForTries) co_return best;
    int fewest = count_crossings(edges, best);
    for (int seed = 2; seed <= kNumberOfTries && fewest > 0; ++seed) {
        std::vector<Place> places = co_await minimise_stress(neighbours, seed, nobody, all_one);
        const int n_crossings = count_crossings(edges, places);
        if (n_crossings >= fewest) continue;
        fewest = n_crossings;
        best = std::move(places);
    }
    co_return best;
}

/// Turns the longest direction (the first principal axis) to the horizontal and mirrors so that the
/// earlier nodes are on the left and above.
void orient(std::vector<Place>& places) {
    Place mean;
    const auto n_places = static_cast<double>(places.size());
    for (const Place& p : places) mean.x += p.x / n_places, mean.y += p.y / n_places;
    double xx = 0, xy = 0, yy = 0;
    for (Place& p : places) {
        p = {p.x - mean.x, p.y - mean.y};
        xx += p.x * p.x, xy += p.x * p.y, yy += p.y * p.y;
    }
    // A round picture has no longest direction: rounding would choose one.
    if (std::hypot(2 * xy, xx - yy) > 1e-6 * (xx + yy)) {
        const double angle = 0.5 * std::atan2(2 * xy, xx - yy);
        const double c = std::cos(angle), s = std::sin(angle);
        for (Place& p : places) p = {c * p.x + s * p.y, c * p.y - s * p.x};
    }
    Place late;  // > 0 where later nodes are
    for (std::size_t k = 0; k < places.size(); ++k) {
        const double order = static_cast<double>(k);
        late.x += order * places[k].x, late.y += order * places[k].y;
    }
    for (Place& p : places) p = {late.x < 0 ? -p.x : p.x, late.y < 0 ? -p.y : p.y};
}

struct Extent {
    Place low, high;

    double width() const { return high.x - low.x; }
    double height() const { return high.y - low.y; }
};

Extent measure_extent(const std::vector<Place>& places) {
    Extent extent{places[0], places[0]};
    for (const Place& p : places) {
        extent.low = {std::min(extent.low.x, p.x), std::min(extent.low.y, p.y)};
        extent.high = {std::max(extent.high.x, p.x), std::max(extent.high.y, p.y)};
    }
    return extent;
}

/// Square cells of one width over the places, to find those nearby.
class Grid {
  public:
    Grid(const std::vector<Place>& places, double cell_width) : cell_width_(cell_width) {
        const Extent extent = measure_extent(places);
        low_ = extent.low;
        n_columns_ = static_cast<std::int64_t>(extent.width() / cell_width) + 3;
        for (std::size_t k = 0; k < places.size(); ++k)
            entries_.push_back({grid_cell(places[k]), static_cast<int>(k)});
        std::sort(entries_.begin(), entries_.end());
    }

    /// Calls visit(node) for nodes in the 3 × 3 cells around the place; not for all in a crowd.
    template <typename Visit>
    void visit_near(Place place, Visit visit) const {
        constexpr int kMaxPerRow = 24;
        for (std::int64_t row = -1; row <= 1; ++row) {
            const std::int64_t middle = grid_cell(place) + row * n_columns_;
            auto entry = std::lower_bound(entries_.begin(), entries_.end(),
                                          std::pair<std::int64_t, int>(middle - 1, 0));
            for (int k = 0; k < kMaxPerRow && entry != entries_.end(); ++k, ++entry) {
                if (entry->first > middle + 1) break;
                visit(entry->second);
            }
        }
    }

  private:
    std::int64_t grid_cell(Place p) const {
        const auto column = static_cast<std::int64_t>((p.x - low_.x) / cell_width_) + 1;
        const auto row = static_cast<std::int64_t>((p.y - low_.y) / cell_width_) + 1;
        return row * n_columns_ + column;
    }

    double cell_width_;
    Place low_;
    std::int64_t n_columns_ = 0;
    std::vector<std::pair<std::int64_t, int>> entries_;  // cell and node, in order
};

/// Moves two places apart to `distance`, in a direction of their own if they coincide.
void push_apart(Place& a, Place& b, double own_direction, double distance) {
    Place gap{a.x - b.x, a.y - b.y};
    double length = std::sqrt(gap.x * gap.x + gap.y * gap.y);
    if (length >= distance) return;
    double missing = (distance - length) / 2;
    if (length < 1e-6 * distance) {
        gap = {std::cos(own_direction), std::sin(own_direction)};
        length = 1;
        missing = distance / 2;
    }
    a.x += gap.x * missing / length, a.y += gap.y * missing / length;
    b.x -= gap.x * missing / length, b.y -= gap.y * missing / length;
}

/// Moves nodes with the same neighbours apart: stress lets them come close or coincide.
Pieces<> separate(std::vector<Place>& places) {
    const auto n_places = static_cast<int>(places.size());
    const Extent extent = measure_extent(places);
    const double area_per_node = extent.width() * extent.height() / n_places;
    const double distance = std::min(0.5, 0.6 * std::sqrt(area_per_node));
    if (distance < 1e-6) co_return;
    const int n_rounds = n_places <= 1000 ? 50 : 8;
    for (int round = 0; round < n_rounds; ++round) {
        const Grid grid(places, distance);
        for (int i = 0; i < n_places; ++i)
            grid.visit_near(places[i], [&](int j) {
                if (i != j) push_apart(places[i], places[j], i + j, distance);
            });
        co_await kPause;
    }
}

Pieces<> place(ConnectedPart& component, Neighbours within, const Passed& passed) {
    component.places = co_await place_component(within, passed);
    orient(component.places);
    co_await separate(component.places);
    const Extent extent = measure_extent(component.places);
    for (Place& p : component.places) p = {p.x - extent.low.x, p.y - extent.low.y};
    component.width = extent.width();
    component.height = extent.height();
}

struct Packing {
    std::vector<Place> corners;  // per component, left and above
    double width = 0, height = 0;

    double scale() const { return 1 / std::max({width / kLayoutAspect, height, 1e-9}); }
};

/// Packs components from left to right on shelves, each centred on its shelf and each shelf on the
/// plane.
Packing pack(const std::vector<ConnectedPart>& components, double shelf_width) {
    Packing packing;
    packing.corners.resize(components.size());
    std::vector<double> shelf_widths;
    std::vector<std::size_t> shelf_numbers(components.size());
    double x = 0, y = 0, shelf_height = 0;
    for (std::size_t k = 0; k < components.size(); ++k) {
        const ConnectedPart& component = components[k];
        if (k == 0 || x + component.width > shelf_width) {
            if (k > 0) y += shelf_height + kComponentGap;
            x = 0;
            shelf_height = component.height;  // the tallest comes first
            shelf_widths.push_back(0);
        }
        packing.corners[k] = {x, y + (shelf_height - component.height) / 2};
        shelf_numbers[k] = shelf_widths.size() - 1;
        shelf_widths.back() = x + component.width;
        x += component.width + kComponentGap;
    }
    packing.width = *std::max_element(shelf_widths.begin(), shelf_widths.end());
    packing.height = y + shelf_height;
    for (std::size_t k = 0; k < components.size(); ++k)
        packing.corners[k].x += (packing.width - shelf_widths[shelf_numbers[k]]) / 2;
    return packing;
}

/// Returns the packing on shelves of the width with which everything is drawn largest.
Packing best_packing(const std::vector<ConnectedPart>& components) {
    double area = 0, widest = 0;
    for (const ConnectedPart& component : components) {
        area += (component.width + kComponentGap) * (component.height + kComponentGap);
        widest = std::max(widest, component.width);
    }
    Packing best;
    for (int percent = 100; percent <= 200; percent += 5) {
        const double shelf_width = std::sqrt(area * kLayoutAspect) * percent / 100;
        Packing packing = pack(components, std::max(shelf_width, widest));
        if (best.corners.empty() || packing.scale() > best.scale()) best = std::move(packing);
    }
    return best;
}

/// Maps the packing's plane to [0,1]².
void fit(const Packing& packing, const std::vector<ConnectedPart>& components, Graph& graph) {
    constexpr double kLongestEdge = 0.4;  // of the height: two nodes need not fill the plane
    constexpr double kUsed = 1 - 2 * kMargin;
    const double scale = std::min(packing.scale(), kLongestEdge);
    const auto widened = [&](double length, double room) {
        return std::min(scale * kMaxStretch, room / std::max(length, 1e-9));
    };
    const double scale_x = kUsed * widened(packing.width, kLayoutAspect) / kLayoutAspect;
    const double scale_y = kUsed * widened(packing.height, 1);
    for (std::size_t k = 0; k < components.size(); ++k) {
        for (std::size_t l = 0; l < components[k].nodes.size(); ++l) {
            const Place p = components[k].places[l], corner = packing.corners[k];
            Node& node = graph.nodes[components[k].nodes[l]];
            node.x = static_cast<float>(0.5 + (corner.x + p.x - packing.width / 2) * scale_x);
            node.y = static_cast<float>(0.5 + (corner.y + p.y - packing.height / 2) * scale_y);
        }
    }
}

}  // namespace

void lay_out(Graph& graph, const Passed& passed) {
    at_once(lay_out_in_pieces(graph, passed));
}

Pieces<> lay_out_in_pieces(Graph& graph, Passed passed) {
    if (graph.nodes.empty()) co_return;
    const Neighbours neighbours = find_neighbours(graph);
    std::vector<ConnectedPart> components = connected_components(neighbours);
    std::vector<int> position(graph.nodes.size());
    std::size_t n_placed = 0;
    for (ConnectedPart& component : components) {
        const std::size_t n_nodes = component.nodes.size();
        const Passed part_passed = [&](double share) {
            if (!passed) return;
            const double n_done = static_cast<double>(n_placed) + share * double(n_nodes);
            passed(n_done / static_cast<double>(graph.nodes.size()));
        };
        Neighbours within = neighbours_within(component, neighbours, position);
        co_await place(component, std::move(within), part_passed);
        n_placed += n_nodes;
    }
    std::stable_sort(
        components.begin(), components.end(),
        [](const ConnectedPart& a, const ConnectedPart& b) { return a.height > b.height; });
    fit(best_packing(components), components, graph);
}

}  // namespace headlight
