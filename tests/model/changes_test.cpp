#include "model/changes.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "model/evaluate.h"

namespace headlight::edits_test {
namespace {

const std::string kPattern = "blocks.0.attn.heads.0.pattern";
const std::string kEdges = "gat.0.heads.0.pattern";

Document sentence(const std::string& text) {
    return {.study = SentenceStudy{.text = text, .layer = {}}, .seed = 1, .interventions = {}};
}

std::vector<CellValue> cells(const Document& document, const std::string& path) {
    const auto it = document.interventions.find(path);
    return it == document.interventions.end() ? CellValues{} : it->second.cells;
}

/// Where the pin at (2, 1) of the pattern of "the cat sat down" is after a change of the text: one
/// entry or none.
std::vector<CellValue> pin_after(const std::string& text) {
    Document document = sentence("the cat sat down");
    set_cell(document, kPattern, 2, 1, 1);
    set_text(document, text);
    return cells(document, kPattern);
}

template <typename Act>
std::string error_of(Act act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// a – b – c – d in a row.
Document chain() {
    Graph graph;
    for (const char* name : {"a", "b", "c", "d"}) graph.add_node(name, 0, 0);
    for (int i = 0; i < 3; ++i) graph.add_edge(i, i + 1);
    return {.study = GraphStudy{.graph = graph, .layer = {}, .self_loops = Switch::On},
            .seed = 1,
            .interventions = {}};
}

/// Pins the edge along which `row` reads `neighbour`.
void pin_edge(Document& document, Index row, Index neighbour, Scalar value) {
    const Edges edges = graph_edges(*document.graph());
    for (Index e = 0; e < edges.size(); ++e)
        if (edges.row[static_cast<std::size_t>(e)] == row &&
            edges.neighbour[static_cast<std::size_t>(e)] == neighbour)
            set_cell(document, kEdges, e, 0, value);
}

/// "a<b c<c": the edges whose pattern is set by hand, by the names of the nodes.
std::string held_edges(const Document& document) {
    const Edges edges = graph_edges(*document.graph());
    std::string text;
    for (const CellValue& cell : cells(document, kEdges)) {
        const auto e = static_cast<std::size_t>(cell.row);
        const auto name = [&](Index i) {
            return document.graph()->graph.nodes[static_cast<std::size_t>(i)].name;
        };
        text += (text.empty() ? "" : " ") + name(edges.row[e]) + "<" + name(edges.neighbour[e]);
    }
    return text;
}

}  // namespace

TEST_CASE(
    "set_cell, reset_cell, reset_tensor: no intervention is left when its last cell is reset") {
    Document document = sentence("it was");
    const Document before = document;
    set_cell(document, "embed", 0, 1, 2);
    set_cell(document, "embed", 0, 1, 3);
    set_cell(document, "embed", 1, 1, 4);
    CHECK(cells(document, "embed") == std::vector<CellValue>{{0, 1, 3}, {1, 1, 4}});
    reset_cell(document, "embed", 0, 1);
    reset_cell(document, "embed", 7, 7);
    reset_cell(document, "mask", 0, 0);
    CHECK(cells(document, "embed") == std::vector<CellValue>{{1, 1, 4}});
    reset_cell(document, "embed", 1, 1);
    CHECK(document == before);
    set_cell(document, "embed", 0, 1, 2);
    reset_tensor(document, "embed");
    reset_tensor(document, "mask");
    CHECK(document == before);
}

TEST_CASE("set_tensor: every cell; wrong shapes and NaN are errors") {
    Document document = sentence("it was");
    const Trace trace(plan(document));
    const Tensor& mask = trace.at("mask");
    set_tensor(document, mask, Matrix{{0, kMasked}, {0, 0}});
    CHECK(cells(document, "mask").size() == 4);
    CHECK(error_of([&] { set_tensor(document, mask, Matrix(2, 3)); }) ==
          "[edit] mask is 2 × 2, the values given are 2 × 3");
    const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
    CHECK(error_of([&] {
              set_tensor(document, mask, Matrix{{0, 0}, {nan, 0}});
          }) == "[edit] the value for mask[1, 0] is NaN; a cell needs a number, or −inf");
    CHECK(error_of([&] { set_cell(document, "mask", 0, 0, nan); }) ==
          "[edit] a cell cannot be set to NaN; enter a number, or −inf to mask");
    const Scalar endless = std::numeric_limits<Scalar>::infinity();
    CHECK(error_of([&] {
              set_tensor(document, mask, Matrix{{0, 0}, {0, endless}});
          }) == "[edit] the value for mask[1, 1] is +inf; a cell needs a number, or −inf");
    CHECK(error_of([&] { set_cell(document, "mask", 0, 0, endless); }) ==
          "[edit] a cell cannot be set to +inf; enter a number, or −inf to mask");
    CHECK(cells(document, "mask").size() == 4);
}

TEST_CASE("set_text: pins follow their words") {
    using Cells = std::vector<CellValue>;
    CHECK(pin_after("the cat sat down") == Cells{{2, 1, 1}});
    CHECK(pin_after("so the cat sat down") == Cells{{3, 2, 1}});
    CHECK(pin_after("cat sat down") == Cells{{1, 0, 1}});
    CHECK(pin_after("the cat sat right down") == Cells{{2, 1, 1}});
    CHECK(pin_after("the cat just sat down") == Cells{{3, 1, 1}});
    CHECK(pin_after("the cats sat down") == Cells{{2, 1, 1}});  // a word that is being typed
    CHECK(pin_after("the cat down").empty());
    CHECK(pin_after("").empty());
}

TEST_CASE("set_text: pins of removed words disappear, the others stay") {
    Document document = sentence("the cat sat down");
    set_cell(document, "embed", 1, 5, 2);
    set_cell(document, "embed", 3, 5, 3);
    set_cell(document, kPattern, 1, 3, 1);
    set_cell(document, "blocks.0.attn.W_O", 3, 3, 4);
    document.interventions["embed"].rows = RowRule::Renormalise;
    set_text(document, "the sat down");
    CHECK(cells(document, "embed") == std::vector<CellValue>{{2, 5, 3}});
    CHECK(document.interventions["embed"].rows == RowRule::Renormalise);
    CHECK_FALSE(document.interventions.contains(kPattern));
    CHECK(cells(document, "blocks.0.attn.W_O") == std::vector<CellValue>{{3, 3, 4}});
}

TEST_CASE("set_text: repeated words are matched from both ends") {
    Document document = sentence("a a a b");
    for (Index i = 0; i < 4; ++i) set_cell(document, "embed", i, 0, static_cast<Scalar>(i));
    set_text(document, "a a a a b");
    CHECK(cells(document, "embed") ==
          std::vector<CellValue>{{0, 0, 0}, {1, 0, 1}, {2, 0, 2}, {4, 0, 3}});
}

TEST_CASE("set_text: interventions on tensors that do not exist now are kept") {
    Document document = sentence("the cat");
    set_cell(document, "blocks.3.attn.W_O", 0, 0, 1);
    set_text(document, "the cat sat");
    CHECK(document.interventions.contains("blocks.3.attn.W_O"));
}

TEST_CASE("set_text: an edit of an answer stays with its sentence and its word") {
    Document document = sentence("a cat saw it\nthe dog left it");
    document.sentence()->layer.unembedding = Unembedding::Learned;
    document.sentence()->layer.readout = Readout::Pronoun;
    set_cell(document, "answer", 1, 1, 1);  // of dog
    set_text(document, "a very old cat saw it\nthe dog left it");
    CHECK(cells(document, "answer") == std::vector<CellValue>{{1, 1, 1}});
    set_text(document, "a very old cat saw it\nnow the dog left it");
    CHECK(cells(document, "answer") == std::vector<CellValue>{{1, 2, 1}});
    set_text(document, "now the dog left it");
    CHECK(cells(document, "answer") == std::vector<CellValue>{{0, 2, 1}});
    set_text(document, "now the dog left it\na cat saw it");
    CHECK(cells(document, "answer") == std::vector<CellValue>{{0, 2, 1}});
    set_text(document, "a cat saw it");
    CHECK(cells(document, "answer").empty());
}

TEST_CASE("set_text: text that is not UTF-8 and studies without text are errors") {
    for (const bool is_pinned : {false, true}) {
        Document document = sentence("the cat");
        if (is_pinned) set_cell(document, "embed", 0, 0, 1);
        const Document before = document;
        CHECK(error_of([&] { set_text(document, "the \xc3"); }) ==
              "[text] byte 4 is not valid UTF-8; save the text as UTF-8");
        CHECK(document == before);
    }
    Document graph = chain();
    CHECK(error_of([&] { set_text(graph, "it"); }) == "[edit] this study has no sentence");
}

TEST_CASE("set_graph_study: pins follow their nodes and edges") {
    Document document = chain();
    pin_edge(document, 1, 2, Scalar(0.5));
    pin_edge(document, 3, 3, Scalar(0.25));
    set_cell(document, "embed", 2, 1, 7);
    REQUIRE(held_edges(document) == "b<c d<d");

    GraphStudy changed = *document.graph();
    changed.graph.remove_node(0);
    set_graph_study(document, changed);
    CHECK(held_edges(document) == "b<c d<d");
    CHECK(cells(document, "embed") == std::vector<CellValue>{{1, 1, 7}});

    changed.graph.add_edge(0, 2);
    set_graph_study(document, changed);
    CHECK(held_edges(document) == "b<c d<d");

    changed.self_loops = Switch::Off;
    set_graph_study(document, changed);
    CHECK(held_edges(document) == "b<c");

    changed.graph.directed = true;  // b → c: only c reads
    set_graph_study(document, changed);
    CHECK(held_edges(document) == "");
    CHECK_FALSE(document.interventions.contains(kEdges));
}

TEST_CASE("set_graph_study: the pins of a removed node disappear") {
    Document document = chain();
    pin_edge(document, 1, 2, Scalar(0.5));
    set_cell(document, "embed", 2, 1, 7);
    GraphStudy changed = *document.graph();
    changed.graph.remove_node(2);
    set_graph_study(document, changed);
    CHECK(document.interventions.empty());
    CHECK(document.graph()->graph.nodes.size() == 3);
}

TEST_CASE("set_graph_study: a sentence has no graph") {
    Document document = sentence("it");
    CHECK(error_of([&] { set_graph_study(document, {}); }) == "[edit] this study has no graph");
}

TEST_CASE(
    "graph_edges: edges go both ways unless directed, each pair once, with self-loops if set") {
    GraphStudy study = *chain().graph();
    CHECK(graph_edges(study).size() == 6 + 4);
    study.self_loops = Switch::Off;
    CHECK(graph_edges(study).size() == 6);
    study.graph.add_edge(0, 0);
    CHECK(graph_edges(study).size() == 7);
    study.self_loops = Switch::On;
    CHECK(graph_edges(study).size() == 6 + 4);
    study.graph.directed = true;
    CHECK(graph_edges(study).size() == 3 + 4);
    CHECK(graph_edges(GraphStudy{}).size() == 0);
}

TEST_CASE("patch_tensor: it sets the rows of one sentence; interventions in the others stay") {
    Document document = sentence("it is\nwe are");
    PlannedTensor second{.path = kPattern, .symbol = "A", .equation = "A"};
    second.rows.size = second.columns.size = 2;
    second.first_row = 2;
    set_cell(document, kPattern, 0, 1, Scalar(0.25));
    set_cell(document, kPattern, 3, 1, Scalar(0.125));
    patch_tensor(document, second, Matrix{{1, 0}, {0.5, 0.5}});
    CHECK(
        cells(document, kPattern) ==
        std::vector<CellValue>{
            {0, 1, Scalar(0.25)}, {2, 0, 1}, {2, 1, 0}, {3, 0, Scalar(0.5)}, {3, 1, Scalar(0.5)}});
    const Document before = document;
    CHECK(error_of([&] { patch_tensor(document, second, Matrix::Zero(3, 3)); }) ==
          "[edit] " + kPattern + " is 2 × 2, the values given are 3 × 3");
    CHECK(document == before);
}

}  // namespace headlight::edits_test
