#include "graph/layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <doctest/doctest.h>
#include <limits>
#include <set>
#include <utility>

#include "graph/built_in_graphs.h"
#include "graph/communities.h"

namespace headlight::layout_test {
namespace {

Graph graph_of(int n_nodes, std::vector<Edge> edges) {
    Graph graph;
    for (int k = 0; k < n_nodes; ++k) graph.nodes.push_back({std::to_string(k), 0, 0, 0});
    graph.edges = std::move(edges);
    return graph;
}

Graph path(int n_nodes) {
    std::vector<Edge> edges;
    for (int k = 1; k < n_nodes; ++k) edges.push_back({k - 1, k});
    return graph_of(n_nodes, edges);
}

Graph star(int n_leaves) {
    std::vector<Edge> edges;
    for (int k = 1; k <= n_leaves; ++k) edges.push_back({0, k});
    return graph_of(n_leaves + 1, edges);
}

Graph complete(int n_nodes) {
    std::vector<Edge> edges;
    for (int i = 0; i < n_nodes; ++i)
        for (int j = 0; j < i; ++j) edges.push_back({j, i});
    return graph_of(n_nodes, edges);
}

/// A graph in which each node has edges to two earlier nodes.
Graph random_graph(int n_nodes) {
    std::vector<Edge> edges;
    for (int k = 2; k < n_nodes; ++k) {
        const int first = static_cast<int>((k * 7919LL) % k), second = (k * 104729LL + 13) % k;
        edges.push_back({first, k});
        if (second != first) edges.push_back({second, k});
    }
    return graph_of(n_nodes, edges);
}

/// Communities with as many nodes each; each node has edges to `n_inside` nodes of its community
/// and every fourth one to a node anywhere.
Graph planted_graph(int n_communities, int n_nodes_each, int n_inside) {
    const int n_nodes = n_communities * n_nodes_each;
    std::set<std::pair<int, int>> edges;
    std::uint64_t state = 1;
    const auto below = [&](int end) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<int>((state >> 33) % static_cast<std::uint64_t>(end));
    };
    const auto add = [&](int a, int b) {
        if (a != b) edges.insert(std::minmax(a, b));
    };
    for (int i = 0; i < n_nodes; ++i) {
        for (int k = 0; k < n_inside; ++k)
            add(i, i % n_communities + n_communities * below(n_nodes_each));
        if (i % 4 == 0) add(i, below(n_nodes));
    }
    std::vector<Edge> list;
    for (const auto& [a, b] : edges) list.push_back({a, b});
    return graph_of(n_nodes, list);
}

Graph laid_out(Graph graph) {
    lay_out(graph);
    return graph;
}

/// The distance on the plane of kLayoutAspect : 1.
double distance(const Node& a, const Node& b) {
    return std::hypot(kLayoutAspect * (a.x - b.x), a.y - b.y);
}

Neighbours neighbours_in(const Graph& graph) {
    Neighbours neighbours(graph.nodes.size());
    for (const Edge& edge : graph.edges) {
        neighbours[edge.source].push_back(edge.target);
        neighbours[edge.target].push_back(edge.source);
    }
    return neighbours;
}

/// The mean distance of pairs within communities, as a part of that of all pairs.
double closeness_within(const Graph& graph, int n_communities) {
    double within = 0, all = 0;
    int n_within = 0, n_all = 0;
    const int n_nodes = static_cast<int>(graph.nodes.size());
    for (int i = 0; i < n_nodes; i += 3)
        for (int j = 0; j < i; j += 7) {
            const double d = distance(graph.nodes[i], graph.nodes[j]);
            all += d, ++n_all;
            if (i % n_communities == j % n_communities) within += d, ++n_within;
        }
    return (within / n_within) / (all / n_all);
}

double mean_edge_length(const Graph& graph) {
    double sum = 0;
    for (const Edge& edge : graph.edges)
        sum += distance(graph.nodes[edge.source], graph.nodes[edge.target]);
    return sum / static_cast<double>(graph.edges.size());
}

double smallest_distance(const Graph& graph) {
    double smallest = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            smallest = std::min(smallest, distance(graph.nodes[i], graph.nodes[j]));
    return smallest;
}

void check_inside_and_apart(const Graph& graph) {
    std::set<std::pair<float, float>> places;
    bool is_inside = true;
    for (const Node& node : graph.nodes) {
        is_inside = is_inside && node.x >= 0 && node.x <= 1 && node.y >= 0 && node.y <= 1;
        places.insert({node.x, node.y});
    }
    CHECK(is_inside);
    CHECK(places.size() == graph.nodes.size());
}

}  // namespace

TEST_CASE("lay_out: no nodes need no work; a single node is in the middle") {
    CHECK(laid_out(graph_of(0, {})).nodes.empty());
    for (const auto& edges : {std::vector<Edge>{}, std::vector<Edge>{{0, 0}}}) {
        const Graph graph = laid_out(graph_of(1, edges));
        CHECK(graph.nodes[0].x == 0.5f);
        CHECK(graph.nodes[0].y == 0.5f);
    }
}

TEST_CASE("lay_out: two nodes are level around the middle") {
    const Graph graph = laid_out(path(2));
    CHECK(graph.nodes[0].y == doctest::Approx(0.5));
    CHECK(graph.nodes[1].y == doctest::Approx(0.5));
    CHECK(graph.nodes[0].x + graph.nodes[1].x == doctest::Approx(1));
    CHECK(graph.nodes[0].x < graph.nodes[1].x);
}

TEST_CASE("lay_out: a path goes from left to right in its order") {
    const Graph graph = laid_out(path(12));
    for (int k = 1; k < 12; ++k) CHECK(graph.nodes[k - 1].x < graph.nodes[k].x);
}

TEST_CASE("lay_out: edges of the karate club are much shorter than other distances") {
    const Graph graph = karate_club();
    double sum = 0;
    for (const Node& a : graph.nodes)
        for (const Node& b : graph.nodes) sum += distance(a, b);
    CHECK(mean_edge_length(graph) < 0.6 * sum / (34 * 33));
    Graph shuffled = graph;  // the same positions for other nodes: must not pass
    for (int k = 0; k < 34; ++k) shuffled.nodes[k] = graph.nodes[(k * 15 + 7) % 34];
    CHECK(mean_edge_length(shuffled) > 0.8 * sum / (34 * 33));
}

TEST_CASE("lay_out: the karate club fills the plane and its nodes keep their distance") {
    const Graph graph = karate_club();
    check_inside_and_apart(graph);
    CHECK(smallest_distance(graph) > 0.06);
    float left = 1, right = 0, top = 1, bottom = 0;
    for (const Node& node : graph.nodes) {
        left = std::min(left, node.x), right = std::max(right, node.x);
        top = std::min(top, node.y), bottom = std::max(bottom, node.y);
    }
    CHECK(right - left > 0.9f);
    CHECK(bottom - top > 0.7f);
}

TEST_CASE("lay_out: the same graph gets the same layout, whatever its positions before") {
    Graph graph = karate_club();
    for (Node& node : graph.nodes) node.x = std::numeric_limits<float>::quiet_NaN();
    CHECK(laid_out(graph) == karate_club());
}

TEST_CASE("lay_out: the karate club has a known layout") {
    // The descent magnifies rounding: with fused operations the positions are others.
    const Graph graph = karate_club();
    CHECK(graph.nodes[0].x == doctest::Approx(0.38201).epsilon(1e-3));
    CHECK(graph.nodes[0].y == doctest::Approx(0.44468).epsilon(1e-3));
    CHECK(graph.nodes[33].x == doctest::Approx(0.75853).epsilon(1e-3));
    CHECK(graph.nodes[33].y == doctest::Approx(0.47238).epsilon(1e-3));
}

TEST_CASE("lay_out: direction, duplicates and self-edges change nothing") {
    const Graph plain = laid_out(path(5));
    Graph other = path(5);
    other.directed = true;
    other.edges.insert(other.edges.end(), {{1, 0}, {2, 2}, {3, 2}});
    lay_out(other);
    CHECK(other.nodes == plain.nodes);
}

TEST_CASE("lay_out: components lie side by side") {
    // A complete graph of 6, a path of 4, a triangle, two nodes alone.
    Graph graph = complete(6);
    for (int k = 6; k < 15; ++k) graph.nodes.push_back({std::to_string(k), 0, 0, 0});
    const std::vector<Edge> more = {{6, 7}, {7, 8}, {8, 9}, {10, 11}, {11, 12}, {10, 12}};
    graph.edges.insert(graph.edges.end(), more.begin(), more.end());
    lay_out(graph);
    check_inside_and_apart(graph);

    const std::vector<std::pair<int, int>> ranges = {{0, 6}, {6, 10}, {10, 13}, {13, 14}, {14, 15}};
    struct Bounds {
        float left = 1, right = 0, top = 1, bottom = 0;
    };
    std::vector<Bounds> bounds;
    for (const auto& [first, end] : ranges) {
        Bounds& b = bounds.emplace_back();
        for (int k = first; k < end; ++k) {
            b.left = std::min(b.left, graph.nodes[k].x);
            b.right = std::max(b.right, graph.nodes[k].x);
            b.top = std::min(b.top, graph.nodes[k].y);
            b.bottom = std::max(b.bottom, graph.nodes[k].y);
        }
    }
    for (std::size_t i = 0; i < bounds.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Bounds &a = bounds[i], &b = bounds[j];
            CHECK((a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top));
        }
}

TEST_CASE("lay_out: graphs of every shape stay inside, and no two nodes coincide") {
    for (const Graph& graph : {path(3), path(100), star(2), star(60), complete(3), complete(30),
                               graph_of(10, {}), graph_of(3, {{0, 0}, {1, 1}, {2, 2}})}) {
        CAPTURE(graph.nodes.size());
        const Graph result = laid_out(graph);
        check_inside_and_apart(result);
        CHECK(smallest_distance(result) > 0.2 / static_cast<double>(graph.nodes.size()));
    }
}

TEST_CASE("lay_out: large graphs, too, stay inside with nodes apart") {
    for (const Graph& graph :
         {random_graph(1000), random_graph(20'000), star(20'000), graph_of(20'000, {})}) {
        CAPTURE(graph.nodes.size());
        check_inside_and_apart(laid_out(graph));
    }
}

TEST_CASE("lay_out: it reports progress; if cancelled, it leaves the graph unchanged") {
    Graph graph = karate_club();
    std::vector<double> shares;
    lay_out(graph, [&](double share) { shares.push_back(share); });
    REQUIRE(!shares.empty());
    CHECK(shares.front() > 0);
    CHECK(shares.back() == doctest::Approx(1));
    const Graph before = graph;
    CHECK_THROWS_AS(lay_out(graph, [](double) { throw 1; }), int);
    CHECK(graph == before);
}

TEST_CASE("lay_out: in pieces it gives the same places") {
    for (const Graph& before : {karate_club(), random_graph(3000)}) {
        Graph expected = before, graph = before;
        lay_out(expected);
        Pieces<> work = lay_out_in_pieces(graph, {});
        int n_pieces = 1;
        while (work.next()) {
            ++n_pieces;
            REQUIRE(graph == before);
        }
        work.take();
        CHECK(n_pieces > 100);
        CHECK(graph == expected);
    }
}

TEST_CASE("find_communities: planted ones are found, each whole") {
    const Neighbours neighbours = neighbours_in(planted_graph(8, 100, 5));
    const Communities found = find_communities(neighbours);
    CHECK(found.modularity > 0.7);
    int n_wrong = 0;
    for (int i = 8; i < 800; ++i) n_wrong += found.of[i] != found.of[i % 8];
    CHECK(n_wrong < 8);
    CHECK(find_communities(Neighbours(3)).count == 3);
    CHECK(find_communities(Neighbours(3)).modularity == 0);
}

TEST_CASE("chance_modularity: what random graphs have; planted communities have far more") {
    for (const int n_each : {2, 3, 5}) {
        const Neighbours random = neighbours_in(planted_graph(1, 2000, n_each));
        const double chance = chance_modularity(random);
        CHECK(find_communities(random).modularity < chance + 0.1);
        CHECK(find_communities(random).modularity > chance - 0.15);
    }
    const Neighbours planted = neighbours_in(planted_graph(8, 250, 5));
    CHECK(find_communities(planted).modularity > chance_modularity(planted) + 0.3);
    CHECK(chance_modularity(Neighbours(4)) == 0);
}

TEST_CASE("lay_out: planted communities lie apart, where every node is near every other") {
    CHECK(closeness_within(laid_out(planted_graph(10, 200, 5)), 10) < 0.45);
    // A wrong answer is seen: communities that are none.
    CHECK(closeness_within(laid_out(planted_graph(10, 200, 5)), 9) > 0.9);
}

TEST_CASE("lay_out: the distances of a mesh stay as they are, whatever communities it has") {
    std::vector<Edge> edges;
    constexpr int kSide = 30;
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
            if (x > 0) edges.push_back({y * kSide + x - 1, y * kSide + x});
            if (y > 0) edges.push_back({(y - 1) * kSide + x, y * kSide + x});
        }
    const Graph mesh = laid_out(graph_of(kSide * kSide, edges));
    double longest = 0, shortest = 1;
    for (const Edge& edge : mesh.edges) {
        const double length = distance(mesh.nodes[edge.source], mesh.nodes[edge.target]);
        longest = std::max(longest, length), shortest = std::min(shortest, length);
    }
    CHECK(longest < 4 * shortest);
}

}  // namespace headlight::layout_test
