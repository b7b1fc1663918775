#include "core/graph_attention.h"

#include <cmath>
#include <doctest/doctest.h>

#include "core/studies.h"

using namespace headlight;

namespace {

const GraphAttentionSettings kTwoHeads{.n_heads = 2, .d_in = 3, .d_out = 4};

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

}  // namespace

TEST_CASE("graph attention: the α of a node's edges sum to 1") {
    const Trace trace = graph(small_edges(), kTwoHeads);
    CHECK(is_pattern(value(trace, "gat.0.heads.0.pattern"), small_edges()));
    CHECK(is_pattern(value(trace, "gat.0.heads.1.pattern"), small_edges()));
}

TEST_CASE("graph attention: wrong α are rejected") {
    const Edges edges = make_edges(2, {{0, 0}, {0, 1}});
    CHECK(is_pattern(Matrix{{0.25}, {0.75}}, edges));
    CHECK_FALSE(is_pattern(Matrix{{0.25}, {0.7501}}, edges));
    CHECK_FALSE(is_pattern(Matrix{{-0.25}, {1.25}}, edges));
    CHECK_FALSE(is_pattern(Matrix{{1}, {1}}, edges));
}

TEST_CASE("graph attention: a node that reads nobody has zeros") {
    const Trace trace = graph(small_edges(), kTwoHeads);
    CHECK(value(trace, "gat.0.out").row(5).isZero(0));
    CHECK_FALSE(value(trace, "gat.0.out").row(0).isZero(0));
}

TEST_CASE("graph attention: no edge at all gives zeros") {
    for (const Combine combine : {Combine::Concat, Combine::Mean}) {
        GraphAttentionSettings settings = kTwoHeads;
        settings.combine = combine;
        const Trace trace = graph(make_edges(3, {}), settings);
        CHECK(value(trace, "gat.0.heads.0.pattern").rows() == 0);
        CHECK(value(trace, "gat.0.out").isZero(0));
    }
}

TEST_CASE("graph attention: a node that reads only itself is its own projection") {
    const Trace trace = graph(make_edges(1, {{0, 0}}), kTwoHeads);
    CHECK(value(trace, "gat.0.heads.1.pattern")(0, 0) == 1);
    CHECK(is_same(value(trace, "gat.0.heads.1.out"), value(trace, "gat.0.heads.1.h")));
}

TEST_CASE("graph attention: a_dst goes with the node that looks, a_src with its neighbour") {
    Holds holds;
    holds["gat.0.heads.0.a_src"] = hold_all(Matrix::Zero(4, 1));
    const Trace trace = graph(small_edges(), kTwoHeads, holds);
    const Edges edges = small_edges();
    const Matrix& raw = value(trace, "gat.0.heads.0.raw_scores");
    const Matrix& dst = value(trace, "gat.0.heads.0.score_dst");
    for (Index e = 0; e < edges.size(); ++e)
        CHECK(raw(e, 0) == dst(edges.row[static_cast<std::size_t>(e)], 0));
}

TEST_CASE("graph attention: renaming the order of the nodes renames the rows, to rounding") {
    const std::vector<Index> place{4, 2, 0, 5, 1, 3};  // old index → new index
    const Edges edges = small_edges();
    std::vector<Reading> readings;
    for (std::size_t e = 0; e < edges.row.size(); ++e)
        readings.push_back({place[static_cast<std::size_t>(edges.row[e])],
                            place[static_cast<std::size_t>(edges.neighbour[e])]});
    std::vector<std::string> nodes(6);
    for (std::size_t i = 0; i < 6; ++i)
        nodes[static_cast<std::size_t>(place[i])] = "n" + std::to_string(i);
    const Trace moved = compute(plan_graph_attention(nodes, make_edges(6, readings), kTwoHeads, 1),
                                {}, kWatchAll, nullptr);
    const Trace trace = graph(edges, kTwoHeads);
    Matrix expected(6, 8);
    for (Index i = 0; i < 6; ++i)
        expected.row(place[static_cast<std::size_t>(i)]) = value(trace, "gat.0.out").row(i);
    CHECK(distance(value(moved, "gat.0.out"), expected) < 2e-6);
    CHECK(distance(value(trace, "gat.0.out"), expected) > 1e-2);
}

TEST_CASE("graph attention: every value has the shape of its axes, and nothing is n × n") {
    const Trace trace = graph(small_edges(), kTwoHeads);
    for (const Tensor& tensor : trace.tensors()) {
        CHECK_MESSAGE(tensor.value->rows() == tensor.rows.size, tensor.path);
        CHECK_MESSAGE(tensor.value->cols() == tensor.columns.size, tensor.path);
        CHECK(tensor.value->size() < 6 * 9);
    }
    CHECK(value(trace, "gat.0.heads.0.pattern").rows() == small_edges().size());
}

TEST_CASE("graph attention: no node, sizes below 1 and edges of another graph are errors") {
    CHECK(error_of([] { plan_graph_attention({}, make_edges(0, {}), {}, 1); }) ==
          "[graph] there is no node to attend to; add a node");
    const std::string size_error = "[graph] heads and widths must be at least 1";
    CHECK(error_of([] { graph(small_edges(), {.n_heads = 0}); }) == size_error);
    CHECK(error_of([] { graph(small_edges(), {.d_in = 0}); }) == size_error);
    CHECK(error_of([] { graph(small_edges(), {.d_out = 0}); }) == size_error);
    CHECK(error_of([] {
              plan_graph_attention({"a", "b"}, small_edges(), {}, 1);
          }) == "[graph] the edges are for 6 nodes, there are 2");
}
