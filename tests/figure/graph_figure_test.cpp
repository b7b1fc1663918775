#include "figure/graphs/graph_figure.h"

#include <cmath>
#include <doctest/doctest.h>

#include "figure/color.h"
#include "figure/color_scale.h"
#include "figure/graphs/graph_marks.h"
#include "figure/marks.h"

namespace headlight::graph_figure_test {
using namespace headlight::test;

namespace {

GraphFigure paint(const GraphInput& input) {
    return graph_figure(input, theme_named(ThemeName::Light), fake_measure);
}

GraphInput make_input(int nodes, int edges, std::mt19937& random) {
    GraphInput input;
    std::uniform_real_distribution<float> place(0, 1);
    for (int k = 0; k < nodes; ++k)
        input.nodes.push_back({std::to_string(k), place(random), place(random), k % 3});
    for (int k = 0; k < edges; ++k)
        input.edges.push_back({static_cast<int>(random() % nodes),
                               static_cast<int>(random() % nodes), place(random)});
    input.color = {0, 0x72, 0xb2};
    return input;
}

}  // namespace

TEST_CASE("graph: positions map back and forth; nodes and edges are found where they are drawn") {
    std::mt19937 random(51);
    const auto input = make_input(34, 190, random);
    const auto geometry = paint(input).geometry;
    for (int k = 0; k < 34; ++k) {
        const Point place = geometry.place_from(geometry.node_point(k));
        CHECK(place.x == doctest::Approx(input.nodes[k].x).epsilon(1e-4));
        CHECK(place.y == doctest::Approx(input.nodes[k].y).epsilon(1e-4));
        const auto found = geometry.node_at(geometry.node_point(k));
        REQUIRE(found);
        CHECK(*found >= k);  // a later node may lie on top
    }
    for (std::size_t k = 0; k < input.edges.size(); ++k) {
        const Point on = point_on(geometry.curves[k], 0.5f);
        if (geometry.node_at(on)) continue;
        const auto found = geometry.edge_at(on, 4);
        REQUIRE(found);
        CHECK(distance_to(geometry.curves[*found], on, 100) <
              distance_to(geometry.curves[k], on, 100) + 0.1f);
    }
    CHECK(geometry.place_from({-100, 1e6f}).x == 0);
    CHECK_FALSE(geometry.edge_at({-100, -100}, 4));
}

TEST_CASE(
    "graph: two nodes that read each other have two curves in the direction of the messages") {
    GraphInput input;
    input.nodes = {{"a", 0, 0.5f, 0}, {"b", 1, 0.5f, 0}};
    input.edges = {{0, 1, Scalar(0.9)}, {1, 0, Scalar(0.1)}};
    const auto geometry = paint(input).geometry;
    const Point there = point_on(geometry.curves[0], 0.5f),
                back = point_on(geometry.curves[1], 0.5f);
    CHECK(std::abs(there.y - back.y) > 10);
    CHECK(geometry.curves[0].from.x > geometry.curves[0].to.x);  // from b, which is read, to a
    CHECK(geometry.edge_at(there, 3) == 0);
    CHECK(geometry.edge_at(back, 3) == 1);
}

TEST_CASE("graph: a larger α gives a wider curve; the selected edge has the selection's colour") {
    GraphInput input;
    input.nodes = {{"a", 0, 0, 0}, {"b", 1, 0, 0}, {"c", 1, 1, 0}};
    input.edges = {{0, 1, Scalar(0.1)}, {0, 2, Scalar(0.8)}, {0, 0, Scalar(0.1)}};
    const auto curves = [](const Figure& figure) {
        std::vector<CurveMark> found;
        for (const Mark& mark : figure.marks)
            if (const auto* curve = std::get_if<CurveMark>(&mark)) found.push_back(*curve);
        return found;
    };
    auto drawn = curves(paint(input).figure);
    REQUIRE(drawn.size() == 3);
    CHECK(drawn.back().width > 2 * drawn.front().width);
    const Theme& theme = theme_named(ThemeName::Light);
    const double before = contrast(drawn.back().color, theme.canvas);
    input.choice.selected_edge = 0;
    drawn = curves(paint(input).figure);
    CHECK(drawn.back().color == theme.selection);
    CHECK(contrast(drawn[1].color, theme.canvas) < 0.7 * before);
}

TEST_CASE("graph: names never overlap and everything stays inside") {
    std::mt19937 random(52);
    for (int round = 0; round < 60; ++round) {
        auto input = make_input(random() % 80 + 1, random() % 200, random);
        input.box = {0, 0, 300 + static_cast<float>(random() % 900),
                     300 + static_cast<float>(random() % 600)};
        for (Node& node : input.nodes) node.name = random_word(random) + node.name;
        if (round % 2) input.choice.selected_nodes = {0};
        if (round % 3) input.choice.hovered_edge = 3;
        const auto painted = paint(input);
        CHECK(overlapping_texts(painted.figure) == "");
        CHECK(outside_mark(painted.figure, 8) == "");
    }
}

TEST_CASE("graph: a loop turns to a side on which it covers no other node") {
    GraphInput input;
    input.nodes = {{"Ada", 0, 0.5f}, {"Ben", 0.35f, 0.2f}, {"Cleo", 0.7f, 0.5f}, {"Dan", 1, 0.8f}};
    for (int k = 0; k < 4; ++k) input.edges.push_back({k, k, 0.5f});
    input.box = {0, 0, 200, 150};
    const GraphGeometry geometry = paint(input).geometry;
    for (std::size_t e = 0; e < 4; ++e)
        for (std::size_t k = 0; k < 4; ++k)
            if (k != e)
                CHECK(distance_to(geometry.curves[e], geometry.points[k], 1000) >= geometry.radius);
}

TEST_CASE("graph: no nodes, one node, loops only, missing ends and NaN are handled") {
    GraphInput input;
    CHECK(paint(input).figure.marks.empty());
    CHECK_FALSE(paint(input).geometry.node_at({1, 1}));
    input.nodes = {{"only", 0.5f, 0.5f, 0}};
    input.edges = {{0, 0, 1}, {0, 7, 1}, {-1, 0, 1}, {0, 0, std::nanf("")}};
    input.choice.selected_nodes = {9};
    input.choice.hovered_edge = 77;
    const auto painted = paint(input);
    CHECK(outside_mark(painted.figure) == "");
    CHECK_FALSE(painted.geometry.edge_at({0, 0}, 5));
    input.box = {};
    paint(input);
}

TEST_CASE("graph: among 20,000 edges the one under the pointer is found") {
    std::mt19937 random(53);
    const auto input = make_input(2000, 20000, random);
    const auto painted = paint(input);
    bool is_found = false;
    for (float x = 0; x < 800 && !is_found; x += 10)
        is_found = painted.geometry.edge_at({x, 300}, 5).has_value();
    CHECK(is_found);
}

TEST_CASE("graph: a difference has one colour for each sign, and its own scale") {
    GraphInput input;
    input.nodes = {{"a", 0, 0, 0}, {"b", 1, 0, 0}, {"c", 1, 1, 0}};
    input.edges = {{0, 1, Scalar(-0.05)}, {0, 2, Scalar(0.05)}, {1, 2, Scalar(0.01)}};
    input.color = {0, 0, 255, 255};
    input.negative_color = {255, 0, 0, 255};
    input.full = Scalar(0.05);
    input.symbol = "A − B";
    const Figure figure = paint(input).figure;
    std::vector<CurveMark> curves;
    for (const Mark& mark : figure.marks)
        if (const auto* curve = std::get_if<CurveMark>(&mark)) curves.push_back(*curve);
    REQUIRE(curves.size() == 3);
    CHECK(curves[1].width == curves[2].width);  // equally strong, the last ones
    CHECK(curves[0].width < curves[1].width);
    CHECK(curves[1].color == input.negative_color);
    CHECK(curves[2].color == input.color);
    CHECK(has_text(figure, "−0.05"));
    CHECK(has_text(figure, "A − B"));
}

TEST_CASE("graph: zoomed, what is under the pointer stays, and nothing leaves the plot") {
    std::mt19937 random(54);
    for (int round = 0; round < 30; ++round) {
        auto input = make_input(60, 200, random);
        const GraphGeometry whole = graph_geometry(input);
        const Point at = whole.node_point(7);
        input.view = zoomed_at(whole.whole, input.view, at, 1 + round);
        const GraphGeometry seen = graph_geometry(input);
        const Point place = seen.place_from(at);
        if (input.view.x > 0.51 / input.view.zoom && input.view.x < 1 - 0.51 / input.view.zoom)
            CHECK(place.x == doctest::Approx(input.nodes[7].x).epsilon(1e-3));
        for (const CurveMark& curve : seen.curves) {
            if (curve.width == 0) continue;
            for (const float t : {0.0f, 1.0f}) {
                const Point p = point_on(curve, t);
                const Box& plot = seen.plot;
                CHECK(p.x > plot.x - 8);
                CHECK(p.x < plot.right() + 8);
                CHECK(p.y > plot.y - 8);
                CHECK(p.y < plot.bottom() + 8);
            }
        }
        const Figure figure = paint(input).figure;
        CHECK(outside_mark(figure, 16) == "");
        if (round > 0) CHECK(!input.view.is_whole());
    }
    CHECK(zoomed_at({0, 0, 100, 100}, GraphZoom{4, 0.5, 0.5}, {10, 10}, 0.01).is_whole());
    CHECK(moved({0, 0, 100, 100}, GraphZoom{4, 0.5, 0.5}, {1e6f, 0}).x == doctest::Approx(0.125));
}

TEST_CASE("graph: hidden edges are neither drawn nor pointed at") {
    std::mt19937 random(55);
    auto input = make_input(20, 60, random);
    const Point on = point_on(paint(input).geometry.curves[11], 0.5f);
    input.hidden_edges.assign(input.edges.size(), true);
    input.notes = {"none: 0 of 60 edges"};
    const GraphFigure painted = paint(input);
    CHECK_FALSE(painted.geometry.edge_at(on, 5));
    for (const Mark& mark : painted.figure.marks) CHECK(!std::holds_alternative<CurveMark>(mark));
    CHECK(has_text(painted.figure, "none: 0 of 60 edges"));
}

TEST_CASE("graph: values colour the nodes, and the legend has the numbers of both ends") {
    std::mt19937 random(56);
    auto input = make_input(12, 30, random);
    NodeValues values{.name = "out, column 2",
                      .values = {},
                      .scale = diverging_scale(theme_named(ThemeName::Light), Scalar(0.8))};
    for (int k = 0; k < 12; ++k) values.values.push_back(Scalar(k - 6) / 8);
    input.values = values;
    const Figure figure = paint(input).figure;
    for (const char* text : {"−0.800", "0.800", "nodes: out, column 2"})
        CHECK(has_text(figure, text));
    int n_right = 0;
    for (const Mark& mark : figure.marks)
        if (const auto* circle = std::get_if<CircleMark>(&mark))
            n_right += circle->fill == value_color(values.scale, values.values[n_right]);
    CHECK(n_right == 12);
}

TEST_CASE("graph: groups are counted in the legend") {
    GraphInput input;
    input.nodes = {{"a", 0, 0, 1}, {"b", 1, 0, 2}, {"c", 1, 1, 2}};
    const Figure figure = paint(input).figure;
    CHECK(has_text(figure, "group 1: 1"));
    CHECK(has_text(figure, "group 2: 2"));
}

TEST_CASE("graph: a legend without room for a kind of nodes says how many kinds there are") {
    GraphInput input;
    for (int k = 0; k < 3; ++k)
        input.nodes.push_back({"a", 0.5f * static_cast<float>(k), 0, k + 1});
    for (int width = 181; width < 420; ++width) {
        input.box = {0, 0, static_cast<float>(width), 300};
        const Figure figure = paint(input).figure;
        const bool names_one = has_text(figure, "nodes of") && has_text(figure, "group 1: 1");
        const bool names_all = (has_text(figure, "group 1") && has_text(figure, "group 3")) ||
                               (has_text(figure, "group 1: 1") && has_text(figure, "group 3: 1"));
        CAPTURE(width);
        CHECK((names_one || names_all || has_text(figure, "nodes of 3 groups")));
        if (names_all) CHECK(!has_text(figure, "and 1 more"));
        CHECK_FALSE((has_text(figure, "nodes of") && has_text(figure, "and 3 more")));
    }
}

TEST_CASE("graph: a legend names all kinds of nodes before it counts them") {
    GraphInput input;
    for (int k = 0; k < 3; ++k)
        input.nodes.push_back({"a", 0.5f * static_cast<float>(k), 0, k + 1});
    int n_counted = 0, n_named = 0;
    for (float width = 420; width > 200; --width) {
        input.box = {0, 0, width, 300};
        const Figure figure = paint(input).figure;
        CAPTURE(width);
        const auto has_all = [&](const std::string& behind) {
            return has_text(figure, "group 1" + behind) && has_text(figure, "group 2" + behind) &&
                   has_text(figure, "group 3" + behind);
        };
        n_counted += has_all(": 1") ? 1 : 0;
        n_named += has_all("") ? 1 : 0;
        CHECK((has_all(": 1") || has_all("") || has_text(figure, "nodes of") ||
               has_text(figure, "nodes of 3 groups")));
        if (has_all(": 1") || has_all("")) CHECK(!has_text(figure, "and 1 more"));
    }
    CHECK(n_counted > 0);
    CHECK(n_named > 0);
}

TEST_CASE("graph: in layers it has the marks of the whole figure, and what is chosen over a veil") {
    std::mt19937 random(57);
    const auto input = make_input(500, 4000, random);
    const Theme& theme = theme_named(ThemeName::Light);
    const GraphLayers layers = graph_layers(input, theme, fake_measure);
    const std::size_t n_whole = paint(input).figure.marks.size();
    CHECK(layers.picture->marks.size() + layers.names.marks.size() + layers.legend.marks.size() ==
          n_whole);
    CHECK(chosen_layer(layers, {}, theme, fake_measure).marks.empty());
    GraphChoice choice;
    choice.selected_nodes = {3};
    const Figure chosen = chosen_layer(layers, choice, theme, fake_measure);
    std::size_t n_at_node = 0;
    for (const WeightedEdge& edge : input.edges) n_at_node += edge.i == 3 || edge.j == 3;
    std::size_t n_curves = 0;
    for (const Mark& mark : chosen.marks) n_curves += std::holds_alternative<CurveMark>(mark);
    CHECK(n_curves == n_at_node);
    CHECK(std::holds_alternative<RectMark>(chosen.marks.front()));
    CHECK(has_text(chosen, "3"));
}

TEST_CASE("graph: what is not in focus can be seen on every canvas") {
    for (const ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Contrast}) {
        CAPTURE(static_cast<int>(name));
        const Theme& theme = theme_named(name);
        for (int group = 1; group <= 3; ++group) {
            const Color node = mixed(theme.canvas, theme.node_border, background_strength(theme));
            CHECK(contrast(node, theme.canvas) > 2.5);
            const Color edge =
                mixed(theme.canvas, head_color(theme, group - 1), background_strength(theme));
            CHECK(contrast(edge, theme.canvas) > (name == ThemeName::Dark ? 3.5 : 1.3));
        }
    }
}

TEST_CASE("graph: of few edges each has an arrow that can be seen, which ends outside its node") {
    GraphInput input;
    input.nodes = {{"cats", 0, 0.8f, 0}, {"chase", 0.5f, 0, 0}, {"mice", 1, 0.8f, 0}};
    input.edges = {{2, 0, Scalar(0.05)}, {2, 1, Scalar(0.01)}, {1, 0, Scalar(0.9)}};
    input.box = {0, 0, 400, 300};
    for (const std::vector<int>& chosen : {std::vector<int>{}, std::vector<int>{2}}) {
        input.choice.selected_nodes = chosen;
        const GraphFigure painted = paint(input);
        std::vector<CircleMark> nodes;
        std::vector<TriangleMark> heads;
        for (const Mark& mark : painted.figure.marks) {
            if (const auto* circle = std::get_if<CircleMark>(&mark)) nodes.push_back(*circle);
            if (const auto* head = std::get_if<TriangleMark>(&mark)) heads.push_back(*head);
        }
        REQUIRE(heads.size() == 3);
        REQUIRE(nodes.size() == 3);
        for (const TriangleMark& head : heads) {
            const Point middle{(head.b.x + head.c.x) / 2, (head.b.y + head.c.y) / 2};
            CHECK(std::hypot(head.a.x - middle.x, head.a.y - middle.y) > 8.5f);
            CHECK(std::hypot(head.b.x - head.c.x, head.b.y - head.c.y) > 7);
            for (const CircleMark& node : nodes)
                CHECK(std::hypot(head.a.x - node.center.x, head.a.y - node.center.y) >
                      node.radius + node.stroke_width / 2 - 0.5f);
            CHECK(contrast(head.fill, theme_named(ThemeName::Light).canvas) > 1.8);
        }
    }
}

TEST_CASE("graph: made larger it has larger nodes, arrows and names, in the same box") {
    std::mt19937 random(57);
    GraphInput input = make_input(5, 8, random);
    const GraphFigure usual = paint(input);
    input.times = 1.5f;
    const GraphFigure larger = paint(input);
    CHECK(outside_mark(larger.figure, 8) == "");
    CHECK(larger.figure.width == doctest::Approx(usual.figure.width));
    CHECK(larger.geometry.radius > 1.15f * usual.geometry.radius);
    const Point place = larger.geometry.place_from(larger.geometry.node_point(3));
    CHECK(place.x == doctest::Approx(input.nodes[3].x).epsilon(1e-3));
    CHECK(larger.geometry.node_at(larger.geometry.node_point(4)) == 4);
    CHECK(texts_of(larger.figure).front().size > 1.2f * texts_of(usual.figure).front().size);
}

TEST_CASE("graph: nodes that are made larger do not touch where they did not before") {
    std::mt19937 random(58);
    GraphInput input = make_input(34, 78, random);
    const auto distance = [](const GraphGeometry& geometry) {
        float least = 1e6f;
        for (std::size_t k = 0; k < geometry.points.size(); ++k)
            for (std::size_t l = 0; l < k; ++l)
                least = std::min(least, std::hypot(geometry.points[k].x - geometry.points[l].x,
                                                   geometry.points[k].y - geometry.points[l].y));
        return least;
    };
    for (const float closeness : {0.02f, 0.04f, 0.06f}) {
        input.times = 1;
        input.nodes[7].x = input.nodes[3].x + closeness;
        input.nodes[7].y = input.nodes[3].y;
        const GraphGeometry usual = graph_geometry(input);
        input.times = 1.4f;
        const GraphGeometry larger = graph_geometry(input);
        CAPTURE(closeness);
        CHECK(larger.radius >= 0.599f * usual.radius);
        CHECK(2 * larger.radius <= std::max(1.201f * usual.radius, 0.91f * distance(larger)));
    }
}

}  // namespace headlight::graph_figure_test
