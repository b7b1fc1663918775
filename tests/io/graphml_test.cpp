#include "io/graphs/graphml.h"

#include <doctest/doctest.h>

namespace headlight::graphml_test {
namespace {

ReadGraph parse(const std::string& inside, const std::string& keys = "") {
    return read_graphml(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml>" + keys + inside + "</graphml>\n",
        "input.graphml");
}

}  // namespace

TEST_CASE("read_graphml: nodes, edges, direction and weights") {
    const ReadGraph read = parse(
        "<graph edgedefault=\"directed\"><node id=\"n0\"/><node id=\"n1\"/>"
        "<edge source=\"n1\" target=\"n0\"><data key=\"w\">0.5</data></edge>"
        "<edge source=\"n0\" target=\"n1\"/></graph>",
        "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\">"
        "<default>3</default></key>");
    CHECK(read.graph.directed);
    REQUIRE(read.graph.nodes.size() == 2);
    CHECK(read.graph.nodes[1].name == "n1");
    CHECK(read.graph.edges == std::vector<Edge>{{1, 0, 0.5f}, {0, 1, 3}});
    CHECK(read.notes == GraphNotes{});
}

TEST_CASE("read_graphml: data of nodes are names, positions, groups and features") {
    const std::string keys =
        "<key id=\"l\" for=\"node\" attr.name=\"label\"/><key id=\"x\" for=\"node\" "
        "attr.name=\"x\"/><key id=\"y\" for=\"node\" attr.name=\"y\"/><key id=\"g\" for=\"node\" "
        "attr.name=\"club\"/><key id=\"f\" for=\"node\" attr.name=\"age\"/><key id=\"b\" "
        "for=\"node\" attr.name=\"is_old\"><default>true</default></key>";
    const auto node = [](const std::string& id, const std::string& label, const std::string& x,
                         const std::string& club, const std::string& age) {
        return "<node id=\"" + id + "\"><data key=\"l\">" + label + "</data><data key=\"x\">" + x +
               "</data><data key=\"y\">7</data><data key=\"g\">" + club +
               "</data><data key=\"f\">" + age + "</data></node>";
    };
    const ReadGraph read = parse("<graph edgedefault=\"undirected\">" +
                                     node("n0", "Ann &amp; Bob", "-100", "red", "30") +
                                     node("n1", "C&#233;", "300", "blue", "40.5") + "</graph>",
                                 keys);
    REQUIRE(read.graph.nodes.size() == 2);
    const Node &ann = read.graph.nodes[0], &ce = read.graph.nodes[1];
    CHECK(ann.name == "Ann & Bob");
    CHECK(ce.name == "Cé");
    CHECK(ann.x == doctest::Approx(0.04));
    CHECK(ce.x == doctest::Approx(0.96));
    CHECK(ann.y == 0.5f);
    CHECK(ann.group == 1);
    CHECK(ce.group == 2);
    CHECK(ce.features == Features({40.5, 1}));
    CHECK(notes_text(read.notes) == "groups 1 'red', 2 'blue', features of nodes: 'age', 'is_old'");
}

TEST_CASE("read_graphml: a file without edgedefault is undirected, with a note") {
    CHECK(notes_text(parse("<graph><node id=\"a\"/></graph>").notes) ==
          "taken as undirected, since edgedefault is missing");
}

TEST_CASE("read_graphml: ids are used if labels are not unique") {
    const std::string keys = "<key id=\"l\" for=\"node\" attr.name=\"label\"/>";
    const std::string node = "\"><data key=\"l\">same</data></node>";
    const ReadGraph read = parse(
        "<graph edgedefault=\"directed\"><node id=\"a" + node + "<node id=\"b" + node + "</graph>",
        keys);
    CHECK(read.graph.nodes[1].name == "b");
}

TEST_CASE("read_graphml: edges say their direction themselves") {
    const std::string nodes = "<node id=\"a\"/><node id=\"b\"/><node id=\"c\"/>";
    const auto edge = [](const std::string& ends, const std::string& directed) {
        return "<edge source=\"" + ends.substr(0, 1) + "\" target=\"" + ends.substr(1) +
               "\" directed=\"" + directed + "\"/>";
    };
    const auto graph = [&](const std::string& by_default, const std::string& edges) {
        return parse("<graph edgedefault=\"" + by_default + "\">" + nodes + edges + "</graph>");
    };
    CHECK(graph("undirected", edge("ab", "true") + edge("bc", "true")).graph.directed);
    CHECK_FALSE(graph("directed", edge("ab", "false") + edge("bc", "false")).graph.directed);
    const ReadGraph mixed = graph("directed", edge("ab", "true") + edge("bc", "false"));
    CHECK(mixed.graph.directed);
    CHECK(mixed.graph.edges == std::vector<Edge>{{0, 1}, {1, 2}, {2, 1}});
    CHECK(notes_text(mixed.notes) ==
          "1 undirected edge of a directed graph taken as one edge each way");
}

TEST_CASE("read_graphml: a key is known by its id and what it is for, as Cytoscape writes them") {
    const std::string keys =
        "<key id=\"SUID\" for=\"node\" attr.name=\"SUID\"/><key id=\"name\" for=\"node\" "
        "attr.name=\"name\"/><key id=\"SUID\" for=\"edge\" attr.name=\"weight\"/><key id=\"kind\" "
        "for=\"node\" attr.name=\"interaction\"/><key id=\"name\" for=\"node\" "
        "attr.name=\"name\"/>";
    const ReadGraph read = parse(
        "<graph directed=\"1\"><node id=\"1\"><data key=\"SUID\">61</data><data "
        "key=\"name\">A</data></node><node id=\"2\"><data key=\"SUID\">62</data><data "
        "key=\"name\">B</data></node><edge source=\"1\" target=\"2\"><data "
        "key=\"SUID\">0.5</data><data key=\"kind\">pp</data></edge></graph>",
        keys);
    CHECK(read.graph.nodes[1].name == "B");
    CHECK(read.graph.directed);
    CHECK(read.graph.edges == std::vector<Edge>{{0, 1, 0.5f}});
    CHECK(read.graph.n_features() == 0);
    CHECK(notes_text(read.notes) == "without effect: attribute 'interaction' of edges");
}

TEST_CASE("read_graphml: labels, places and weights are what yEd draws") {
    const std::string keys =
        "<key id=\"d6\" for=\"node\" yfiles.type=\"nodegraphics\"/><key id=\"d9\" for=\"edge\" "
        "yfiles.type=\"edgegraphics\"/><key id=\"d5\" for=\"node\" attr.name=\"description\"/>";
    const auto node = [](const std::string& id, const std::string& x, const std::string& label) {
        return "<node id=\"" + id +
               "\"><data key=\"d5\"/><data key=\"d6\"><y:ShapeNode><y:Geometry x=\"" + x +
               "\" y=\"5\" width=\"30\" height=\"30\"/><y:NodeLabel x=\"4\">" + label +
               "<y:LabelModel/></y:NodeLabel></y:ShapeNode></data></node>";
    };
    const auto edge = [](const std::string& label) {
        return "<edge source=\"n0\" target=\"n1\"><data key=\"d9\"><y:PolyLineEdge><y:EdgeLabel>" +
               label + "</y:EdgeLabel></y:PolyLineEdge></data></edge>";
    };
    const std::string nodes =
        "<graph edgedefault=\"directed\">" + node("n0", "0", "Ann\nLee") + node("n1", "100", "Bo");
    const ReadGraph read = parse(nodes + edge("0.5") + "</graph>", keys);
    CHECK(read.graph.nodes[0].name == "Ann Lee");
    CHECK(read.graph.nodes[1].name == "Bo");
    CHECK(read.graph.nodes[0].x < read.graph.nodes[1].x);
    CHECK(read.graph.edges == std::vector<Edge>{{0, 1, 0.5f}});
    CHECK(notes_text(read.notes) == "the labels of the edges are their weights");
    CHECK(notes_text(parse(nodes + edge("knows") + "</graph>", keys).notes) ==
          "without effect: attribute 'label' of edges");
}

TEST_CASE("read_graphml: what has no effect is named, and Gephi's words are known") {
    const ReadGraph read = parse(
        "<graph edgedefault=\"directed\"><node id=\"a\"><data key=\"m\">0</data><data "
        "key=\"c\">x</data></node><node id=\"b\"><data key=\"m\">1</data></node></graph>",
        "<key id=\"m\" for=\"node\" attr.name=\"Modularity Class\"/><key id=\"c\" for=\"node\" "
        "attr.name=\"comment\"/>");
    CHECK(read.graph.nodes[1].group == 1);
    CHECK(read.graph.n_features() == 0);
    CHECK(notes_text(read.notes) == "without effect: attribute 'comment' of nodes");
}

}  // namespace headlight::graphml_test
