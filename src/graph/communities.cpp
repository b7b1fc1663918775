#include "graph/communities.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace headlight {
namespace {

constexpr int kMostRounds = 20;  // of local moves, on each level

/// A graph whose nodes may stand for several: edges have counts, and those inside a node are kept.
struct Merged {
    std::vector<std::vector<std::pair<int, std::int64_t>>> edges;  // by node, without itself
    std::vector<std::int64_t> ends;                                // of all its edges
    std::int64_t n_ends = 0;
};

Merged merged_from(const Neighbours& neighbours) {
    Merged graph;
    for (const auto& nodes : neighbours) {
        auto& edges = graph.edges.emplace_back();
        for (const int node : nodes) edges.push_back({node, 1});
        graph.ends.push_back(static_cast<std::int64_t>(nodes.size()));
        graph.n_ends += graph.ends.back();
    }
    return graph;
}

/// Moves each node to the neighbouring community that gains most modularity, in whole numbers:
///     gain · n_ends = edges(node, community) · n_ends − ends(node) · ends(community)
class LocalMoves {
  public:
    explicit LocalMoves(const Merged& graph)
        : graph_(graph), of_(graph.edges.size()), ends_(graph.ends), links_(graph.edges.size()) {
        std::iota(of_.begin(), of_.end(), 0);
    }

    std::vector<int> make() {
        bool has_moved = true;
        for (int round = 0; round < kMostRounds && has_moved; ++round) {
            has_moved = false;
            for (int node = 0; node < static_cast<int>(of_.size()); ++node) has_moved |= move(node);
        }
        return std::move(of_);
    }

  private:
    bool move(int node) {
        const int before = of_[node];
        const std::int64_t own_ends = graph_.ends[node];
        ends_[before] -= own_ends;
        near_.assign(1, before);
        for (const auto& [other, n_edges] : graph_.edges[node]) {
            const int community = of_[other];
            if (links_[community] == 0 && community != before) near_.push_back(community);
            links_[community] += n_edges;
        }
        int best = before;
        std::int64_t most = gain(before, own_ends);
        for (const int community : near_)
            if (const std::int64_t here = gain(community, own_ends); here > most) {
                most = here;
                best = community;
            }
        for (const int community : near_) links_[community] = 0;
        of_[node] = best;
        ends_[best] += own_ends;
        return best != before;
    }

    std::int64_t gain(int community, std::int64_t own_ends) const {
        return links_[community] * graph_.n_ends - own_ends * ends_[community];
    }

    const Merged& graph_;
    std::vector<int> of_;
    std::vector<std::int64_t> ends_;   // by community
    std::vector<std::int64_t> links_;  // of the node that is moved, by community; else 0
    std::vector<int> near_;
};

/// Numbers communities from 0 in the order of their first nodes; returns how many there are.
int renumber(std::vector<int>& of) {
    std::vector<int> number(of.size(), -1);
    int count = 0;
    for (int& community : of) {
        if (number[community] < 0) number[community] = count++;
        community = number[community];
    }
    return count;
}

Merged merge(const Merged& graph, const std::vector<int>& of, int count) {
    Merged merged;
    merged.edges.resize(count);
    merged.ends.assign(count, 0);
    merged.n_ends = graph.n_ends;
    for (std::size_t node = 0; node < of.size(); ++node) {
        merged.ends[of[node]] += graph.ends[node];
        for (const auto& [other, n_edges] : graph.edges[node])
            if (of[node] != of[other]) merged.edges[of[node]].push_back({of[other], n_edges});
    }
    for (auto& edges : merged.edges) {
        std::sort(edges.begin(), edges.end());
        std::vector<std::pair<int, std::int64_t>> sums;
        for (const auto& [other, n_edges] : edges)
            if (!sums.empty() && sums.back().first == other)
                sums.back().second += n_edges;
            else
                sums.push_back({other, n_edges});
        edges = std::move(sums);
    }
    return merged;
}

double find_modularity(const Merged& graph) {
    const auto all = static_cast<double>(graph.n_ends);
    double sum = 0;
    for (std::size_t k = 0; k < graph.edges.size(); ++k) {
        std::int64_t n_leaving = 0;
        for (const auto& [other, n_edges] : graph.edges[k]) n_leaving += n_edges;
        const double ends = static_cast<double>(graph.ends[k]) / all;
        sum += ends - static_cast<double>(n_leaving) / all - ends * ends;
    }
    return sum;
}

}  // namespace

Communities find_communities(const Neighbours& neighbours) {
    Merged graph = merged_from(neighbours);
    Communities found;
    found.of.resize(neighbours.size());
    std::iota(found.of.begin(), found.of.end(), 0);
    found.count = static_cast<int>(neighbours.size());
    if (graph.n_ends == 0) return found;
    while (true) {
        std::vector<int> of = LocalMoves(graph).make();
        const int count = renumber(of);
        if (count == static_cast<int>(of.size())) break;
        for (int& community : found.of) community = of[community];
        graph = merge(graph, of, count);
        found.count = count;
    }
    found.modularity = find_modularity(graph);
    return found;
}

double chance_modularity(const Neighbours& neighbours) {
    const auto n = static_cast<double>(neighbours.size());
    double n_ends = 0;
    for (const auto& nodes : neighbours) n_ends += static_cast<double>(nodes.size());
    if (n_ends == 0) return 0;
    return std::min(1.0, (1 - 2 / std::sqrt(n)) * std::cbrt(4 * n * n / (n_ends * n_ends)));
}

}  // namespace headlight
