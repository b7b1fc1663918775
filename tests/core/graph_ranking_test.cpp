// How queries rank keys, and the graph transformer compared with a sentence.
#include <doctest/doctest.h>

#include "core/mechanisms/graph_attention.h"
#include "core/mechanisms/transformer.h"
#include "core/studies.h"

namespace headlight::graph_ranking_test {
namespace {

Edges all_pairs(Index n) {
    std::vector<EdgeEnds> edges;
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) edges.push_back({i, j});
    return make_edges(n, std::move(edges));
}

GraphSettings one_head(GraphMechanism mechanism, int width) {
    return {.mechanism = mechanism, .n_heads = {{1}}, .d_in = width, .d_out = {{width}}};
}

/// True if every query ranks the keys in the same order.
bool is_static(const Matrix& ranking) {
    for (Index i = 1; i < ranking.rows(); ++i)
        if (!is_same(ranking.row(i), ranking.row(0))) return false;
    return true;
}

/// The values per edge of all_pairs(n) as an n × n matrix.
Matrix as_square(const Matrix& per_edge, Index n) {
    return Eigen::Map<const Matrix>(per_edge.data(), n, n);
}

/// The same words as a sentence without positions and as a complete graph.
const std::string kWords = "the cat saw the dog";

Trace complete_graph_of(const GraphSettings& settings) {
    const std::vector<std::string> words = words_of(kWords);
    GraphNodes nodes;
    for (std::size_t i = 0; i < words.size(); ++i) {
        nodes.names.push_back(words[i] + std::to_string(i));
        nodes.keys.push_back("word:" + words[i]);
    }
    const Edges edges = all_pairs(static_cast<Index>(words.size()));
    return compute(plan_graph_attention(nodes, edges, settings, 1), {}, kWatchAll, nullptr);
}

}  // namespace

TEST_CASE("GAT: for all weights, every query ranks the keys in the same order") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Interventions interventions;
        interventions["embed"] = intervene_on_all(random_matrix(7, 3, seed));
        interventions["gat.0.heads.0.W"] = intervene_on_all(random_matrix(3, 3, seed + 100));
        interventions["gat.0.heads.0.a_src"] = intervene_on_all(random_matrix(3, 1, seed + 200));
        interventions["gat.0.heads.0.a_dst"] = intervene_on_all(random_matrix(3, 1, seed + 300));
        const Trace trace = graph(all_pairs(7), one_head(GraphMechanism::Gat, 3), interventions);
        CHECK(is_static(value(trace, "gat.0.heads.0.ranking")));
    }
}

TEST_CASE("GATv2: every query can rank a different key first, here itself") {
    // One-hot features, x = e_i − e_j. For i = j this is 0. Otherwise LeakyReLU gives 1 − slope,
    // which `a` turns against the key.                                       [Brody 2022, §4.1]
    const Index n = 5;
    Interventions interventions;
    interventions["embed"] = intervene_on_all(Matrix::Identity(n, n));
    interventions["gat.0.heads.0.W_dst"] = intervene_on_all(Matrix::Identity(n, n));
    interventions["gat.0.heads.0.W_src"] = intervene_on_all(-Matrix::Identity(n, n));
    interventions["gat.0.heads.0.a"] = intervene_on_all(Matrix::Constant(n, 1, -10));
    const Trace trace = graph(all_pairs(n), one_head(GraphMechanism::GatV2, n), interventions);
    const Matrix& ranking = value(trace, "gat.0.heads.0.ranking");
    CHECK_FALSE(is_static(ranking));
    CHECK(ranking.diagonal().isZero(0));
    const Matrix pattern = as_square(value(trace, "gat.0.heads.0.pattern"), n);
    CHECK(pattern.diagonal().minCoeff() > 0.99);
}

TEST_CASE("graph transformer: queries rank keys differently") {
    const Trace trace = graph(all_pairs(7), one_head(GraphMechanism::Transformer, 3));
    CHECK_FALSE(is_static(value(trace, "blocks.0.attn.heads.0.ranking")));
}

TEST_CASE("all_scores: where there is an edge, they equal its score") {
    const Edges edges = small_edges();
    for (const GraphMechanism mechanism :
         {GraphMechanism::Gat, GraphMechanism::GatV2, GraphMechanism::Transformer}) {
        const Trace trace = graph(edges, one_head(mechanism, 3));
        const bool is_transformer = mechanism == GraphMechanism::Transformer;
        const std::string head = is_transformer ? "blocks.0.attn.heads.0" : "gat.0.heads.0";
        const Matrix& all = value(trace, head + ".all_scores");
        const Matrix& scores = value(trace, head + ".scores");
        CHECK(all.rows() == 6);
        for (std::size_t e = 0; e < edges.row.size(); ++e)
            CHECK(all(edges.row[e], edges.neighbour[e]) ==
                  doctest::Approx(scores(static_cast<Index>(e), 0)).epsilon(1e-5));
    }
}

TEST_CASE("all_scores and ranking: they are computed on demand, and not for large graphs") {
    const auto plan = [](Index n) {
        const std::vector<std::string> names(static_cast<std::size_t>(n), "node");
        return plan_graph_attention(GraphNodes{names, names}, make_edges(n, {}), GraphSettings{},
                                    1);
    };
    CHECK(plan(kMostPairedNodes).at("gat.0.heads.0.ranking").keep == Keep::OnDemand);
    CHECK(plan(kMostPairedNodes).at("gat.0.heads.0.all_scores").keep == Keep::OnDemand);
    CHECK(plan(kMostPairedNodes + 1).find("gat.0.heads.0.all_scores") == nullptr);
    CHECK(plan(kMostPairedNodes + 1).find("gat.0.heads.0.ranking") == nullptr);
}

TEST_CASE("graph transformer: the complete graph of a sentence is self-attention") {
    StackSettings sentence_settings{.n_layers = 2, .d_model = 6, .positions = Positions::None};
    sentence_settings.attention.n_heads = 3;
    sentence_settings.attention.d_k = sentence_settings.attention.d_v = {{4}};
    sentence_settings.block.residual = Switch::Off;
    const GraphSettings graph_settings{.mechanism = GraphMechanism::Transformer,
                                       .n_layers = 2,
                                       .n_heads = {{3}},
                                       .d_in = 6,
                                       .d_out = {{4}},
                                       .activation = Activation::None};
    const Trace words =
        compute(plan_sentences({words_of(kWords)}, sentence_settings, 1), {}, kWatchAll, nullptr);
    const Trace nodes = complete_graph_of(graph_settings);
    int n_compared = 0;
    for (const Tensor& tensor : words.tensors()) {
        const Tensor* same = nodes.find(tensor.path());
        if (!same) continue;
        const bool is_square = same->rows().kind == AxisKind::Edge;
        const Matrix found = is_square ? as_square(*same->value, 5) : *same->value;
        CHECK_MESSAGE(distance(found, *tensor.value) < 1e-6, tensor.path());
        ++n_compared;
    }
    CHECK(n_compared == 2 + 2 * (1 + 3 * 10 + 3));  // embed and influence; each layer
    CHECK(distance(value(nodes, "blocks.1.attn.out"), value(words, "blocks.0.attn.out")) > 1e-3);
}

}  // namespace headlight::graph_ranking_test
