// Gradients of every graph mechanism against central differences, in double.
#include <doctest/doctest.h>

#include "core/differences.h"
#include "core/studies.h"

namespace headlight::graph_derivatives_test {
namespace {

const std::vector<Edges> kGraphs = {small_edges(), make_edges(3, {}), make_edges(1, {{0, 0}})};

GraphSettings two_layers(GraphMechanism mechanism, int d_edge) {
    return {.mechanism = mechanism,
            .n_layers = 2,
            .n_heads = {{2}},
            .d_in = 3,
            .d_out = {{2}},
            .d_edge = d_edge};
}

}  // namespace

TEST_CASE("GAT: the gradient of every leaf agrees with central differences") {
    GraphSettings mean = two_layers(GraphMechanism::Gat, 0);
    mean.combine = Combine::Mean;
    mean.activation = Activation::None;
    mean.slope = 0.05f;
    for (const Edges& edges : kGraphs) {
        check_leaves(graph(edges, two_layers(GraphMechanism::Gat, 2)), {}, "gat.1.out");
        check_leaves(graph(edges, mean), {}, "gat.1.out");
    }
    check_leaves(graph(small_edges(), mean), {}, "gat.1.heads.1.pattern");
    check_leaves(graph(small_edges(), mean), {}, "gat.1.heads.1.all_scores");
}

TEST_CASE("GATv2: the gradient of every leaf agrees with central differences") {
    for (const Edges& edges : kGraphs)
        for (const int d_edge : {0, 2})
            check_leaves(graph(edges, two_layers(GraphMechanism::GatV2, d_edge)), {}, "gat.1.out");
    const Trace trace = graph(small_edges(), two_layers(GraphMechanism::GatV2, 2));
    check_leaves(trace, {}, "gat.1.heads.0.all_scores");
}

TEST_CASE("graph transformer: the gradient of every leaf agrees with central differences") {
    for (const Edges& edges : kGraphs)
        for (const int d_edge : {0, 2})
            for (const Combine combine : {Combine::Concat, Combine::Mean}) {
                GraphSettings settings = two_layers(GraphMechanism::Transformer, d_edge);
                settings.combine = combine;
                check_leaves(graph(edges, settings), {}, "blocks.1.out");
            }
}

TEST_CASE("layers that differ, biases, skips: the gradient of every leaf agrees") {
    for (const GraphMechanism mechanism :
         {GraphMechanism::Gat, GraphMechanism::GatV2, GraphMechanism::Transformer})
        for (const Switch output : {Switch::On, Switch::Off}) {
            GraphSettings settings = two_layers(mechanism, 2);
            settings.n_heads = {{2, 1}}, settings.d_out = {{2, 3}};
            settings.inner_combine = output == Switch::On ? Combine::Mean : Combine::Concat;
            settings.bias = settings.skip = Switch::On;
            settings.output = output;
            settings.last_activation = Switch::Off;
            const bool is_transformer = mechanism == GraphMechanism::Transformer;
            check_leaves(graph(small_edges(), settings), {},
                         is_transformer ? "blocks.1.sum" : "gat.1.out");
        }
}

TEST_CASE("pins: no gradient passes through pinned edges; a row is one node's edges") {
    const GraphSettings settings{.n_heads = {{1}}, .d_in = 3, .d_out = {{2}}};
    for (const RowRule rows : {RowRule::Keep, RowRule::Renormalise})
        for (const Scalar pin : {0.3, 1.2}) {
            const Intervention held{.cells = {{0, 0, pin}, {4, 0, 0.5}}, .rows = rows};
            const Interventions interventions{{"gat.0.heads.0.pattern", held}};
            check_leaves(graph(small_edges(), settings, interventions), interventions, "gat.0.out");
        }
}

TEST_CASE("pins: no gradient passes through edge features set by hand") {
    const GraphSettings settings = two_layers(GraphMechanism::Transformer, 3);
    const Intervention held{.cells = {{1, 2, 0.4}, {3, 0, -2}}, .rows = RowRule::Keep};
    const Interventions interventions{{"blocks.0.attn.heads.1.h_edge", {.cells = {{1, 1, 0.4}}}},
                                      {"edge_features", held}};
    check_leaves(graph(small_edges(), settings, interventions), interventions, "blocks.1.out");
}

}  // namespace headlight::graph_derivatives_test
