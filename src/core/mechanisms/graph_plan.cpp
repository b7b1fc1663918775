#include "core/mechanisms/graph_plan.h"

#include "core/mechanisms/graph_attention.h"
#include "core/operations/graph_operations.h"
#include "core/operations/operations.h"

namespace headlight {

bool GraphPlan::has_all_pairs() const {
    return n_nodes() <= kMostPairedNodes;
}

TensorId GraphPlan::weight(std::string path, std::string symbol, Axis rows, Axis columns) {
    return add_weight(trace, {std::move(path), std::move(symbol), rows, columns}, seed);
}

TensorId GraphPlan::project(TensorName name, TensorId x, TensorId W) {
    std::string equation = name.symbol + " = " + trace[x].symbol + " " + trace[W].symbol;
    name.stage = Stage::Projection;
    return add_product(trace, std::move(name), std::move(equation), x, W);
}

TensorId GraphPlan::along_edges(TensorName name, std::string equation, const Operation& operation,
                                std::vector<TensorId> inputs, Scalar scale) {
    return add_result(trace, std::move(name), std::move(equation), operation, std::move(inputs),
                      {.scale = scale, .edges = trace.edges});
}

TensorId GraphPlan::edge_projection(const std::string& head) {
    const TensorId W = weight(head + ".W_edge", "W_{edge}", trace[edge_features].columns, width());
    return project({head + ".h_edge", "H_{edge}", edge(), width()}, edge_features, W);
}

TensorId GraphPlan::pattern(const std::string& head, TensorId scores) {
    return along_edges({head + ".pattern", "α", edge(), {}, Stage::Score, Quantity::Probability},
                       "α(i,j) = softmax_j " + trace[scores].symbol + "(i,j)",
                       operations::edge_softmax, {scores});
}

void GraphPlan::ranking(const std::string& head, std::string equation, const Operation& operation,
                        std::vector<TensorId> inputs, Scalar scale) {
    if (!has_all_pairs()) return;
    const TensorId all = add_result(
        trace,
        {head + ".all_scores", "S", query(), key(), Stage::Score, Quantity::Signed, Keep::OnDemand},
        std::move(equation), operation, std::move(inputs), {.scale = scale});
    add_result(
        trace,
        {head + ".ranking", "rank", query(), key(), Stage::Score, Quantity::Rank, Keep::OnDemand},
        "rank of key j for query i, 0 is read most", operations::ranking, {all});
}

TensorId add_gat_layer(GraphPlan& plan, int layer, TensorId x, decltype(add_gat_head)& add_head) {
    const GraphSettings& settings = plan.settings;
    const std::string path = "gat." + std::to_string(layer);
    std::vector<TensorId> heads;
    for (int h = 0; h < settings.n_heads; ++h)
        heads.push_back(add_head(plan, path + ".heads." + std::to_string(h), x));
    const bool is_mean = plan.is_last(layer) && settings.combine == Combine::Mean;
    const Axis width =
        is_mean ? plan.width() : Axis{AxisKind::Concat, Index(settings.n_heads) * settings.d_out};
    TensorName name{path + ".combined", is_mean ? "mean" : "concat", plan.item(), width,
                    Stage::Output};
    const Scalar share = 1 / static_cast<Scalar>(settings.n_heads);
    const TensorId combined =
        is_mean ? add_result(plan.trace, std::move(name), "Σ_h H'_h / heads",
                             operations::scaled_sum, std::move(heads), {.scale = share})
                : add_result(plan.trace, std::move(name), "[H'_0 | H'_1 | …]",
                             operations::concat_columns, std::move(heads));
    const bool is_elu = settings.activation == Activation::Elu;
    const std::string inner = plan.trace[combined].symbol;
    return add_result(plan.trace, {path + ".out", "out", plan.item(), width, Stage::Output},
                      is_elu ? "ELU(" + inner + ")" : inner,
                      is_elu ? operations::elu : operations::copy, {combined});
}

}  // namespace headlight
