#include "core/mechanisms/graph_net.h"

#include <utility>

#include "core/mechanisms/graph_attention.h"
#include "core/operations/graph_operations.h"
#include "core/operations/operations.h"

namespace headlight {

bool GraphNet::has_all_pairs() const {
    return n_nodes() <= kMostPairedNodes;
}

TensorId GraphNet::weight(Named named, std::string symbol, Axis rows, Axis columns) {
    return add_weight(plan, {std::move(named), std::move(symbol), rows, columns}, seed);
}

TensorId GraphNet::project(TensorName name, TensorId x, TensorId W) {
    std::string equation = name.symbol + " = " + plan[x].symbol + " " + plan[W].symbol;
    name.stage = Stage::Projection;
    return add_product(plan, std::move(name), std::move(equation), x, W);
}

TensorId GraphNet::along_edges(TensorName name, std::string equation, const Operation& operation,
                               std::vector<TensorId> inputs, Scalar scale) {
    return add_result(plan, std::move(name), std::move(equation), operation, std::move(inputs),
                      {.scale = scale, .edges = plan.edges});
}

TensorId GraphNet::edge_projection(const Location& head) {
    const TensorId W = weight(head.at("W_edge"), "W_{edge}", plan[edge_features].columns, width());
    return project({head.at("h_edge", Role::NodeFeatures), "H_{edge}", edge(), width()},
                   edge_features, W);
}

TensorId GraphNet::pattern(const Location& head, TensorId scores) {
    return along_edges(
        {head.at(Role::Pattern), "α", edge(), {}, Stage::Score, Quantity::Probability},
        "α(i,j) = softmax_j " + plan[scores].symbol + "(i,j)", operations::edge_softmax, {scores});
}

void GraphNet::ranking(const Location& head, std::string equation, const Operation& operation,
                       std::vector<TensorId> inputs, Scalar scale) {
    if (!has_all_pairs()) return;
    const TensorId all =
        add_result(plan,
                   {head.at("all_scores"), "S", query(), key(), Stage::Score, Quantity::Signed,
                    Keep::OnDemand},
                   std::move(equation), operation, std::move(inputs), {.scale = scale});
    add_result(
        plan,
        {head.at("ranking"), "rank", query(), key(), Stage::Score, Quantity::Rank, Keep::OnDemand},
        "rank of key j for query i; 0 is read most", operations::ranking, {all});
}

TensorId add_gat_layer(GraphNet& net, int layer, TensorId x, decltype(add_gat_head)& add_head) {
    const GraphSettings& settings = net.settings;
    const Location here{.component = ComponentKind::GraphAttention, .layer = layer};
    std::vector<TensorId> heads;
    for (int h = 0; h < settings.n_heads; ++h) heads.push_back(add_head(net, here.of_head(h), x));
    const bool is_mean = net.is_last(layer) && settings.combine == Combine::Mean;
    const Axis width =
        is_mean ? net.width() : Axis{AxisKind::Concat, Index(settings.n_heads) * settings.d_out};
    TensorName name{here.at("combined"), is_mean ? "mean" : "concat", net.item(), width,
                    Stage::Output};
    const Scalar share = 1 / static_cast<Scalar>(settings.n_heads);
    const TensorId combined =
        is_mean ? add_result(net.plan, std::move(name), "Σ_h H'_h / heads", operations::scaled_sum,
                             std::move(heads), {.scale = share})
                : add_result(net.plan, std::move(name), "[H'_0 | H'_1 | …]",
                             operations::concat_columns, std::move(heads));
    const bool is_elu = settings.activation == Activation::Elu;
    const std::string inner = net.plan[combined].symbol;
    return add_result(net.plan, {here.at("out"), "out", net.item(), width, Stage::Output},
                      is_elu ? "ELU(" + inner + ")" : inner,
                      is_elu ? operations::elu : operations::copy, {combined});
}

}  // namespace headlight
