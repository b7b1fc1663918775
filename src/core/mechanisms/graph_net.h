// What the graph mechanisms share while their tensors are named.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/mechanisms/add_tensor.h"
#include "core/settings.h"

namespace headlight {

/// A plan of a graph that is being named.
struct GraphNet {
    const GraphSettings& settings;
    std::uint64_t seed;
    Plan plan;
    TensorId edge_features = 0;  // where settings.d_edge > 0

    Index n_nodes() const { return plan.edges->n_nodes; }
    bool has_edge_features() const { return settings.d_edge > 0; }
    bool has_all_pairs() const;
    bool is_last(int layer) const { return layer + 1 == settings.n_layers; }
    bool has_bias() const { return settings.bias == Switch::On; }
    /// Whether the heads of the layer are averaged, not concatenated.
    bool is_mean(int layer) const;

    Axis item() const { return {AxisKind::Item, n_nodes()}; }
    Axis query() const { return {AxisKind::Query, n_nodes()}; }
    Axis key() const { return {AxisKind::Key, n_nodes()}; }
    Axis edge() const { return {AxisKind::Edge, plan.edges->size()}; }
    Axis width(int layer) const { return {AxisKind::HeadValue, settings.d_out.of(layer)}; }
    /// Of the layer's heads side by side.
    Axis concat_width(int layer) const;

    /// Seeded, named by its path; its symbol is given.
    TensorId weight(Named named, std::string symbol, Axis rows, Axis columns = {});
    /// X W, "H = X W".
    TensorId project(TensorName name, TensorId x, TensorId W);
    /// With biases X W + b, whose b is called so; else X W.
    TensorId project(TensorName name, TensorId x, TensorId W, TensorName bias);
    /// What an operation that reads the edges makes.
    TensorId along_edges(TensorName name, std::string equation, const Operation& operation,
                         std::vector<TensorId> inputs, Scalar scale = 1);

    /// head.W_edge and head.h_edge = F W_edge, the head's view of the edge features.
    TensorId edge_projection(const Location& head);
    /// head.pattern: the softmax over the edges of each node.
    TensorId pattern(const Location& head, TensorId scores);
    /// The activation after the layer; x if there is none. Without a symbol it is called so itself.
    TensorId activated(TensorName name, int layer, TensorId x);
    /// head.all_scores and head.ranking, unless the graph is too large.
    void ranking(const Location& head, std::string equation, const Operation& operation,
                 std::vector<TensorId> inputs, Scalar scale);
};

/// Each names one head that reads x, and returns what it gives.
TensorId add_gat_head(GraphNet& net, const Location& head, TensorId x);
TensorId add_gatv2_head(GraphNet& net, const Location& head, TensorId x);

/// One layer that reads x, "gat.l" with heads of one kind: their results, combined, out. Returns
/// out.
TensorId add_gat_layer(GraphNet& net, int layer, TensorId x, decltype(add_gat_head)& add_head);
/// "blocks.l". Returns what it gives.
TensorId add_graph_transformer_layer(GraphNet& net, int layer, TensorId x);

}  // namespace headlight
