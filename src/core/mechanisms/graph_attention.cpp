#include "core/mechanisms/graph_attention.h"

#include "core/analyses/influence.h"
#include "core/error.h"
#include "core/mechanisms/graph_plan.h"
#include "core/operations/graph_operations.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

void check(const GraphNodes& nodes, const Edges& edges, const GraphSettings& settings) {
    if (nodes.names.empty()) throw Error("graph", "there is no node to attend to; add a node");
    if (settings.n_layers < 1 || settings.n_heads < 1 || settings.d_in < 1 || settings.d_out < 1)
        throw Error("graph", "layers, heads and widths must be at least 1");
    if (settings.d_edge < 0)
        throw Error("graph", "d_edge is " + std::to_string(settings.d_edge) +
                                 "; it is the width of edge features, or 0 for none");
    if (nodes.features && nodes.features->rows() != edges.n_nodes)
        throw Error("graph", "the features have " + std::to_string(nodes.features->rows()) +
                                 " rows, one is needed for each of " +
                                 std::to_string(edges.n_nodes) + " nodes");
    if (edges.n_nodes != static_cast<Index>(nodes.names.size()))
        throw Error("graph", "the edges are for " + std::to_string(edges.n_nodes) +
                                 " nodes, there are " + std::to_string(nodes.names.size()));
}

template <typename T>
std::shared_ptr<const T> shared(T value) {
    return std::make_shared<const T>(std::move(value));
}

TensorId add_embedding(GraphPlan& plan, GraphNodes& nodes) {
    const bool is_transformer = plan.settings.mechanism == GraphMechanism::Transformer;
    TensorName name{"embed",
                    is_transformer ? "E" : "X",
                    plan.item(),
                    {AxisKind::Model, plan.settings.d_in},
                    Stage::Input};
    if (nodes.features)
        return add_result(plan.trace, std::move(name), "given features, one row a node",
                          operations::listed, {}, {.values = nodes.features});
    return add_result(plan.trace, std::move(name), "features, one row a node",
                      operations::named_rows, {},
                      {.seed = plan.seed, .names = shared(std::move(nodes.keys))});
}

/// One feature an edge: its weight.
void add_edge_weights(GraphPlan& plan, const MatrixPtr& weights) {
    const int list = plan.trace.add_list("edge feature", {"weight"});
    plan.edge_features = add_result(
        plan.trace, {"edge_features", "F", plan.edge(), {AxisKind::Named, 1, list}, Stage::Input},
        "weights, one row an edge", operations::listed, {}, {.values = weights});
}

void add_edge_features(GraphPlan& plan) {
    const int width = plan.settings.d_edge;
    std::vector<std::string> numbers;
    for (int f = 0; f < width; ++f) numbers.push_back(std::to_string(f));
    const int list = plan.trace.add_list("edge feature", std::move(numbers));
    plan.edge_features = add_result(
        plan.trace,
        {"edge_features", "F", plan.edge(), {AxisKind::Named, width, list}, Stage::Input},
        "features, one row an edge", operations::edge_features, {},
        {.seed = plan.seed, .names = plan.trace.lists[0].names, .edges = plan.trace.edges});
}

TensorId add_layer(GraphPlan& plan, int layer, TensorId x) {
    switch (plan.settings.mechanism) {
        case GraphMechanism::Gat:
            return add_gat_layer(plan, layer, x, add_gat_head);
        case GraphMechanism::GatV2:
            return add_gat_layer(plan, layer, x, add_gatv2_head);
        case GraphMechanism::Transformer:
            return add_graph_transformer_layer(plan, layer, x);
    }
    throw Error("graph", "this mechanism is unknown");
}

}  // namespace

Trace plan_graph_attention(GraphNodes nodes, Edges edges, const GraphSettings& asked,
                           std::uint64_t seed) {
    GraphSettings settings = asked;
    if (nodes.features) settings.d_in = static_cast<int>(nodes.features->cols());
    check(nodes, edges, settings);
    GraphPlan plan{.settings = settings, .seed = seed, .trace = {}};
    plan.trace.lists[0] = {"node", shared(std::move(nodes.names))};
    plan.trace.edges = shared(std::move(edges));
    const TensorId embed = add_embedding(plan, nodes);
    if (plan.has_edge_features())
        nodes.edge_weights ? add_edge_weights(plan, nodes.edge_weights) : add_edge_features(plan);
    TensorId out = embed;
    for (int l = 0; l < settings.n_layers; ++l) out = add_layer(plan, l, out);
    if (plan.has_all_pairs()) add_influence(plan.trace, out, embed, "influence");
    return std::move(plan.trace);
}

}  // namespace headlight
