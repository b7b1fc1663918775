// Graphs that are drawn, zoomed, filtered and coloured, driven by events.
#include <cmath>
#include <doctest/doctest.h>

#include "graph/built_in_graphs.h"
#include "graph_driver.h"

namespace headlight::program_drawing_test {
using program_graph_test::GraphDriver;
using program_graph_test::kPattern;

TEST_CASE("graph: a new graph is drawn by hand: clicks with names, drags for edges") {
    GraphDriver d;
    d.click("button New graph");
    CHECK(d.undo_label() == "New graph");
    CHECK(d.graph().nodes.empty());
    d.click(Point{500, 300});
    d.type("Anna");
    d.press(Key::Enter);
    CHECK(d.undo_label() == "Add node Anna");
    CHECK(std::abs(d.locate("node Anna").x - 500) < 2);
    CHECK(std::abs(d.locate("node Anna").y - 300) < 2);
    d.click(Point{700, 400});
    d.type("Ben");
    d.click(Point{600, 250});  // takes the name, and begins the next node
    d.type("Cleo");
    d.press(Key::Enter);
    REQUIRE(d.graph().nodes.size() == 3);
    CHECK(d.graph().nodes[1].name == "Ben");
    d.drag(d.locate("node Anna"), d.locate("node Ben"));
    CHECK(d.undo_label() == "Add edge Anna → Ben");
    CHECK(d.edge_from("Ben", "Anna") >= 0);
    d.click(Point{520, 420});
    d.type("nobody");
    d.press(Key::Escape);
    CHECK(d.graph().nodes.size() == 3);
    while (d.session().history().can_undo()) d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == built_in_graph());
}

TEST_CASE("graph: a name that is being typed survives other workspaces and other studies") {
    GraphDriver d;
    d.double_click(d.locate("node 33"));
    d.type("Anna");
    d.click("tab Sentence");
    d.click("tab Graph");
    CHECK(d.graph().find_node("Anna") == 33);
    CHECK(!d.has("text Node name"));
    d.double_click(d.locate("node Anna"));
    d.click("button New graph");
    CHECK(d.graph().nodes.empty());
    CHECK(d.message() == "");
}

TEST_CASE("graph: a name that another node has is not taken") {
    GraphDriver d;
    d.double_click(d.free_place());
    d.type("16");
    d.press(Key::Enter);
    CHECK(d.document() == built_in_graph());
    CHECK(d.texts().find("another node has this name") != std::string::npos);
    d.type("17b");
    d.press(Key::Enter);
    CHECK(d.graph().nodes.back().name == "17b");
}

TEST_CASE("graph: a double-click on a node renames it, and its pins stay") {
    GraphDriver d;
    d.release();
    d.click(d.middle_of(d.edge_from("11", "0")));
    d.set_number("Value", "0.25");
    const Matrix embed = *d.trace().at("embed").value;
    d.double_click(d.locate("node 11"));
    d.type("Anna");
    d.press(Key::Enter);
    CHECK(d.undo_label() == "Rename node 11 to Anna");
    CHECK(d.graph().find_node("Anna") == 11);
    CHECK(d.value({kPattern, d.edge_from("Anna", "0"), 0}) == 0.25f);
    CHECK(*d.trace().at("embed").value == embed);
}

TEST_CASE("graph: a Shift-drag of the canvas marks nodes; they move and go together") {
    GraphDriver d;
    const GraphGeometry geometry = d.geometry();
    const Box& all = geometry.plot;
    d.drag(Point{all.x + 1, all.y + 1}, Point{all.center().x, all.bottom() - 2}, Modifier::Shift);
    const std::vector<Index> held = d.selection().held().indices.queries();
    REQUIRE(held.size() > 3);
    REQUIRE(held.size() < 34);
    for (const Index node : held)
        CHECK(geometry.node_point(static_cast<int>(node)).x < all.center().x);
    const Node first = d.graph().nodes[held[0]], second = d.graph().nodes[held[1]];
    d.drag("node " + first.name, 20, 10);
    CHECK(d.undo_label() == "Move " + std::to_string(held.size()) + " nodes");
    CHECK(d.graph().nodes[held[1]].x > second.x);
    d.press(Key::Delete);
    CHECK(d.undo_label() == "Remove " + std::to_string(held.size()) + " nodes");
    CHECK(d.graph().nodes.size() == 34 - held.size());
    d.press(Key::A, Modifier::Ctrl);
    CHECK(d.selection().held().indices.queries().size() == 34 - held.size());
    d.press(Key::Delete);
    CHECK(d.graph().nodes.empty());
    for (int n = 0; n < 3; ++n) d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == built_in_graph());
}

TEST_CASE("graph: the wheel zooms at the pointer, a drag pans, Home shows all of it") {
    GraphDriver d;
    d.hover("node 16");
    const Point at = d.locate("node 16");
    d.wheel(at, 3);
    CHECK(d.selection().looks.graph.zoom.zoom > 2);
    CHECK(d.texts().find("nodes in view") != std::string::npos);
    const double x = d.selection().looks.graph.zoom.x;
    const Point free = d.free_place();
    d.drag(free, {free.x - 60, free.y});
    CHECK(d.selection().looks.graph.zoom.x > x);
    const double y = d.selection().looks.graph.zoom.y;
    d.drag(free, {free.x, free.y - 40}, Modifier::None, {}, Button::Middle);
    CHECK(d.selection().looks.graph.zoom.y > y);
    CHECK(d.document() == built_in_graph());
    d.press(Key::Home);
    CHECK(d.selection().looks.graph.zoom.is_whole());
    CHECK(d.texts().find("nodes in view") == std::string::npos);
}

TEST_CASE("graph: edges are filtered, and the picture says how many are left") {
    GraphDriver d;
    CHECK(d.texts().find("of 190 edges") == std::string::npos);
    d.choose("Edges", "strongest of each node");
    CHECK(d.texts().find("strongest 3 of each node: 101 of 190 edges") != std::string::npos);
    std::vector<int> n_read(34);
    const GraphInput input = graph_input(d.scene());
    for (std::size_t e = 0; e < input.edges.size(); ++e)
        if (!input.hidden_edges[e]) CHECK(++n_read[input.edges[e].i] <= 3);
    d.choose("Edges", "weight of at least");
    CHECK(d.texts().find("weights of 0.10 and more: ") != std::string::npos);
    d.release();
    d.choose("Edges", "of the chosen node");
    CHECK(d.texts().find("of the chosen node, and none is chosen: 0 of 190 edges") !=
          std::string::npos);
    d.click("node 11");
    CHECK(d.texts().find("of node 11: 3 of 190 edges") != std::string::npos);
}

TEST_CASE("graph: nodes have the colour of a feature or of an output, with its numbers") {
    GraphDriver d;
    CHECK(d.texts().find("group 1: 17") != std::string::npos);
    d.choose("Nodes", "output");
    CHECK(d.texts().find("nodes: gat.0.out, column 0") != std::string::npos);
    d.choose("Nodes", "feature");
    CHECK(d.texts().find("nodes: embed, column 0") != std::string::npos);
    d.press(Key::Escape);
    const GraphInput input = graph_input(d.scene());
    REQUIRE(input.values);
    CHECK(input.values->values[5] == d.value({"embed", 5, 0}));
}

TEST_CASE("graph: with thousands of edges the hand does the same, and the picture follows") {
    GraphDriver d;
    std::vector<std::string> names;
    for (int k = 0; k < 60; ++k) names.push_back("n" + std::to_string(k));
    Document document = built_in_graph();
    document.graph()->graph = complete_graph(names);
    d.program().workbench().open(document, {});
    d.program().loop().wake();
    d.settle();
    REQUIRE(d.trace().edges()->size() == 3600);
    d.release();
    d.move_to({2, 2});
    const Pixels before = d.screenshot();
    d.hover("node n7");
    CHECK(d.selection().hovered().indices.query == 7);
    CHECK(d.screenshot().rgba != before.rgba);
    d.move_to({2, 2});
    CHECK(d.screenshot().rgba == before.rgba);
    d.click("node n7");
    CHECK(d.selection().held().indices.query == 7);
    d.choose("Edges", "of the chosen node");
    CHECK(d.texts().find("of node n7: 119 of 3600 edges") != std::string::npos);
    const Point at = d.locate("node n7");
    d.wheel(at, 2);
    d.rest(1);
    CHECK(d.texts().find("nodes in view") != std::string::npos);
    const Point now = d.locate("node n7");
    CHECK(std::hypot(now.x - at.x, now.y - at.y) < 3);
    d.press(Key::Home);
    d.rest(1);
    const Point placed = d.locate("node n7");
    d.drag("node n7", 15, 20);
    CHECK(d.undo_label() == "Move node n7");
    CHECK(d.locate("node n7").y == doctest::Approx(placed.y + 20).epsilon(0.01));
}

}  // namespace headlight::program_drawing_test
