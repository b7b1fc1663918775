#include "core/mechanisms/graph_attention.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "core/studies.h"

namespace headlight::graph_attention_test {
namespace {

const GraphSettings kTwoHeads{.n_heads = {{2}}, .d_in = 3, .d_out = {{4}}};

/// Every mechanism in two layers, with and without edge features.
std::vector<GraphSettings> all_mechanisms() {
    std::vector<GraphSettings> all;
    for (const GraphMechanism mechanism :
         {GraphMechanism::Gat, GraphMechanism::GatV2, GraphMechanism::Transformer})
        for (const int d_edge : {0, 2})
            all.push_back({.mechanism = mechanism,
                           .n_layers = 2,
                           .n_heads = {{2}},
                           .d_in = 3,
                           .d_out = {{4}},
                           .d_edge = d_edge});
    return all;
}

bool is_transformer(const GraphSettings& settings) {
    return settings.mechanism == GraphMechanism::Transformer;
}

std::string last_out(const GraphSettings& settings) {
    return is_transformer(settings) ? "blocks.1.out" : "gat.1.out";
}

std::string head_of_layer(const GraphSettings& settings, int layer, int head) {
    const std::string l = std::to_string(layer), h = ".heads." + std::to_string(head) + ".";
    return is_transformer(settings) ? "blocks." + l + ".attn" + h : "gat." + l + h;
}

/// True if the α of every node with edges sum to 1 and none is negative.
bool is_pattern(const Matrix& alpha, const Edges& edges) {
    std::vector<double> sums(static_cast<std::size_t>(edges.n_nodes), 0);
    std::vector<bool> reads(sums.size(), false);
    for (Index e = 0; e < edges.size(); ++e) {
        const auto i = static_cast<std::size_t>(edges.row[static_cast<std::size_t>(e)]);
        if (!(alpha(e, 0) >= 0)) return false;
        sums[i] += alpha(e, 0);
        reads[i] = true;
    }
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (reads[i] && std::abs(sums[i] - 1) > 1e-6) return false;
    return true;
}

/// small_edges() with node i at place[i].
Trace moved_graph(const std::vector<Index>& place, const GraphSettings& settings) {
    const auto at = [&](Index i) { return place[static_cast<std::size_t>(i)]; };
    const Edges edges = small_edges();
    std::vector<EdgeEnds> moved;
    for (std::size_t e = 0; e < edges.row.size(); ++e)
        moved.push_back({at(edges.row[e]), at(edges.neighbour[e])});
    GraphNodes nodes{.names = std::vector<std::string>(6), .keys = std::vector<std::string>(6)};
    for (Index i = 0; i < 6; ++i) {
        nodes.names[static_cast<std::size_t>(at(i))] = "n" + std::to_string(i);
        nodes.keys[static_cast<std::size_t>(at(i))] = "node:n" + std::to_string(i);
    }
    return compute(plan_graph_attention(nodes, make_edges(6, moved), settings, 1), {}, kWatchAll,
                   nullptr);
}

}  // namespace

TEST_CASE("graph attention: the α of a node's edges sum to 1") {
    for (const GraphSettings& settings : all_mechanisms()) {
        const Trace trace = graph(small_edges(), settings);
        for (const int layer : {0, 1})
            for (const int head : {0, 1})
                CHECK(is_pattern(value(trace, head_of_layer(settings, layer, head) + "pattern"),
                                 small_edges()));
    }
}

TEST_CASE("graph attention: the law rejects wrong α") {
    const Edges edges = make_edges(2, {{0, 0}, {0, 1}});
    CHECK(is_pattern(Matrix{{0.25}, {0.75}}, edges));
    CHECK_FALSE(is_pattern(Matrix{{0.25}, {0.7501}}, edges));
    CHECK_FALSE(is_pattern(Matrix{{-0.25}, {1.25}}, edges));
    CHECK_FALSE(is_pattern(Matrix{{1}, {1}}, edges));
}

TEST_CASE("graph attention: a node without edges gets zeros") {
    for (const GraphSettings& settings : all_mechanisms()) {
        const Trace trace = graph(small_edges(), settings);
        CHECK(value(trace, last_out(settings)).row(5).isZero(0));
        CHECK_FALSE(value(trace, last_out(settings)).row(0).isZero(0));
    }
}

TEST_CASE("graph attention: a graph without edges gives zeros") {
    for (GraphSettings settings : all_mechanisms())
        for (const Combine combine : {Combine::Concat, Combine::Mean}) {
            settings.combine = combine;
            const Trace trace = graph(make_edges(3, {}), settings);
            CHECK(value(trace, head_of_layer(settings, 0, 0) + "pattern").rows() == 0);
            CHECK(value(trace, last_out(settings)).isZero(0));
        }
}

TEST_CASE("graph attention: a node that reads only itself is its own projection") {
    const Trace trace = graph(make_edges(1, {{0, 0}}), kTwoHeads);
    CHECK(value(trace, "gat.0.heads.1.pattern")(0, 0) == 1);
    CHECK(is_same(value(trace, "gat.0.heads.1.out"), value(trace, "gat.0.heads.1.h")));
}

TEST_CASE("graph attention: a_dst belongs to the reading node, a_src to its neighbour") {
    Interventions interventions;
    interventions["gat.0.heads.0.a_src"] = intervene_on_all(Matrix::Zero(4, 1));
    const Trace trace = graph(small_edges(), kTwoHeads, interventions);
    const Edges edges = small_edges();
    const Matrix& raw = value(trace, "gat.0.heads.0.raw_scores");
    const Matrix& dst = value(trace, "gat.0.heads.0.score_dst");
    for (Index e = 0; e < edges.size(); ++e)
        CHECK(raw(e, 0) == dst(edges.row[static_cast<std::size_t>(e)], 0));
}

TEST_CASE("graph attention: permuting the nodes permutes the rows, to rounding") {
    const std::vector<Index> place{4, 2, 0, 5, 1, 3};  // old index → new index
    for (const GraphSettings& settings : all_mechanisms()) {
        const Trace trace = graph(small_edges(), settings);
        const Matrix& out = value(trace, last_out(settings));
        Matrix expected(out.rows(), out.cols());
        for (Index i = 0; i < 6; ++i) expected.row(place[static_cast<std::size_t>(i)]) = out.row(i);
        const Trace moved = moved_graph(place, settings);
        CHECK(distance(value(moved, last_out(settings)), expected) < 2e-6);
        CHECK(distance(out, expected) > 1e-2);
    }
}

TEST_CASE("graph attention: edge features of 0 change nothing") {
    for (const GraphSettings& settings : all_mechanisms()) {
        if (settings.d_edge == 0) continue;
        GraphSettings without = settings;
        without.d_edge = 0;
        const Matrix expected = value(graph(small_edges(), without), last_out(settings));
        Interventions interventions;
        interventions["edge_features"] =
            intervene_on_all(Matrix::Zero(small_edges().size(), settings.d_edge));
        const std::string out = last_out(settings);
        CHECK(distance(value(graph(small_edges(), settings, interventions), out), expected) < 1e-6);
        CHECK(distance(value(graph(small_edges(), settings), out), expected) > 1e-3);
    }
}

TEST_CASE("graph attention: the second layer reads all heads of the first") {
    const Trace trace = graph(small_edges(), all_mechanisms().front());
    CHECK(value(trace, "gat.0.out").cols() == 8);
    CHECK(value(trace, "gat.1.heads.0.W").rows() == 8);
    CHECK(distance(value(trace, "gat.1.heads.0.h"),
                   value(trace, "gat.0.out") * value(trace, "gat.1.heads.0.W")) < 1e-6);
}

TEST_CASE("graph attention: only the last layer averages its heads") {
    for (GraphSettings settings : all_mechanisms()) {
        settings.combine = Combine::Mean;
        const Trace trace = graph(small_edges(), settings);
        CHECK(value(trace, last_out(settings)).cols() == settings.d_out.of(0));
        CHECK(value(trace, is_transformer(settings) ? "blocks.0.attn.concat" : "gat.0.combined")
                  .cols() == 8);
    }
}

TEST_CASE("graph attention: every value has the shape of its axes") {
    for (const GraphSettings& settings : all_mechanisms()) {
        const Trace trace = graph(small_edges(), settings);
        for (const Tensor& tensor : trace.tensors()) {
            CHECK_MESSAGE(tensor.value->rows() == tensor.rows().size, tensor.path());
            CHECK_MESSAGE(tensor.value->cols() == tensor.columns().size, tensor.path());
        }
    }
}

TEST_CASE("graph attention: no n × n matrix is computed unless it is watched") {
    for (const GraphSettings& settings : all_mechanisms()) {
        const Trace trace = graph(small_edges(), settings);
        for (const Tensor& tensor : trace.tensors())
            CHECK_MESSAGE((tensor.keep() == Keep::OnDemand ||
                           tensor.rows().size * tensor.columns().size < 6 * 9),
                          tensor.path());
    }
}

TEST_CASE("graph attention: the patterns of a layer's heads are computed together") {
    for (GraphSettings settings : all_mechanisms()) {
        settings.n_heads = {{9}};
        const Trace trace = graph(small_edges(), settings);
        const Flags all(trace.tensors().size(), true), none(trace.tensors().size(), false);
        int n_together = 0;
        const Schedule schedule(trace, {.kept = all, .reused = none, .overridden = none});
        for (const Segment& segment : schedule.segments()) {
            const auto n_patterns = std::ranges::count_if(segment.ids, [&](TensorId id) {
                return trace[id].identity().role == Role::Pattern;
            });
            CHECK((n_patterns == 0 || n_patterns == 9));
            n_together += n_patterns == 9;
        }
        CHECK(n_together == 2);
    }
}

TEST_CASE("graph attention: edits in some heads give the bits of computing all of them") {
    for (GraphSettings settings : all_mechanisms()) {
        settings.n_heads = {{9}};
        const Trace before = graph(small_edges(), settings);
        Interventions edits;
        const std::string W = is_transformer(settings)                      ? "W_K"
                              : settings.mechanism == GraphMechanism::GatV2 ? "W_src"
                                                                            : "W";
        for (const int head : {2, 3, 8})
            edits[head_of_layer(settings, 0, head) + W].set(0, 0, Scalar(0.5));
        edits[head_of_layer(settings, 0, 5) + "pattern"].set(1, 0, Scalar(0.25));
        edits[head_of_layer(settings, 1, 0) + W].set(1, 1, Scalar(-2));
        const Trace all = graph(small_edges(), settings, edits);
        const Trace some = compute(before.shared_plan(), edits, kWatchAll, &before);
        for (const Tensor& tensor : all.tensors())
            CHECK_MESSAGE(is_same(*tensor.value, value(some, tensor.path())), tensor.path());
    }
}

TEST_CASE("graph attention: a graph without nodes, sizes below 1 and foreign edges are errors") {
    CHECK(error_of([] {
              plan_graph_attention(GraphNodes{}, make_edges(0, {}), GraphSettings{}, 1);
          }) == "[graph] there is no node to attend to; add a node");
    const std::string size_error = "[graph] layers, heads and widths must be at least 1";
    CHECK(error_of([] { graph(small_edges(), {.n_layers = 0}); }) == size_error);
    CHECK(error_of([] { graph(small_edges(), {.n_heads = {{0}}}); }) == size_error);
    CHECK(error_of([] { graph(small_edges(), {.d_in = 0}); }) == size_error);
    CHECK(error_of([] { graph(small_edges(), {.n_layers = 2, .d_out = {{4, 0}}}); }) == size_error);
    CHECK(error_of([] {
              graph(small_edges(), {.n_layers = 3, .n_heads = {{4, 2}}});
          }) == "[graph] n_heads has 2 numbers for 3 layers; give one, or one for each layer");
    CHECK(error_of([] { graph(small_edges(), {.d_out = {{0}}}); }) == size_error);
    CHECK(error_of([] { graph(small_edges(), {.d_edge = -1}); }) ==
          "[graph] d_edge is -1; it is the width of edge features, or 0 for none");
    CHECK(error_of([] {
              plan_graph_attention(GraphNodes{{"a", "b"}, {"a", "b"}}, small_edges(),
                                   GraphSettings{}, 1);
          }) == "[graph] the edges are for 6 nodes, there are 2");
}

}  // namespace headlight::graph_attention_test
