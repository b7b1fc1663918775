#include "graph/gml.h"

#include <doctest/doctest.h>
#include <string>

#include "core/error.h"

namespace headlight::gml_test {
namespace {

ReadGraph parse(std::string_view text, Directed directed = Directed::No) {
    REQUIRE(is_gml(text));
    return read_gml(text, directed, "test.gml");
}

std::string message(const std::string& text) {
    try {
        read_gml(text, Directed::No, "test.gml");
    } catch (const Error& error) {
        return error.what();
    }
    return "read";
}

}  // namespace

TEST_CASE("read_gml: nodes, labels, groups, places, direction and weights") {
    const ReadGraph read = parse(
        "# made by hand\nCreator \"hand\"\nVersion 1\ngraph [\n  name \"Two\"\n  directed 1\n"
        "  node [ id 5 label \"Ann &amp; B&#233;\" club \"red\" graphics [ x 0 y 10 w 3 fill "
        "\"#fff\" ] ]\n"
        "  node [ id 7 label \"Cy\" club \"blue\" graphics [ x 100 y 20 ] ]\n"
        "  edge [ source 7 target 5 weight 2.5 kind \"friend\" ]\n]\n");
    CHECK(read.graph.title == "Two");
    CHECK(read.graph.directed);
    REQUIRE(read.graph.nodes.size() == 2);
    CHECK(read.graph.nodes[0].name == "Ann & Bé");
    CHECK(read.graph.nodes[0].x < read.graph.nodes[1].x);
    CHECK(read.graph.nodes[1].group == 2);
    CHECK(read.graph.edges == std::vector<Edge>{{1, 0, 2.5f}});
    CHECK(notes_text(read.notes) ==
          "without effect: attribute 'kind' of edges, groups 1 'red', 2 'blue'");
}

TEST_CASE("read_gml: without a direction the given one counts, and value is the weight") {
    const char* text = "graph\n[ node [ id a ] node [ id b ] edge [ source a target b value 3 ] ]";
    CHECK_FALSE(parse(text).graph.directed);
    CHECK(parse(text, Directed::Yes).graph.directed);
    CHECK(parse(text).graph.edges == std::vector<Edge>{{0, 1, 3}});
}

TEST_CASE("is_gml: other texts are not taken for it") {
    for (const char* text : {"graph { a -- b }", "graph a\na b", "", "node [ id 1 ]", "graph"}) {
        CAPTURE(text);
        CHECK_FALSE(is_gml(text));
    }
}

TEST_CASE("read_gml: broken text is an error with the line") {
    CHECK(message("graph [\n node [ label \"a\" ] ]") ==
          "[GML] test.gml: line 2: this node has no id, or more than one");
    CHECK(message("graph [ node [ id 1 ]\nedge [ source 1 target 2 ] ]") ==
          "[GML] test.gml: line 2: there is no node '2' before this edge");
    CHECK(message("graph [ node [ id 1 ] edge [ source 1 target 1 ] directed 1 ]") ==
          "[GML] test.gml: line 1: 'directed' must come before the edges");
    CHECK(message("graph [ ]") ==
          "[GML] test.gml: line 1: there are no nodes; a graph needs at least one");
    CHECK(message("graph [ node [ id \"a") ==
          "[GML] test.gml: line 1: a text is not closed by a quotation mark");
    CHECK(message("graph [ node [ id 1 ] ] graph [ ]") ==
          "[GML] test.gml: line 1: there is a second graph; only one can be read");
    std::string deep = "graph [ a ";
    for (int k = 0; k < 100; ++k) deep += "[ a ";
    CHECK(message(deep) == "[GML] test.gml: line 1: nested too deep; at most 64 levels are read");
}

}  // namespace headlight::gml_test
