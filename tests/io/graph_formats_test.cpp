#include "io/graphs/graph_formats.h"

#include <doctest/doctest.h>
#include <string>

#include "core/error.h"
#include "io/graphs/gexf.h"
#include "io/open_document.h"
#include "temporary_folder.h"

namespace headlight::graph_formats_test {
namespace {

const std::string kName = "input";

std::string format(const std::string& bytes, const std::string& extension = "") {
    return std::string(format_of({bytes, kName, extension}).name);
}

std::string message(const std::string& bytes, const std::string& extension = "") {
    try {
        read_graph({bytes, kName, extension});
    } catch (const Error& error) {
        return error.what();
    }
    return "read";
}

ReadGraph gexf(const std::string& inside) {
    return read_gexf("<?xml version=\"1.0\"?>\n<gexf>" + inside + "</gexf>\n", kName);
}

}  // namespace

TEST_CASE("format_of: each format is known by its content") {
    CHECK(format("<?xml version='1.0'?>\n<gexf/>") == "GEXF");
    CHECK(format("<?xml version='1.0'?>\n<graphml/>") == "GraphML");
    CHECK(format("<graphml/>") == "GraphML");
    CHECK(format("%%MatrixMarket matrix coordinate real general\n1 1 0\n") == "Matrix Market");
    CHECK(format("graph [\n node [ id 1 ]\n]") == "GML");
    CHECK(format("graph {\n a -- b }") == "DOT");
    CHECK(format("*Vertices 3\n") == "Pajek");
    CHECK(format("0,1,0\n1,0,1\n0,1,0") == "adjacency matrix");
    CHECK(format("a b c d\nb c\nc\nd") == "adjacency list");
    CHECK(format("source target weight\n0 1 1\n1 0 0\n1 0 0") == "edge list");
    for (const char* text :
         {"a b\nb c", "graph 1\na graph", "strict x", "0 1\n1 0", "5 6\n1 2\n2 3", "dl x\ny z",
          "3 3\n1 2\n2 3\n3 1", "Dan", "p q\nq r"}) {
        CAPTURE(text);
        CHECK(format(text) == "edge list");
    }
}

TEST_CASE("format_of: the file's ending decides where the content cannot") {
    CHECK(format("1 pp 2\n2 pp 3", ".sif") == "SIF");
    CHECK(format("a b c\nb c d", ".adjlist") == "adjacency list");
    const TemporaryFolder folder;
    const OpenedFile opened = open_document(folder.with("net.SIF", "1\tpp\t2\n2\tpp\t3\n"));
    CHECK(opened.document.graph()->graph.edges == std::vector<Edge>{{0, 1}, {1, 2}});
    CHECK(opened.notes == "kinds of edges without effect: 'pp'");
}

TEST_CASE("read_graph: a format that is not read is refused by its name, with what to do") {
    const std::string graphml =
        ", which is not read; write it as GraphML, as networkx.write_graphml(graph, "
        "\"graph.graphml\") does";
    const std::string lines =
        ", which is not read; write a line \"a b\" for each edge, as "
        "networkx.write_edgelist(graph, \"graph.edges\") does";
    for (const char* text : {">>graph6<<DhC\n", "DhC", ">>sparse6<<:DaYn\n"}) {
        CAPTURE(text);
        CHECK(message(text) == "[input] is graph6 or sparse6" + graphml);
    }
    CHECK(message(":DaYn", ".s6") == "[input] is graph6 or sparse6" + graphml);
    CHECK(message("#program\n# GMT Fri Nov 27 12:00:00 2026\n# x\na 1\nb {'weight': 2}\nb 0\n") ==
          "[input] is NetworkX's multiline adjacency list" + graphml);
    CHECK(message("dl n=3 format=edgelist1\ndata:\n1 2\n2 3\n") ==
          "[input] is UCINET DL, which is not read; save it as Pajek or GraphML");
    CHECK(message("c a comment\np edge 3 2\ne 1 2\ne 2 3\n") == "[input] is DIMACS" + lines);
    CHECK(message("# a\nb\n# b\nc\n", ".lgl") ==
          "[input] is LGL, which is not read; write it as GraphML, as "
          "graph.write_graphml(\"graph.graphml\") of igraph does");
    CHECK(message("4 4\n2 4\n1 3\n2 4\n1 3\n") == "[input] is METIS" + lines);
    CHECK(message("---\nnodes:\n  - a\n") == "[input] is YAML" + lines);
    for (const char* text : {"[(0, 1), (1, 2)]", "(0, 1),\n(1, 2)\n", "{(0, 1): 2}"}) {
        CAPTURE(text);
        CHECK(message(text) == "[input] is Python" + lines);
    }
}

TEST_CASE("open_document: JSON that is neither a study nor a graph says so") {
    const TemporaryFolder folder;
    const std::string file = folder.with("a.json", "{\"a\": 1}");
    CHECK_THROWS_WITH_AS(open_document(file),
                         ("[" + file +
                          "] line 1: is neither a study, which has a key 'kind', nor a graph, with "
                          "'nodes' and 'links' or 'edges', 'elements' or 'graph'")
                             .c_str(),
                         Error);
    CHECK(open_document(folder.with("b.json", "[[1, 2], [2, 3]]")).document.graph());
    CHECK(open_document(folder.with("c.txt", "[a] [b]")).document.graph()->graph.nodes[0].name ==
          "[a]");
}

TEST_CASE("read_gexf: nodes, labels, places, groups, and edges with weights and directions") {
    const ReadGraph read = gexf(
        "<graph defaultedgetype=\"directed\"><attributes class=\"node\"><attribute id=\"0\" "
        "title=\"Modularity Class\"/><attribute id=\"1\" title=\"age\"><default>7</default>"
        "</attribute></attributes><attributes class=\"edge\"><attribute id=\"0\" title=\"kind\"/>"
        "</attributes><nodes><node id=\"n0\" label=\"Ann\"><attvalues><attvalue for=\"0\" "
        "value=\"1\"/></attvalues><viz:position x=\"0\" y=\"9\"/></node><node id=\"n1\" "
        "label=\"Bo\"><attvalues><attvalue for=\"0\" value=\"2\"/><attvalue for=\"1\" "
        "value=\"8\"/></attvalues><viz:position x=\"5\" y=\"0\"/></node></nodes><edges><edge "
        "id=\"0\" source=\"n1\" target=\"n0\" weight=\"2.5\"><attvalues><attvalue for=\"0\" "
        "value=\"x\"/></attvalues></edge></edges></graph>");
    CHECK(read.graph.directed);
    REQUIRE(read.graph.nodes.size() == 2);
    const Node &ann = read.graph.nodes[0], &bo = read.graph.nodes[1];
    CHECK(ann.name == "Ann");
    CHECK(bo.group == 2);
    CHECK(ann.features == Features({7}));
    CHECK(ann.x < bo.x);
    CHECK(ann.y < bo.y);  // upwards in GEXF, downwards here
    CHECK(read.graph.edges == std::vector<Edge>{{1, 0, 2.5f}});
    CHECK(notes_text(read.notes) ==
          "without effect: attribute 'kind' of edges, features of nodes: 'age'");
}

TEST_CASE("read_gexf: an edge may have a direction of its own") {
    const std::string nodes = "<nodes><node id=\"a\"/><node id=\"b\"/></nodes>";
    const auto graph = [&](const std::string& edges) {
        return gexf("<graph defaultedgetype=\"undirected\">" + nodes + "<edges>" + edges +
                    "</edges></graph>");
    };
    CHECK(graph("<edge source=\"a\" target=\"b\" type=\"directed\"/>").graph.directed);
    const ReadGraph mixed = graph(
        "<edge source=\"a\" target=\"b\"/><edge source=\"a\" target=\"a\" type=\"directed\"/>");
    CHECK(mixed.graph.edges == std::vector<Edge>{{0, 1}, {1, 0}, {0, 0}});
}

}  // namespace headlight::graph_formats_test
