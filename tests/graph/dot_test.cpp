#include "graph/dot.h"

#include <doctest/doctest.h>
#include <string>

#include "core/error.h"

namespace headlight::dot_test {
namespace {

ReadGraph parse(std::string_view text) {
    REQUIRE(is_dot(text));
    return read_dot(text, "test.dot");
}

std::string names(const Graph& graph) {
    std::string joined;
    for (const Node& node : graph.nodes) joined += (joined.empty() ? "" : " ") + node.name;
    return joined;
}

std::string message(const std::string& text) {
    try {
        read_dot(text, "test.dot");
    } catch (const Error& error) {
        return error.what();
    }
    return "read";
}

}  // namespace

TEST_CASE("read_dot: edges in chains, weights and their default, comments") {
    const ReadGraph read = parse(
        "// by hand\n/* two\nlines */ strict digraph \"G 1\" {\n  rankdir=LR; node [shape=box]\n"
        "  edge [weight=2]; a -> b:w -> c [color=red]\n# line of a preprocessor\n  c -> a "
        "[weight=\"0.5\", label=x]; d\n}\n");
    CHECK(read.graph.directed);
    CHECK(names(read.graph) == "a b c d");
    CHECK(read.graph.edges == std::vector<Edge>{{0, 1, 2}, {1, 2, 2}, {2, 0, 0.5f}});
    CHECK(notes_text(read.notes) == "without effect: attribute 'label' of edges");
}

TEST_CASE("read_dot: labels are names if all nodes have one, and pos is the place") {
    const ReadGraph read = parse(
        "graph { a [label=\"Ann\\nLee\", pos=\"0,0!\"]; b [label=\"Bo\" + \"b\" pos=\"10,5\"] a -- "
        "b }");
    CHECK(names(read.graph) == "Ann Lee Bob");
    CHECK(read.graph.nodes[0].x < read.graph.nodes[1].x);
    CHECK_FALSE(read.graph.directed);
    CHECK(names(parse("graph { a [label=A]; b; a [label=\"B\"] }").graph) == "a b");
    CHECK(names(parse("graph { a [label=<<b>A</b>>] 1.5 -- -2 -- \"x \\\"y\\\"\" }").graph) ==
          "a 1.5 -2 x \"y\"");
}

TEST_CASE("read_dot: an edge between sets of nodes connects each with each") {
    const Graph graph =
        parse("digraph { subgraph cluster_0 { label=x; a; b } -> { c d } -> e }").graph;
    CHECK(names(graph) == "a b c d e");
    CHECK(graph.edges == std::vector<Edge>{{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 4}, {3, 4}});
}

TEST_CASE("is_dot: other texts are not taken for it") {
    for (const char* text : {"graph [ node [ id 1 ] ]", "graph a\na b", "", "a -- b", "digraph"}) {
        CAPTURE(text);
        CHECK_FALSE(is_dot(text));
    }
}

TEST_CASE("read_dot: broken text is an error with the line") {
    CHECK(message("graph {\n a -> b }") ==
          "[DOT] test.dot: line 2: in a graph edges are written --, not ->");
    CHECK(message("digraph { a -> ") ==
          "[DOT] test.dot: line 1: a name is missing at the end of the file");
    CHECK(message("graph { a [label] }") == "[DOT] test.dot: line 1: = is missing before ']'");
    CHECK(message("graph { } graph { }") ==
          "[DOT] test.dot: line 1: there is more after the graph; only one can be read");
    CHECK(message("graph { \"a }") ==
          "[DOT] test.dot: line 1: a text is not closed by a quotation mark");
    CHECK(message("graph { a -- b [weight=x] }") ==
          "[DOT] test.dot: line 1: the weight 'x' is not a finite number");
    CHECK(message("graph { " + std::string(100, '{')) ==
          "[DOT] test.dot: line 1: nested too deep; at most 64 levels are read");
}

}  // namespace headlight::dot_test
