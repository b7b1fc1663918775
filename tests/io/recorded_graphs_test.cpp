// Recordings of attention on the edges of graphs.
#include <cmath>
#include <doctest/doctest.h>
#include <string_view>

#include "../recorded_shard.h"
#include "../temporary_folder.h"
#include "broken_input.h"
#include "core/analyses/head_metrics.h"
#include "io/arrays/recording.h"
#include "io/open_document.h"
#include "io/studies/study.h"
#include "model/changes.h"
#include "model/evaluate.h"

namespace headlight::recorded_graphs_test {
namespace {

/// Two graphs. The edges stand in another order than a layer's: that is 1 → 0, 0 → 1, 2 → 1, 1 → 2.
constexpr const char* kGraphs = R"({
  "attention": 1,
  "texts": [{"nodes": ["Ada", "Bob", "Cy"], "edges": [[2, 1, 1, 0], [1, 2, 0, 1]]},
            {"nodes": 2, "edges": [[0, 1], [0, 0]]}],
  "attentions": [{"kind": "edges", "layers": 2, "heads": [2, 1], "d_k": 3}],
  "shards": ["a.safetensors"],
  "arrays": [
    {"shard": 0, "text": 0, "kind": "edges", "layers": [0, 1], "heads": [0, 2],
     "pattern": "p0", "q": "q0", "k": "k0"},
    {"shard": 0, "text": 0, "kind": "edges", "layers": [1, 2], "heads": [0, 1],
     "pattern": "p1", "q": "q1", "k": "k1"},
    {"shard": 0, "text": 1, "kind": "edges", "layers": [0, 1], "heads": [0, 2],
     "pattern": "r0", "q": "s0", "k": "t0"},
    {"shard": 0, "text": 1, "kind": "edges", "layers": [1, 2], "heads": [0, 1],
     "pattern": "r1", "q": "s1", "k": "t1"}]})";

const std::vector<NamedShape> kArrays = {
    {"p0", {1, 2, 4, 1}}, {"q0", {1, 2, 3, 3}}, {"k0", {1, 2, 3, 3}}, {"p1", {1, 1, 4, 1}},
    {"q1", {1, 1, 3, 3}}, {"k1", {1, 1, 3, 3}}, {"r0", {1, 2, 2, 1}}, {"s0", {1, 2, 2, 3}},
    {"t0", {1, 2, 2, 3}}, {"r1", {1, 1, 2, 1}}, {"s1", {1, 1, 2, 3}}, {"t1", {1, 1, 2, 3}}};

std::string graphs(const TemporaryFolder& folder, const std::string& index = kGraphs) {
    folder.with("a.safetensors", shard_bytes(0, kArrays));
    return folder.with("g.attention.json", index);
}

std::string error_with(const std::string& old, const std::string& now) {
    const TemporaryFolder folder;
    std::string index = kGraphs;
    REQUIRE(index.find(old) != std::string::npos);
    index.replace(index.find(old), old.size(), now);
    return error_of([&] { open_document(graphs(folder, index)); });
}

const Matrix& values(const Trace& trace, std::string_view path) {
    const Tensor& tensor = trace.at(path);
    REQUIRE(tensor.value);
    return *tensor.value;
}

}  // namespace

TEST_CASE("recorded graphs: the numbers of the edges, in the order of the layer, bit for bit") {
    const TemporaryFolder folder;
    const Document document = open_document(graphs(folder)).document;
    const Trace trace = evaluate(document, nullptr, {.everything = true, .globs = {}});
    REQUIRE(trace.edges());
    CHECK(trace.edges()->row == std::vector<Index>{0, 1, 1, 2});
    CHECK(trace.edges()->neighbour == std::vector<Index>{1, 0, 2, 1});
    CHECK(trace.items() == std::vector<std::string>{"Ada", "Bob", "Cy"});
    // Head 1 of layer 0 begins at the fifth number of the shard; the file has 2→1, 1→2, 1→0, 0→1.
    const std::size_t in_file[] = {2, 3, 0, 1};
    const Matrix& pattern = values(trace, "blocks.0.attn.heads.1.pattern");
    REQUIRE(pattern.rows() == 4);
    for (Index e = 0; e < 4; ++e) CHECK(pattern(e, 0) == cell_value(0, 4 + in_file[e]));
    const Matrix& last = values(trace, "blocks.1.attn.heads.0.pattern");
    for (Index e = 0; e < 4; ++e) CHECK(last(e, 0) == cell_value(0, 8 + 18 + 18 + in_file[e]));
    CHECK(!trace.find("blocks.1.attn.heads.1.pattern"));
    CHECK(values(trace, "blocks.0.attn.heads.1.q")(2, 1) == cell_value(0, 8 + 9 + 2 * 3 + 1));
    CHECK(trace.at("blocks.0.attn.heads.1.pattern").row_edges());
    CHECK(shown_label(trace, trace.at("blocks.0.attn.heads.1.pattern").rows(), 2) == "Bob ← Cy");
}

TEST_CASE(
    "recorded graphs: metrics of heads are those of the pattern as a matrix, others are NaN") {
    const TemporaryFolder folder;
    const Document document = open_document(graphs(folder)).document;
    const Trace trace = evaluate(document, nullptr, {.everything = true, .globs = {}});
    const Edges& edges = *trace.edges();
    const std::string head = "blocks.0.attn.heads.1.";
    const Matrix& pattern = values(trace, head + "pattern");
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3, 3);
    std::vector<double> n_neighbours(3, 0);
    for (std::size_t e = 0; e < edges.row.size(); ++e) {
        A(edges.row[e], edges.neighbour[e]) = static_cast<double>(pattern(Index(e), 0));
        ++n_neighbours[static_cast<std::size_t>(edges.row[e])];
    }
    double entropy = 0, sparsity = 0, n_several = 0;
    for (Index i = 0; i < 3; ++i) {
        A.row(i) /= A.row(i).sum();
        for (Index j = 0; j < 3; ++j)
            if (A(i, j) > 0) entropy -= A(i, j) * std::log2(A(i, j)) / 3;
        const double root = std::sqrt(n_neighbours[static_cast<std::size_t>(i)]);
        if (root > 1) sparsity += (root - 1 / A.row(i).norm()) / (root - 1), ++n_several;
    }
    CHECK(n_several < 3);  // a node that reads one other has no sparsity
    sparsity /= n_several;
    const Matrix& metrics = values(trace, head + "metrics");
    REQUIRE(metrics.rows() == 2);
    for (Index row = 0; row < 2; ++row) {
        const auto metric = [&](HeadMetric m) {
            return static_cast<double>(metrics(row, static_cast<Index>(m)));
        };
        CHECK(metric(HeadMetric::Entropy) == doctest::Approx(entropy));
        CHECK(metric(HeadMetric::Sparsity) == doctest::Approx(sparsity));
        CHECK(metric(HeadMetric::Symmetry) ==
              doctest::Approx(A.cwiseProduct(A.transpose()).sum() / A.squaredNorm()));
        for (const HeadMetric m :
             {HeadMetric::Distance, HeadMetric::Previous, HeadMetric::Next, HeadMetric::First,
              HeadMetric::Duplicate, HeadMetric::Induction, HeadMetric::Norm})
            CHECK(std::isnan(metric(m)));
    }
    CHECK(entropy > 0);
    CHECK(trace.find("blocks.1.attn.heads.0.metrics"));
}

TEST_CASE("recorded graphs: another graph of the file has its own nodes, edges and places") {
    const TemporaryFolder folder;
    Document document = open_document(graphs(folder)).document;
    choose_recorded_text(document, 1);
    const Trace trace = evaluate(document, nullptr, {.everything = true, .globs = {}});
    CHECK(trace.items() == std::vector<std::string>{"0", "1"});
    CHECK(trace.edges()->size() == 2);
    REQUIRE(needs_places(document));
    give_places(document);
    const std::vector<Node>& nodes = document.drawn_graph()->nodes;
    CHECK((nodes[0].x != nodes[1].x || nodes[0].y != nodes[1].y));
    CHECK(values(trace, "blocks.0.attn.heads.0.pattern")(1, 0) ==
          cell_value(0, 8 + 18 + 18 + 4 + 9 + 9 + 1));
}

TEST_CASE("recorded graphs: nodes can be moved, are saved with their places, and nothing else") {
    const TemporaryFolder folder;
    Document document = open_document(graphs(folder)).document;
    CHECK(needs_places(document));
    change_graph(document, [](Graph& graph) {
        for (Node& node : graph.nodes) node.x = 0.25f, node.y = 0.125f;
        graph.nodes[0].x = 0.5f;
    });
    const std::string saved =
        folder.with("s.headlight", write_study(document, {.folder = folder.file("")}));
    const Document again = open_document(saved).document;
    CHECK(again == document);
    CHECK(again.drawn_graph()->nodes[0].x == 0.5f);
    CHECK(contains(
        error_of([&] { change_graph(document, [](Graph& graph) { graph.remove_edge(1, 0); }); }),
        "its nodes can be moved, and nothing else of it changed"));
    CHECK(again == document);
    // The recording was made anew, with an edge the other way round.
    std::string index = kGraphs;
    index.replace(index.find("[[2, 1, 1, 0]"), 13, "[[2, 1, 1, 1]");
    index.replace(index.find("[1, 2, 0, 1]]"), 13, "[1, 2, 0, 1]]");
    graphs(folder, index);
    CHECK(contains(error_of([&] { open_document(saved); }), "has another graph than the study"));
}

TEST_CASE("recorded graphs: what is odd about the numbers of edges is said") {
    const TemporaryFolder folder;
    const std::string file = graphs(folder);
    folder.with("a.safetensors", shard_bytes(1, kArrays));  // all of them are larger than 2
    const Document document = open_document(file).document;
    const Watched watched{.everything = false, .globs = {"blocks.0.attn.heads.0.pattern"}};
    const Trace trace = evaluate(document, nullptr, watched);
    const auto notes = faults_of_watched(*document.recorded(), trace, watched);
    REQUIRE(notes.size() == 1);
    CHECK(notes[0] ==
          "layer 0, head 0: α of Bob → Ada is 2.002, not within 0 … 1 (4 edges are like that), the "
          "edges that lead to Ada sum to 2.002 instead of 1 (3 nodes are like that)");
}

TEST_CASE("recorded graphs: what the index may not say is refused by its place") {
    CHECK(contains(error_with("[[2, 1, 1, 0]", "[[3, 1, 1, 0]"),
                   "texts[0].edges[0][0]: is 3, but there are 3 nodes, counted from 0"));
    CHECK(contains(error_with("[1, 2, 0, 1]]", "[1, 2, 0, -1]]"), "texts[0].edges[1][3]: must be"));
    CHECK(contains(error_with("[1, 2, 0, 1]]", "[1, 2, 0]]"),
                   "texts[0].edges[1]: has 3 nodes, but there are 4 sources"));
    CHECK(contains(error_with("[[2, 1, 1, 0], [1, 2, 0, 1]]", "[[2, 1, 1, 2], [1, 2, 0, 1]]"),
                   "texts[0].edges: numbers 0 and 3 both lead from node 2 to node 1"));
    CHECK(contains(error_with("\"Bob\"", "\"Ada\""), "texts[0].nodes[1]: a second node is called"));
    CHECK(contains(error_with("\"heads\": [2, 1]", "\"heads\": [2]"),
                   "attentions[0].heads: has 1 number for 2 layers"));
    CHECK(contains(error_with("\"layers\": [1, 2], \"heads\": [0, 1]",
                              "\"layers\": [1, 2], \"heads\": [0, 2]"),
                   "arrays[1].heads: layer 1 has 1"));
    CHECK(contains(error_with("\"nodes\": 2", "\"tokens\": [\"a\"], \"nodes\": 2"),
                   "texts[1].tokens: is there, but attention of the kind 'edges'"));
    CHECK(contains(error_with("\"kind\": \"edges\", \"layers\": 2, \"heads\": [2, 1]",
                              "\"kind\": \"self\", \"layers\": 2, \"heads\": 2"),
                   "no attention of the kind 'edges' reads it"));
    CHECK(contains(error_with("\"pattern\": \"p1\"", "\"pattern\": \"p0\""),
                   "is (1, 2, 4, 1), but its index says (1, 1, 4, 1)"));
}

}  // namespace headlight::recorded_graphs_test
