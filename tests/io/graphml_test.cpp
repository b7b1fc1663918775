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

}  // namespace headlight::graphml_test
