// The graph workspace, driven by events.
#include <cmath>
#include <doctest/doctest.h>

#include "graph_driver.h"

namespace headlight::program_graph_test {

TEST_CASE("graph: tabs switch between two studies, each with its own history") {
    Driver d;
    d.replace_sentence("short");
    d.click("tab Graph");
    REQUIRE(d.document().graph());
    CHECK(d.document().graph()->graph.nodes.size() == 34);
    CHECK(!d.session().history().can_undo());
    d.click("tab Sentence");
    CHECK(d.document().sentence()->text == "short");
    CHECK(d.session().history().can_undo());
}

TEST_CASE("graph: nodes and edges are highlighted under the pointer") {
    GraphDriver d;
    d.hover("node 16");
    CHECK(d.selection().hovered().indices.query == Index{d.graph().find_node("16")});
    d.move_to(d.middle_of(d.edge_from("11", "0")));
    REQUIRE(d.selection().hovered().cell);
    CHECK(*d.selection().hovered().cell == CellPlace{kPattern, d.edge_from("11", "0"), 0});
}

TEST_CASE("graph: a click holds a node or an edge, a click on empty canvas releases it") {
    GraphDriver d;
    d.click(d.middle_of(d.edge_from("11", "0")));
    d.release();
    CHECK(d.selection().held().is_empty());
    d.click(d.middle_of(d.edge_from("11", "0")));
    CHECK(d.selection().held().indices.edge == d.edge_from("11", "0"));
    d.click("node 16");
    CHECK(d.selection().held().indices.query == Index{d.graph().find_node("16")});
    CHECK(!d.selection().held().indices.edge);
    d.click(d.free_place());
    CHECK(d.selection().held().is_empty());
    CHECK(!d.session().history().can_undo());
}

TEST_CASE("graph: a double-click adds a node at the pointer, under the name that is offered") {
    GraphDriver d;
    const Point at = d.free_place();
    d.double_click(at);
    CHECK(d.document() == built_in_graph());
    d.press(Key::Enter);
    REQUIRE(d.graph().nodes.size() == 35);
    const std::string name = d.graph().nodes.back().name;
    CHECK(d.undo_label() == "Add node " + name);
    CHECK(d.trace().at("embed").value->rows() == 35);
    const Point placed = d.locate("node " + name);
    CHECK(std::hypot(placed.x - at.x, placed.y - at.y) < 3);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.graph() == built_in_graph().graph()->graph);
}

TEST_CASE("graph: a click beside the picture lets nothing go, a double-click there adds nothing") {
    GraphDriver d;
    d.resize(1600, 1000);
    d.click("node 16");
    d.double_click(d.locate("card gat.0.heads.0.scores"));
    CHECK(d.document() == built_in_graph());
    CHECK(!d.session().history().can_undo());
}

TEST_CASE("graph: a drag moves a node, in one step") {
    GraphDriver d;
    const Point before = d.locate("node 16");
    d.drag("node 16", 30, 25);
    CHECK(d.locate("node 16").x == doctest::Approx(before.x + 30).epsilon(0.01));
    CHECK(d.locate("node 16").y == doctest::Approx(before.y + 25).epsilon(0.01));
    CHECK(d.undo_label() == "Move node 16");
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == built_in_graph());
    CHECK(!d.session().history().can_undo());
}

TEST_CASE("graph: a Shift-drag between two nodes adds an edge that both read") {
    GraphDriver d;
    CHECK(d.edge_from("16", "12") < 0);
    d.drag(d.locate("node 16"), d.locate("node 12"), Modifier::Shift);
    CHECK(d.graph().edges.size() == 79);
    CHECK(d.undo_label() == "Add edge 16 → 12");
    CHECK(d.edge_from("16", "12") >= 0);
    CHECK(d.edge_from("12", "16") >= 0);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == built_in_graph());
}

TEST_CASE("graph: an existing edge is not added again; the message says so and disappears") {
    GraphDriver d;
    d.drag(d.locate("node 0"), d.locate("node 11"), Modifier::Shift);
    CHECK(d.document() == built_in_graph());
    CHECK(d.message() != "");
    d.click("button Dismiss");
    CHECK(d.message() == "");
}

TEST_CASE("graph: a Shift-drag to empty canvas adds nothing") {
    GraphDriver d;
    d.drag(d.locate("node 16"), d.free_place(), Modifier::Shift);
    CHECK(d.document() == built_in_graph());
}

TEST_CASE("graph: Del removes the held node and its edges, or the held edge") {
    GraphDriver d;
    d.click("node 16");
    d.press(Key::Delete);
    CHECK(d.graph().find_node("16") == -1);
    CHECK(d.undo_label() == "Remove node 16");
    CHECK(d.trace().at("embed").value->rows() == 33);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == built_in_graph());
    d.release();
    d.click(d.middle_of(d.edge_from("11", "0")));
    d.press(Key::Delete);
    CHECK(d.graph().edges.size() == 77);
    CHECK(d.edge_from("11", "0") < 0);
    CHECK(d.edge_from("0", "11") < 0);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == built_in_graph());
}

TEST_CASE("graph: in a field of the inspector Del edits the field") {
    GraphDriver d;
    d.release();
    d.click(d.middle_of(d.edge_from("11", "0")));
    d.hover("field Value");
    d.double_click(d.locate("field Value"));
    d.press(Key::Backspace);
    d.press(Key::Delete);
    CHECK(d.document() == built_in_graph());
}

TEST_CASE("graph: a changed feature changes what the neighbours read, and nothing else") {
    GraphDriver d;
    const Trace before = d.trace();
    const Index node = d.graph().find_node("11");  // its only neighbour is 0
    d.click("step embed");
    d.drag(CellPlace{"embed", node, 2}, 0, -50);
    CHECK(d.undo_label().starts_with("Set embed[11, 2] to "));
    const Matrix& a = *before.at("gat.0.out").value;
    const Matrix& b = *d.trace().at("gat.0.out").value;
    for (Index i = 0; i < a.rows(); ++i) {
        INFO(i);
        CHECK((a.row(i) == b.row(i)) != (i == node || i == d.graph().find_node("0")));
    }
}

TEST_CASE("graph: a typed weight pins an edge, and the node's other edges are scaled") {
    GraphDriver d;
    d.release();
    d.click(d.middle_of(d.edge_from("11", "0")));
    d.set_number("Value", "0.25");
    CHECK(d.value({kPattern, d.edge_from("11", "0"), 0}) == 0.25f);
    CHECK(d.value({kPattern, d.edge_from("11", "11"), 0}) == 0.75f);
    CHECK(d.undo_label().starts_with("Pin "));
}

TEST_CASE("graph: the layer's settings change its tensors") {
    GraphDriver d;
    CHECK(d.edge_from("11", "11") >= 0);
    d.choose("Self-loops", "off");
    CHECK(d.edge_from("11", "11") < 0);
    d.set_number("Heads", "3");
    d.set_number("Feature width", "5");
    d.set_number("Head width", "6");
    d.set_number("Slope", "0.35");
    d.choose("Combine", "mean");
    d.choose("Activation", "none");
    GraphSettings expected;
    expected.n_heads = {{3}}, expected.d_in = 5, expected.d_out = {{6}}, expected.slope = 0.35f;
    expected.combine = Combine::Mean, expected.activation = Activation::None;
    CHECK(d.document().graph()->layer == expected);
    CHECK(d.trace().at("gat.0.out").value->cols() == 6);
    while (d.session().history().can_undo()) d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == built_in_graph());
}

TEST_CASE("graph: edges have the colour of their head") {
    GraphDriver d;
    const Pixels first = d.screenshot();
    d.click("head 1");
    CHECK(d.selection().chosen == "gat.0.heads.1.pattern");
    CHECK(d.screenshot().rgba != first.rgba);
}

TEST_CASE("graph: without nodes the canvas is empty, and a click adds the first one") {
    GraphDriver d;
    while (d.graph().nodes.size() > 1) {
        d.click("node " + d.graph().nodes.front().name);
        d.press(Key::Delete);
    }
    d.click("node " + d.graph().nodes.front().name);
    d.press(Key::Delete);
    CHECK(d.graph().nodes.empty());
    CHECK(!d.session().trace());
    d.click(Point{700, 400});
    d.type("Anna");
    d.press(Key::Enter);
    REQUIRE(d.graph().nodes.size() == 1);
    CHECK(d.graph().nodes.front().name == "Anna");
    CHECK(d.trace().at("embed").value->rows() == 1);
}

TEST_CASE("graph: Find leads to an edge, which is held and seen with both of its ends") {
    GraphDriver d;
    for (const char* query : {"11 0", "11 → 0", "11 -> 0"}) {
        d.press(Key::Escape);
        d.press(Key::K, Modifier::Ctrl);
        d.type(query);
        CHECK(d.has("found 11 → 0"));
        d.press(Key::Enter);
        CHECK(d.selection().held().indices.edge == d.edge_from("0", "11"));
        CHECK(d.has("node 0"));
        CHECK(d.has("node 11"));
    }
    d.press(Key::K, Modifier::Ctrl);
    d.type("0 11");  // in an undirected graph the other end reads, too
    d.press(Key::Enter);
    CHECK(d.selection().held().indices.edge == d.edge_from("11", "0"));
    CHECK(!d.session().history().can_undo());
}

}  // namespace headlight::program_graph_test
