// The statements of the studies about alignments, images and graphs.
#include <algorithm>

#include "model/claims.h"

namespace headlight::claims_test {
namespace {

void check_free_running() {
    const Trace trace = computed(ready("free-running"));
    const Matrix &logits = at(trace, "decoder.steps.0.logits"), &E = at(trace, "decoder.embed");
    Index written = 0;
    logits.row(0).maxCoeff(&written);
    CHECK(far(at(trace, "decoder.steps.1.y"), E.row(written + 1)) == 0);  // row 0 is <start>
}

void check_influence() {
    const Trace trace = computed(ready("influence"));
    const Matrix& J = at(trace, "influence.encoder");
    const Index last = J.rows() - 1;
    CHECK(J(last, 0) < Scalar(0.2) * J(last, last));
}

void check_convolution() {
    Scalar before = std::numeric_limits<Scalar>::max();
    for (const float alpha : {1.0f, 2.0f, 4.0f, 8.0f, 16.0f}) {
        const Trace trace =
            changed("convolution", [=](Document& d) { d.image()->layer.alpha = alpha; });
        const Scalar now = at(trace, "difference").cwiseAbs().maxCoeff();
        CHECK(now < before);
        before = now;
    }
    CHECK(before < Scalar(1e-4));
}

void check_karate() {
    const Trace trace = computed(ready("gat"));
    const Edges& edges = *trace.edges();
    for (Index i = 0; i < edges.n_nodes; ++i) {
        bool reads_itself = false;
        for (std::size_t e = 0; e < edges.row.size(); ++e)
            reads_itself = reads_itself || (edges.row[e] == i && edges.neighbour[e] == i);
        CHECK(reads_itself);
    }
}

void check_rankings() {
    CHECK(has_equal_rows(at(computed(ready("gat")), "gat.0.heads.0.ranking")));
    CHECK_FALSE(has_equal_rows(at(computed(ready("gatv2")), "gat.0.heads.0.ranking")));
}

void check_graph_layers() {
    // Without the edges of a node's neighbours, its row after two layers is different.
    const Document document = ready("graph-layers");
    Document without = document;
    std::vector<Edge>& edges = without.graph()->graph.edges;
    std::erase_if(edges, [](const Edge& edge) { return edge.source == 33 || edge.target == 33; });
    CHECK(std::ranges::none_of(document.graph()->graph.edges, [](const Edge& edge) {
        return std::minmax(edge.source, edge.target) == std::minmax(0, 33);
    }));
    const Trace a = computed(document), b = computed(without);
    CHECK(far(at(a, "gat.0.out").row(0), at(b, "gat.0.out").row(0)) == 0);
    CHECK(far(at(a, "gat.1.out").row(0), at(b, "gat.1.out").row(0)) > 0);
}

void check_edge_features() {
    const Document document = ready("edge-features");
    const Trace trace = computed(document);
    Document other = document;
    other.interventions["edge_features"] = intervene_on_all(at(trace, "edge_features") * 2);
    CHECK(far(at(computed(other), "gat.0.heads.0.scores"), at(trace, "gat.0.heads.0.scores")) > 0);
}

void check_sentence_graph() {
    const Trace graph = computed(ready("sentence-graph"));
    const Trace sentence = computed(ready("no-positions"));
    const Matrix& alpha = at(graph, head(0, "pattern"));
    const Matrix& A = at(sentence, head(0, "pattern"));
    REQUIRE(alpha.size() == A.size());
    for (std::size_t e = 0; e < graph.edges()->row.size(); ++e)
        CHECK(alpha(static_cast<Index>(e), 0) ==
              doctest::Approx(A(graph.edges()->row[e], graph.edges()->neighbour[e])).epsilon(1e-4));
    CHECK(far(at(graph, "blocks.0.attn.out"), at(sentence, "blocks.0.attn.out")) < Scalar(1e-4));
}

}  // namespace

Claims other_claims() {
    const auto is_context_the_same = [] {
        CHECK(has_equal_rows(at(computed(ready("no-attention")), "decoder.context")));
    };
    return {
        {"cross-attention",
         {"Queries of the target, keys and values of the source.",
          [] { check_has("cross-attention", {"blocks.0.cross.heads.0.q"}); }}},
        {"transformer",
         {"Encoder and decoder: three attentions, and a probability for each next word.",
          [] {
              check_has("transformer", {"encoder.blocks.0.attn.out", "decoder.blocks.0.attn.out",
                                        "decoder.blocks.0.cross.out", "probs"});
          }}},
        {"bahdanau",
         {"A GRU decoder that attends to a bidirectional GRU encoder, step by step.",
          [] {
              check_has("bahdanau", {"decoder.steps.0.r", "encoder.backward.steps.0.r"});
          }}},
        {"free-running",
         {"A recurrent decoder that reads the words it chose itself.", check_free_running}},
        {"no-attention",
         {"All the decoder knows of the source is the encoder's last states.",
          is_context_the_same}},
        {"lstm",
         {"The recurrent network with LSTM cells: see the gates of each step.",
          [] {
              check_has("lstm", {"decoder.steps.0.f", "decoder.steps.0.i"});
          }}},
        {"influence",
         {"A plain RNN forgets: the first word's influence on the last state is small.",
          check_influence}},
        {"image",
         {"Pixels that read each other: choose one to see what it reads.",
          [] { check_has("image", {"blocks.0.attn.heads.0.pattern"}); }}},
        {"convolution",
         {"Nine heads that form a convolution; the difference fades as alpha grows.",
          check_convolution}},
        {"gat", {"Each member of a karate club reads its friends and itself.", check_karate}},
        {"gatv2",
         {"See who ranks whom: in GAT all nodes agree, in GATv2 they need not.", check_rankings}},
        {"graph-layers",
         {"Two layers: a node learns from its friends' friends.", check_graph_layers}},
        {"edge-features",
         {"Edges have features, too, which enter the scores.", check_edge_features}},
        {"graph-transformer",
         {"Scaled dot products of queries and keys, among neighbours only.",
          [] { check_has("graph-transformer", {"blocks.0.attn.heads.0.scores"}); }}},
        {"sentence-graph",
         {"A sentence as a complete graph: the same attention as no-positions.",
          check_sentence_graph}},
    };
}

}  // namespace headlight::claims_test
