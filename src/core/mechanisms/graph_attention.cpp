#include "core/mechanisms/graph_attention.h"

#include <algorithm>
#include <iterator>

#include "core/analyses/influence.h"
#include "core/error.h"
#include "core/mechanisms/class_readout.h"
#include "core/mechanisms/graph_net.h"
#include "core/operations/graph_operations.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

bool are_sizes(const Widths& list) {
    return !list.values.empty() && std::ranges::min(list.values) >= 1;
}

void check_list(const char* key, const Widths& list, int n_layers) {
    if (list.is_list() && std::ssize(list.values) != n_layers)
        throw Error("graph", std::string(key) + " has " + std::to_string(list.values.size()) +
                                 " numbers for " + std::to_string(n_layers) +
                                 " layers; give one, or one for each layer");
}

void check(const GraphNodes& nodes, const Edges& edges, const GraphSettings& settings) {
    if (nodes.names.empty()) throw Error("graph", "there is no node to attend to; add a node");
    if (settings.n_layers < 1 || settings.d_in < 1 || !are_sizes(settings.n_heads) ||
        !are_sizes(settings.d_out))
        throw Error("graph", "layers, heads and widths must be at least 1");
    check_list("n_heads", settings.n_heads, settings.n_layers);
    check_list("d_out", settings.d_out, settings.n_layers);
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

TensorId add_embedding(GraphNet& net, GraphNodes& nodes) {
    const bool is_transformer = net.settings.mechanism == GraphMechanism::Transformer;
    TensorName name{Location().at(Role::Embedding),
                    is_transformer ? "E" : "X",
                    net.item(),
                    {AxisKind::Model, net.settings.d_in},
                    Stage::Input};
    if (nodes.features)
        return add_result(net.plan, std::move(name), "given features, one row a node",
                          operations::listed, {}, {.values = nodes.features});
    return add_result(net.plan, std::move(name), "features, one row a node", operations::named_rows,
                      {}, {.seed = net.seed, .names = shared(std::move(nodes.keys))});
}

/// One feature an edge: its weight.
void add_edge_weights(GraphNet& net, const MatrixPtr& weights) {
    const int list = net.plan.add_list("edge feature", {"weight"});
    net.edge_features =
        add_result(net.plan,
                   {Location().at(Role::EdgeFeatures),
                    "F",
                    net.edge(),
                    {AxisKind::Named, 1, list},
                    Stage::Input},
                   "weights, one row an edge", operations::listed, {}, {.values = weights});
}

void add_edge_features(GraphNet& net) {
    const int width = net.settings.d_edge;
    std::vector<std::string> numbers;
    for (int f = 0; f < width; ++f) numbers.push_back(std::to_string(f));
    const int list = net.plan.add_list("edge feature", std::move(numbers));
    net.edge_features =
        add_result(net.plan,
                   {Location().at(Role::EdgeFeatures),
                    "F",
                    net.edge(),
                    {AxisKind::Named, width, list},
                    Stage::Input},
                   "features, one row an edge", operations::edge_features, {},
                   {.seed = net.seed, .names = net.plan.lists[0].names, .edges = net.plan.edges});
}

TensorId add_layer(GraphNet& net, int layer, TensorId x) {
    switch (net.settings.mechanism) {
        case GraphMechanism::Gat:
            return add_gat_layer(net, layer, x, add_gat_head);
        case GraphMechanism::GatV2:
            return add_gat_layer(net, layer, x, add_gatv2_head);
        case GraphMechanism::Transformer:
            return add_graph_transformer_layer(net, layer, x);
    }
    throw Error("graph", "this mechanism is unknown");
}

}  // namespace

Plan plan_graph_attention(GraphNodes nodes, Edges edges, const GraphSettings& asked,
                          std::uint64_t seed) {
    GraphSettings settings = asked;
    if (nodes.features) settings.d_in = static_cast<int>(nodes.features->cols());
    check(nodes, edges, settings);
    GraphNet net{.settings = settings, .seed = seed, .plan = {}};
    net.plan.lists[0] = {"node", shared(std::move(nodes.names))};
    net.plan.edges = shared(std::move(edges));
    const TensorId embed = add_embedding(net, nodes);
    if (net.has_edge_features())
        nodes.edge_weights ? add_edge_weights(net, nodes.edge_weights) : add_edge_features(net);
    TensorId out = embed;
    for (int l = 0; l < settings.n_layers; ++l) out = add_layer(net, l, out);
    if (settings.n_classes > 0)
        add_class_readout(net.plan, out, class_names(settings.n_classes), net.seed);
    if (net.has_all_pairs()) add_influence(net.plan, out, embed, "influence");
    return std::move(net.plan);
}

}  // namespace headlight
