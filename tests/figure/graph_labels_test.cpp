// The names of nodes: beside their own, smaller where they are crowded, and always readable.
#include "figure/graphs/graph_labels.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <random>
#include <string>
#include <vector>

#include "figure/color.h"
#include "figure/graphs/graph_figure.h"
#include "figure/marks.h"

namespace headlight::graph_labels_test {
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
    return input;
}

}  // namespace

TEST_CASE("graph: a name stands nearer to its own node than to any other, or is counted") {
    std::mt19937 random(58);
    for (int round = 0; round < 40; ++round) {
        auto input = make_input(30, 90, random);
        input.box = {0, 0, 300 + 20 * static_cast<float>(round), 300};
        const GraphFigure painted = paint(input);
        std::size_t n_named = 0;
        for (const Mark& mark : painted.figure.marks) {
            const auto* name = std::get_if<TextMark>(&mark);
            if (!name || name->align != Align::Middle) continue;
            ++n_named;
            const Point middle{name->at.x, name->at.y - 0.35f * name->size};
            std::size_t nearest = 0;
            const auto distance = [&](std::size_t k) {
                const Point at = painted.geometry.points[k];
                return std::hypot(at.x - middle.x, at.y - middle.y);
            };
            for (std::size_t k = 1; k < input.nodes.size(); ++k)
                if (distance(k) < distance(nearest)) nearest = k;
            CHECK(name->text == input.nodes[nearest].name);
        }
        const auto& left_out = painted.figure.left_out;
        CHECK(n_named + static_cast<std::size_t>(left_out.empty() ? 0 : left_out[0].count) == 30);
    }
}

TEST_CASE("graph: crowded names are smaller before any is left out") {
    GraphInput input;
    for (int k = 0; k < 24; ++k)
        input.nodes.push_back({"member" + std::to_string(k), static_cast<float>(k % 6) / 5,
                               static_cast<float>(k / 6) / 3, 0});
    bool is_once_smaller = false;
    for (float width = 160; width < 700; width += 10) {
        input.box = {0, 0, width, 300};
        const Figure figure = paint(input).figure;
        float size = 0;
        for (const Mark& mark : figure.marks)
            if (const auto* name = std::get_if<TextMark>(&mark)) size = name->size;
        is_once_smaller |= figure.left_out.empty() && size < 10.4f;
    }
    CHECK(is_once_smaller);
}

TEST_CASE("graph: names that have no room beside their nodes stand in them, if that can be read") {
    GraphInput input;
    for (int k = 0; k < 36; ++k)
        input.nodes.push_back({std::to_string(k), float(k % 6) / 5, float(k / 6) / 5});
    input.box = {0, 0, 170, 170};
    const GraphFigure painted = paint(input);
    CHECK(painted.figure.left_out.empty());
    for (const Mark& mark : painted.figure.marks)
        if (const auto* name = std::get_if<TextMark>(&mark); name && name->align == Align::Middle)
            CHECK(name->size >= 5.8f);
}

TEST_CASE("graph: names of what is not in focus can be read on every canvas") {
    std::mt19937 random(59);
    const auto large = make_input(300, 4000, random), small = make_input(20, 60, random);
    for (const ThemeName name : {ThemeName::Light, ThemeName::Dark, ThemeName::Contrast}) {
        CAPTURE(static_cast<int>(name));
        const Theme& theme = theme_named(name);
        const GraphLayers layers = graph_layers(large, theme, fake_measure);
        GraphChoice choice;
        choice.selected_nodes = {3};
        const auto n_texts = [](const Figure& figure) {
            return std::ranges::count_if(figure.marks, [](const Mark& mark) {
                return std::holds_alternative<TextMark>(mark);
            });
        };
        const Figure over = chosen_layer(layers, choice, theme, fake_measure);
        CHECK(n_texts(over) > n_texts(layers.names) / 2);
        for (const Mark& mark : over.marks)
            if (const auto* text = std::get_if<TextMark>(&mark))
                CHECK(contrast(text->color, theme.canvas) >= 4.5);
        GraphInput chosen = small;
        chosen.choice = choice;
        std::vector<CircleMark> circles;
        for (const Mark& mark : graph_figure(chosen, theme, fake_measure).figure.marks) {
            if (const auto* circle = std::get_if<CircleMark>(&mark)) circles.push_back(*circle);
            const auto* text = std::get_if<TextMark>(&mark);
            if (!text || text->align != Align::Middle) continue;
            for (const CircleMark& circle : circles)
                if (circle.center.x == text->at.x &&
                    std::abs(circle.center.y - text->at.y) < circle.radius)
                    CHECK(contrast(text->color, circle.fill) >= 4.5);
        }
    }
}

}  // namespace headlight::graph_labels_test
