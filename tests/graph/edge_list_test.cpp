#include "graph/edge_list.h"

#include <doctest/doctest.h>
#include <string>

#include "core/error.h"
#include "graph/built_in_graphs.h"

namespace headlight::edge_list_test {
namespace {

ReadGraph parse(std::string_view text, Directed directed = Directed::No) {
    return read_edge_list(text, directed, "test.edges");
}

/// "a b c" in the order of the nodes.
std::string names(const Graph& graph) {
    std::string joined;
    for (const Node& node : graph.nodes) joined += (joined.empty() ? "" : " ") + node.name;
    return joined;
}

/// The graph without positions, which an edge list does not store.
Graph without_places(Graph graph) {
    graph.title.clear();
    for (Node& node : graph.nodes) node.x = node.y = 0;
    return graph;
}

Graph read_back(const Graph& graph) {
    return parse(write_edge_list(graph), graph.directed ? Directed::Yes : Directed::No).graph;
}

}  // namespace

TEST_CASE("read_edge_list: nodes keep the order in which they first appear") {
    const Graph graph = parse("# a triangle\nb a\na c\n\nc b\n").graph;
    CHECK(names(graph) == "b a c");
    CHECK(graph.edges == std::vector<Edge>{{0, 1}, {1, 2}, {2, 0}});
    CHECK_FALSE(graph.directed);
    CHECK(parse("a b", Directed::Yes).graph.directed);
}

TEST_CASE("read_edge_list: spaces, tabs, commas and semicolons separate") {
    for (const char* text : {"a b", "  a\tb  ", "a,b", "a, b", "a;b;", "a b # why", "a b\r\n",
                             "\xEF\xBB\xBF"
                             "a b\r\n\r\n",
                             "\n\n#x\n   \na b"}) {
        CAPTURE(text);
        const Graph graph = parse(text).graph;
        CHECK(names(graph) == "a b");
        CHECK(graph.edges == std::vector<Edge>{{0, 1}});
    }
}

TEST_CASE("read_edge_list: names are any UTF-8, with # inside") {
    CHECK(names(parse("Zürich C#\n東京 👩‍👩‍👧").graph) ==
          "Zürich C# 東京 👩‍👩‍👧");
}

TEST_CASE("read_edge_list: the first line with an edge decides the separator") {
    CHECK(names(parse("Ada Lovelace,Ben\nBen,Cleo").graph) == "Ada Lovelace Ben Cleo");
    CHECK(names(parse("New York\tLa Paz").graph) == "New York La Paz");
    CHECK(names(parse("x\n\"a, \"\"b\"\"\",\"c\"").graph) == "x a, \"b\" c");
    CHECK(names(parse("a;b,c").graph) == "a b,c");
    CHECK(names(parse("a b\rc d\r").graph) == "a b c d");  // line ends of old Macs
}

TEST_CASE("read_edge_list: a third column is the weight") {
    const Graph graph = parse("a b 0.5\nb c -2e1\nc d\nd e {}").graph;
    REQUIRE(graph.edges.size() == 4);
    CHECK(graph.edges[0].weight == 0.5f);
    CHECK(graph.edges[1].weight == -20);
    CHECK(graph.edges[2].weight == 1);
    CHECK(graph.edges[3].weight == 1);
    CHECK(graph.has_weights());
    CHECK_FALSE(parse("a b").graph.has_weights());
}

TEST_CASE("read_edge_list: a header names the columns, in any order, and others are ignored") {
    const Graph graph = parse("Label,Target,Weight,Source\nlikes,b,2.5,a\nknows,c,,b\n").graph;
    CHECK(names(graph) == "a b c");
    CHECK(graph.edges == std::vector<Edge>{{0, 1, 2.5f}, {1, 2}});
    CHECK(names(parse("from to\na b").graph) == "a b");
}

TEST_CASE(
    "read_edge_list: the column Type says the direction, and other columns are named in a note") {
    const ReadGraph directed = parse(
        "Source,Target,Type,Id,Label,timeset,Weight\n0,1,Directed,0,,,2.5\n1,2,Directed,1,,,1.0\n");
    CHECK(directed.graph.directed);
    CHECK(directed.graph.edges == std::vector<Edge>{{0, 1, 2.5f}, {1, 2}});
    CHECK(notes_text(directed.notes) == "without effect: column 'Id' of edges");
    const ReadGraph mixed =
        parse("Source;Target;Type\na;b;Directed\nb;c;Undirected\n", Directed::Yes);
    CHECK(mixed.graph.edges == std::vector<Edge>{{0, 1}, {1, 2}, {2, 1}});
    CHECK(notes_text(mixed.notes) ==
          "1 undirected edge of a directed graph taken as one edge each way");
    CHECK_FALSE(parse("source,target,type\na,b,Undirected\n", Directed::Yes).graph.directed);
    const ReadGraph other = parse("source,target,type\na,b,friend\nb,c,\n");
    CHECK(notes_text(other.notes) == "without effect: column 'type' of edges");
    CHECK_THROWS_WITH_AS(parse("source,target,type\na,b,Directed\nb,c,friend\n"),
                         "[edge list] test.edges:3: the type of an edge is 'friend'; it can be "
                         "Directed or Undirected",
                         Error);
}

TEST_CASE("read_edge_list: two words over numbers are names of columns that are not known") {
    const ReadGraph read = parse("id_1,id_2\n0,4\n4,7\n");
    CHECK(names(read.graph) == "0 4 7");
    CHECK(notes_text(read.notes) == "the first line, 'id_1', 'id_2', taken for names of columns");
    CHECK(names(parse("a b\n1 2\n2 a\n").graph) == "a b 1 2");
    CHECK_THROWS_WITH_AS(
        parse("Id,Label,timeset\n0,Ann,\n1,Bo,\n"),
        "[edge list] test.edges:1: the first line names columns of nodes, 'Id' and 'Label'; open "
        "the table of edges, whose first line names source and target",
        Error);
}

TEST_CASE("read_edge_list: data in braces, as NetworkX writes them, have the weight") {
    const ReadGraph read = parse(
        "0 1 {'weight': 4, 'color': 'r,e}d', \"n\": [1, {}]}\n1 2 {}\n2 3 {'value': 2}\n"
        "3 4 {'weight': np.float64(0.5)}\n");
    CHECK(names(read.graph) == "0 1 2 3 4");
    CHECK(read.graph.edges == std::vector<Edge>{{0, 1, 4}, {1, 2}, {2, 3, 2}, {3, 4, 0.5f}});
    CHECK(notes_text(read.notes) == "without effect: attributes 'color', 'n' of edges");
    CHECK(parse("a,b,{'weight': 2}\n").graph.edges == std::vector<Edge>{{0, 1, 2}});
    CHECK(parse("a\tb\t{'weight': 2, 'x': 1}\n").graph.edges == std::vector<Edge>{{0, 1, 2}});
    CHECK_THROWS_WITH_AS(parse("a b {weight}"),
                         "[edge list] test.edges:1: the data '{weight}' cannot be read; they must "
                         "be like {'weight': 0.5}",
                         Error);
}

TEST_CASE("read_edge_list: an arrow between names is the direction of the edge") {
    const Graph directed = parse("a -> b\nb -> c 0.5\n").graph;
    CHECK(names(directed) == "a b c");
    CHECK(directed.directed);
    CHECK(directed.edges == std::vector<Edge>{{0, 1}, {1, 2, 0.5f}});
    CHECK_FALSE(parse("a -- b\n", Directed::Yes).graph.directed);
    CHECK_THROWS_WITH_AS(parse("a -> b\nb c\n"),
                         "[edge list] test.edges:2: all lines or none must have an arrow or a line "
                         "between the names, as in 'a -> b'",
                         Error);
}

TEST_CASE("read_edge_list: a line that does not look like an edge is refused") {
    const auto message = [](const std::string& text) {
        try {
            parse(text);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("read");
    };
    const std::string advice =
        "; if this is an edge list, name its columns in a first line: source target";
    CHECK(message("a--b\nb--c") ==
          "[edge list] test.edges:1: 'a--b' would be one name; write two "
          "names, with nothing but a blank or a comma between them" +
              advice);
    CHECK(message("(0, 1)\n(1, 2)") ==
          "[edge list] test.edges:1: '(0' has a bracket without its partner, as in a list, a "
          "dictionary or a program; write two names on a line, without brackets" +
              advice);
    CHECK(message("nodes:\n  - a\n") ==
          "[edge list] test.edges:1: 'nodes:' begins this line, as in YAML" + advice);
    CHECK(message("x = 1\n") ==
          "[edge list] test.edges:1: '=' stands between two names, as in a program" + advice);
    CHECK(message("This text is about graphs, and about nothing else. It is long.") ==
          "[edge list] test.edges:1: 'and about nothing else. It is long.' is a sentence rather "
          "than a name" +
              advice);
    for (const char* text : {"a -> b;", "- a\n- b", "int main() {\n", "a b\nb c\ndef f(x\n", "a->b",
                             "[a b\n", "n 2\na {}\n", "1 {'weight': 2}"}) {
        CAPTURE(text);
        CHECK(message(text) != "read");
    }
    CHECK(names(parse("source target\n( -\n- a--b\na--b nodes:\n").graph) == "( - a--b nodes:");
    CHECK(names(parse("\"a (b\",\"x -> y\"\n").graph) == "a (b x -> y");
    CHECK(names(parse("f(x) [y]\nC# -1\nwell-known :\n").graph) == "f(x) [y] C# -1 well-known :");
}

TEST_CASE("read_edge_list: what could be SIF is refused") {
    CHECK_THROWS_WITH_AS(parse("1 pp 2\n2 pp 3\n"),
                         "[edge list] test.edges: the lines could be SIF, 'node kind node', or "
                         "edges with weights; call the file .sif, or name the columns in a first "
                         "line: source target weight",
                         Error);
    CHECK_THROWS_WITH_AS(
        parse("p1\tinteracts with\tp2\n"),
        "[edge list] test.edges:1: the weight 'p2' is not a finite number; if the second cell is "
        "the "
        "kind of an edge, call the file .sif; if the third one is, name the columns in a first "
        "line: source, target, kind",
        Error);
    CHECK(parse("1 hub 3\n2 hub 5\n").graph.edges.size() == 2);
    CHECK(parse("1 film 5\n2 film 3\n3 other 5\n4 third 4").graph.edges.size() == 4);
}

TEST_CASE("read_edge_list: a name alone is a node without edges") {
    const Graph graph = parse("a\nb\na\n").graph;
    CHECK(names(graph) == "a b");
    CHECK(graph.edges.empty());
}

TEST_CASE("read_edge_list: duplicate edges are left out and counted") {
    CHECK(parse("a b\nb a\na b").notes == GraphNotes{2, 0});
    CHECK(parse("a b\nb a\na b").graph.edges.size() == 1);
    CHECK(parse("a b\nb a\na b", Directed::Yes).notes == GraphNotes{1, 0});
    CHECK(parse("a b\nb a\na b", Directed::Yes).graph.edges.size() == 2);
}

TEST_CASE("read_edge_list: self-edges are kept and counted") {
    const ReadGraph parsed = parse("a a\nb b\na a");
    CHECK(parsed.graph.edges == std::vector<Edge>{{0, 0}, {1, 1}});
    CHECK(parsed.notes == GraphNotes{1, 2});
}

TEST_CASE("read_edge_list: a group comment sets groups; other comments do nothing") {
    const Graph graph = parse("# group 2: c, a nobody\na b\nb c\n# group 3: b").graph;
    CHECK(graph.nodes[0].group == 2);
    CHECK(graph.nodes[1].group == 3);
    CHECK(graph.nodes[2].group == 2);
    for (const char* comment : {"# group", "# group x: a", "# group 1 a", "# group 1",
                                "# group -1: a", "# group 99999999999999: a", "#group 1: a"}) {
        CAPTURE(comment);
        CHECK(parse("a\n" + std::string(comment)).graph.nodes[0].group == 0);
    }
}

TEST_CASE("read_edge_list: where blanks separate, a comma within a name is part of it") {
    CHECK(names(parse("a b {'weight': 1}\nc d,e {'weight': 2}\n").graph) == "a b c d,e");
    CHECK(names(parse("c d,e {'weight': 2}\na b {'weight': 1}\n").graph) == "c d,e a b");
    CHECK(names(parse("a b\nc d;e\n").graph) == "a b c d;e");
    CHECK(names(parse("a, b {'weight': 2}\n").graph) == "a b");
    CHECK(names(parse("a,b {'weight': 2}\n").graph) == "a b");
    CHECK(names(parse("a,b,{'weight': 2}\nc d,e,{}\n").graph) == "a b c d e");
    for (const char* text : {"a b\nc, d", "a b\nc ,d", "a b\n, d", "a b\nc d; {'weight': 2}"}) {
        CAPTURE(text);
        try {
            parse(text);
            FAIL("it was read");
        } catch (const Error& error) {
            const std::string what = error.what();
            CHECK(what.starts_with("[edge list] test.edges:2: '"));
            CHECK(what.find("begins or ends with a comma or a semicolon") != what.npos);
        }
    }
}

TEST_CASE("read_edge_list: a quote that opens and does not close on its line is refused") {
    for (const char* text : {"x,y\na,\"b", "x,y\na,\"b\nc\",d", "x,y\n\"b,c", "x y\na \"b c\"",
                             "x;y\na;\"b;\"\"", "source,target\na,\"b\n"}) {
        CAPTURE(text);
        try {
            parse(text);
            FAIL("it was read");
        } catch (const Error& error) {
            const std::string what = error.what();
            CHECK(what.starts_with("[edge list] test.edges:2: the quote before 'b"));
            CHECK(what.find("is not closed in its cell on this line") != what.npos);
        }
    }
    CHECK(names(parse("5\",b\n\"a \"\"b\",c\n").graph) == "5\" b a \"b c");
}

TEST_CASE("read_edge_list: a cell without a name of its column is refused") {
    CHECK_THROWS_WITH_AS(
        parse("source,target,weight\na,b,1,\na,b,1,9\n"),
        "[edge list] test.edges:3: this line has 4 cells, but the first line names "
        "3 columns: 'source', 'target', 'weight'",
        Error);
    CHECK_THROWS_AS(parse("id_1,id_2\n1,2\n2,3,9\n"), Error);
}

TEST_CASE("read_edge_list: broken text is an error with file, line and advice") {
    CHECK_THROWS_WITH_AS(
        parse("a b\nb c d e\n"),
        "[edge list] test.edges:2: this line has 4 columns; it can have two names and a weight, "
        "unless the first line names the columns source, target and weight",
        Error);
    CHECK_THROWS_WITH_AS(parse("a b\nb c heavy\n"),
                         "[edge list] test.edges:2: the weight 'heavy' is not a finite number; if "
                         "the second cell is the kind of an edge, call the file .sif; if the third "
                         "one is, name the columns in a first line: source, target, kind",
                         Error);
    for (const char* empty : {"", "\n\n", "# only a comment", "\xEF\xBB\xBF", " \t \r\n"})
        CHECK_THROWS_WITH_AS(parse(empty),
                             "[edge list] test.edges: there are no nodes; write two names on a "
                             "line, or one name for a node without edges",
                             Error);
    CHECK_THROWS_WITH_AS(
        parse(std::string_view("a b\na\0c", 7)),
        "[edge list] test.edges:2: there is a NUL byte in this line; the file must be plain text",
        Error);
    for (const char* bad : {"a b\n\n\xFF", "a b\n\na \xC3", "\n\n\xE2\x82", "\n\n\xED\xA0\x80",
                            "\n\n# \xC0\x80", "\n\n\xF4\x90\x80\x80", "\n\n\xF0\x80\x80\x80"})
        CHECK_THROWS_WITH_AS(
            parse(bad),
            "[edge list] test.edges:3: this line is not valid UTF-8; save the file as UTF-8",
            Error);
}

TEST_CASE("read_edge_list: the limits are stated") {
    std::string nodes;
    for (int k = 0; k < kMaxNodes; ++k) nodes += std::to_string(k) + "\n";
    CHECK(parse(nodes).graph.nodes.size() == kMaxNodes);
    CHECK_THROWS_WITH_AS(
        parse(nodes + "more"),
        "[edge list] test.edges:200001: there are more than 200,000 nodes; use a part of the graph",
        Error);
    std::string edges;
    for (int k = 0; k <= kMaxEdges; ++k)
        edges += std::to_string(k / 1500) + " " + std::to_string(k % 1500) + "\n";
    CHECK_THROWS_WITH_AS(parse(edges, Directed::Yes),
                         "[edge list] test.edges:2000001: there are more than 2,000,000 edges; use "
                         "a part of the graph",
                         Error);
}

TEST_CASE("notes_text: it says what was done, in one line") {
    CHECK(notes_text({}) == "");
    CHECK(notes_text({1, 0}) == "1 duplicate edge left out");
    CHECK(notes_text({0, 2}) == "2 self-edges");
    CHECK(notes_text({3, 1}) == "3 duplicate edges left out, 1 self-edge");
}

TEST_CASE("write_edge_list: a written graph is read back unchanged") {
    CHECK(read_back(karate_club()) == without_places(karate_club()));
    for (const char* text :
         {"a", "a\nb\nc", "a a", "b a\na c\nc c", "x\nc\nb\nc b\na x", "a\nb\nc\nc a\nd e\nf\ne f",
          "a b\n# group 4: b", "a b 0.25\nb c -3e-05\nc a"}) {
        CAPTURE(text);
        for (const Directed directed : {Directed::No, Directed::Yes}) {
            const Graph graph = parse(text, directed).graph;
            CHECK(read_back(graph) == graph);
        }
    }
}

TEST_CASE("write_edge_list: the order of nodes survives edges in any order") {
    Graph graph;
    for (const char* name : {"a", "b", "c", "d", "e"}) graph.add_node(name, 0, 0);
    for (const Edge edge : {Edge{4, 1}, Edge{1, 0}, Edge{2, 3}, Edge{3, 3}})
        graph.add_edge(edge.source, edge.target);
    CHECK(read_back(graph) == graph);
    CHECK(write_edge_list(parse("a b\nb c\nc a").graph) == "a b\nb c\nc a\n");
}

TEST_CASE("write_edge_list: nodes may have the names of columns") {
    for (const char* text : {"source,target\nsource,target\n", "source,target\nto,from\nfrom,a\n",
                             "source,target,weight\nsrc,dst,0.5\n"}) {
        INFO(text);
        const Graph graph = parse(text).graph;
        CHECK(graph.edges.size() > 0);
        CHECK(parse(write_edge_list(graph)).graph == graph);
    }
}

TEST_CASE("write_edge_list: names that look like anything else get names of columns") {
    for (const char* text :
         {"source,target\na--b\n", "source,target\n(,b\n", "source,target\n-,b\n",
          "source,target,weight\n0,1,2\n2,0,3\n1,2,0\n", "source,target,weight\n1,pp,2\n2,pp,3\n",
          "source,target\nx,y\n1,2\n2,3\n"}) {
        CAPTURE(text);
        const Graph graph = parse(text).graph;
        CHECK(write_edge_list(graph).starts_with("source target"));
        CHECK(read_back(graph) == graph);
    }
}

TEST_CASE("write_edge_list: a name that could not be read back is an error") {
    for (const char* name : {"New York", "a,b", "#1", "%1", "a\nb", "a\tb", "\xFF", "\"a"}) {
        CAPTURE(name);
        Graph graph;
        graph.add_node(name, 0, 0);
        CHECK_THROWS_AS(write_edge_list(graph), Error);
    }
    Graph graph;
    graph.add_node("New York", 0, 0);
    CHECK_THROWS_WITH(
        write_edge_list(graph),
        "[edge list] the node name \"New York\" cannot be written; use a name "
        "without white space, comma or semicolon that does not begin with #, % or a quote");
}

}  // namespace headlight::edge_list_test
