#include "core/graph_attention.h"

#include "core/add_tensor.h"
#include "core/error.h"
#include "core/operations.h"

namespace headlight {
namespace {

/// Names the tensors of one graph layer.
class GraphLayer {
  public:
    GraphLayer(const std::vector<std::string>& nodes, Edges edges,
               const GraphAttentionSettings& settings, std::uint64_t seed)
        : settings_(settings), seed_(seed), n_(static_cast<Index>(nodes.size())) {
        trace_.item_noun = "node";
        trace_.items = std::make_shared<const std::vector<std::string>>(nodes);
        trace_.edges = std::make_shared<const Edges>(std::move(edges));
    }

    Trace plan() {
        auto keys = std::make_shared<std::vector<std::string>>();
        for (const std::string& node : *trace_.items) keys->push_back("node:" + node);
        const TensorId x = trace_.add({.path = "embed",
                                       .symbol = "X",
                                       .equation = "features, one row a node",
                                       .rows = item(),
                                       .columns = feature(),
                                       .stage = Stage::Input,
                                       .operation = &operations::named_rows,
                                       .settings = {.seed = seed_, .names = keys}});
        std::vector<TensorId> outs;
        for (int h = 0; h < settings_.n_heads; ++h)
            outs.push_back(name_head("gat.0.heads." + std::to_string(h), x));
        name_output(std::move(outs));
        return std::move(trace_);
    }

  private:
    TensorId name_head(const std::string& head, TensorId x) {
        const TensorId W = weight(head + ".W", "W", feature(), width());
        const TensorId a_src = weight(head + ".a_src", "a_{src}", width(), {});
        const TensorId a_dst = weight(head + ".a_dst", "a_{dst}", width(), {});
        const TensorId H = product(head + ".h", "H", "H = X W", item(), width(), x, W);
        const TensorId src =
            product(head + ".score_src", "s_{src}", "H a_{src}", {AxisKind::Key, n_}, {}, H, a_src);
        const TensorId dst = product(head + ".score_dst", "s_{dst}", "H a_{dst}",
                                     {AxisKind::Query, n_}, {}, H, a_dst);
        const TensorId pattern = name_pattern(head, dst, src);
        return trace_.add({.path = head + ".out",
                           .symbol = "H'",
                           .equation = "H'(i) = Σ_j α(i,j) H(j)",
                           .rows = item(),
                           .columns = width(),
                           .stage = Stage::Mix,
                           .operation = &operations::edge_mix,
                           .settings = {.edges = trace_.edges},
                           .inputs = {pattern, H}});
    }

    TensorId name_pattern(const std::string& head, TensorId dst, TensorId src) {
        const Axis edge{AxisKind::Edge, trace_.edges->size()};
        const TensorId raw = trace_.add({.path = head + ".raw_scores",
                                         .symbol = "s",
                                         .equation = "s_{dst}(i) + s_{src}(j)",
                                         .rows = edge,
                                         .stage = Stage::Score,
                                         .operation = &operations::edge_scores,
                                         .settings = {.edges = trace_.edges},
                                         .inputs = {dst, src}});
        const TensorId scores = trace_.add(
            {.path = head + ".scores",
             .symbol = "e",
             .equation = "e = LeakyReLU(s)",
             .rows = edge,
             .stage = Stage::Score,
             .operation = &operations::leaky_relu,
             .settings = {.scale = static_cast<Scalar>(settings_.slope), .edges = trace_.edges},
             .inputs = {raw}});
        return trace_.add({.path = head + ".pattern",
                           .symbol = "α",
                           .equation = "α(i,j) = softmax_j e(i,j)",
                           .rows = edge,
                           .quantity = Quantity::Probability,
                           .stage = Stage::Score,
                           .operation = &operations::edge_softmax,
                           .settings = {.edges = trace_.edges},
                           .inputs = {scores}});
    }

    void name_output(std::vector<TensorId> outs) {
        const bool is_concat = settings_.combine == Combine::Concat;
        const Axis combined_width{
            is_concat ? AxisKind::Concat : AxisKind::HeadValue,
            is_concat ? Index(settings_.n_heads) * settings_.d_out : Index(settings_.d_out)};
        const TensorId combined = trace_.add(
            {.path = "gat.0.combined",
             .symbol = is_concat ? "concat" : "mean",
             .equation = is_concat ? "[H'_0 | H'_1 | …]" : "Σ_h H'_h / heads",
             .rows = item(),
             .columns = combined_width,
             .stage = Stage::Output,
             .operation = is_concat ? &operations::concat_columns : &operations::scaled_sum,
             .settings = {.scale =
                              is_concat ? Scalar(1) : 1 / static_cast<Scalar>(settings_.n_heads)},
             .inputs = std::move(outs)});
        const bool is_elu = settings_.activation == Activation::Elu;
        const std::string inner = trace_[combined].symbol;
        trace_.add({.path = "gat.0.out",
                    .symbol = "out",
                    .equation = is_elu ? "ELU(" + inner + ")" : inner,
                    .rows = item(),
                    .columns = combined_width,
                    .stage = Stage::Output,
                    .operation = is_elu ? &operations::elu : &operations::copy,
                    .inputs = {combined}});
    }

    TensorId weight(std::string path, std::string symbol, Axis rows, Axis columns) {
        return add_weight(trace_, {std::move(path), std::move(symbol), rows, columns}, seed_);
    }

    TensorId product(std::string path, std::string symbol, std::string equation, Axis rows,
                     Axis columns, TensorId a, TensorId b) {
        return add_product(trace_,
                           {std::move(path), std::move(symbol), rows, columns, Stage::Projection},
                           std::move(equation), a, b);
    }

    Axis item() const { return {AxisKind::Item, n_}; }
    Axis feature() const { return {AxisKind::Model, settings_.d_in}; }
    Axis width() const { return {AxisKind::HeadValue, settings_.d_out}; }

    const GraphAttentionSettings& settings_;
    std::uint64_t seed_;
    Index n_;
    Trace trace_;
};

}  // namespace

Trace plan_graph_attention(const std::vector<std::string>& nodes, Edges edges,
                           const GraphAttentionSettings& settings, std::uint64_t seed) {
    if (nodes.empty()) throw Error("graph", "there is no node to attend to; add a node");
    if (settings.n_heads < 1 || settings.d_in < 1 || settings.d_out < 1)
        throw Error("graph", "heads and widths must be at least 1");
    if (edges.n_nodes != static_cast<Index>(nodes.size()))
        throw Error("graph", "the edges are for " + std::to_string(edges.n_nodes) +
                                 " nodes, there are " + std::to_string(nodes.size()));
    return GraphLayer(nodes, std::move(edges), settings, seed).plan();
}

}  // namespace headlight
