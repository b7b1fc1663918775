#include "core/mechanisms/graph_net.h"

#include <utility>

#include "core/mechanisms/graph_attention.h"
#include "core/operations/block_operations.h"
#include "core/operations/graph_operations.h"
#include "core/operations/operations.h"

namespace headlight {

bool GraphNet::has_all_pairs() const {
    return n_nodes() <= kMostPairedNodes;
}

bool GraphNet::is_mean(int layer) const {
    return (is_last(layer) ? settings.combine : settings.inner_combine) == Combine::Mean;
}

Axis GraphNet::concat_width(int layer) const {
    return {AxisKind::Concat, Index(settings.n_heads.of(layer)) * settings.d_out.of(layer)};
}

TensorId GraphNet::weight(Named named, std::string symbol, Axis rows, Axis columns) {
    return add_weight(plan, {std::move(named), std::move(symbol), rows, columns}, seed);
}

TensorId GraphNet::project(TensorName name, TensorId x, TensorId W) {
    std::string equation = name.symbol + " = " + plan[x].symbol + " " + plan[W].symbol;
    name.stage = Stage::Projection;
    return add_product(plan, std::move(name), std::move(equation), x, W);
}

TensorId GraphNet::project(TensorName name, TensorId x, TensorId W, TensorName bias) {
    if (!has_bias()) return project(std::move(name), x, W);
    bias.columns = plan[W].columns;
    const TensorId b = add_constant(plan, std::move(bias), operations::zeros);
    std::string equation =
        name.symbol + " = " + plan[x].symbol + " " + plan[W].symbol + " + " + plan[b].symbol;
    name.stage = Stage::Projection;
    name.columns = plan[W].columns;
    return add_result(plan, std::move(name), std::move(equation), operations::multiply_add,
                      {x, W, b});
}

TensorId GraphNet::along_edges(TensorName name, std::string equation, const Operation& operation,
                               std::vector<TensorId> inputs, Scalar scale) {
    return add_result(plan, std::move(name), std::move(equation), operation, std::move(inputs),
                      {.scale = scale, .edges = plan.edges});
}

TensorId GraphNet::edge_projection(const Location& head) {
    const Axis columns = width(head.layer);
    const TensorId W = weight(head.at("W_edge"), "W_{edge}", plan[edge_features].columns, columns);
    return project({head.at("h_edge", Role::NodeFeatures), "H_{edge}", edge(), columns},
                   edge_features, W);
}

TensorId GraphNet::pattern(const Location& head, TensorId scores) {
    return along_edges(
        {head.at(Role::Pattern), "α", edge(), {}, Stage::Score, Quantity::Probability},
        "α(i,j) = softmax_j " + plan[scores].symbol + "(i,j)", operations::edge_softmax, {scores});
}

TensorId GraphNet::activated(TensorName name, int layer, TensorId x) {
    const bool is_left_out = is_last(layer) && settings.last_activation == Switch::Off;
    if (settings.activation == Activation::None || is_left_out) return x;
    const bool is_elu = settings.activation == Activation::Elu;
    const std::string function = is_elu ? "ELU" : "ReLU";
    if (name.symbol.empty()) name.symbol = function;
    name.rows = item(), name.columns = plan[x].columns, name.stage = Stage::Output;
    return add_result(plan, std::move(name), function + "(" + plan[x].symbol + ")",
                      is_elu ? operations::elu : operations::relu, {x});
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

namespace {

/// The heads side by side, or their mean.
TensorId add_combined(GraphNet& net, const Location& here, std::vector<TensorId> heads) {
    const bool is_mean = net.is_mean(here.layer);
    const Axis width = is_mean ? net.width(here.layer) : net.concat_width(here.layer);
    const Scalar share = 1 / static_cast<Scalar>(heads.size());
    TensorName name{here.at("combined"), is_mean ? "mean" : "concat", net.item(), width,
                    Stage::Output};
    return is_mean ? add_result(net.plan, std::move(name), "Σ_h H'_h / heads",
                                operations::scaled_sum, std::move(heads), {.scale = share})
                   : add_result(net.plan, std::move(name), "[H'_0 | H'_1 | …]",
                                operations::concat_columns, std::move(heads));
}

TensorId add_output_bias(GraphNet& net, const Location& here, TensorId combined) {
    const Axis width = net.plan[combined].columns;
    const TensorId b =
        add_constant(net.plan, {here.at("b", Role::Bias), "b", {}, width}, operations::zeros);
    const std::string symbol = net.plan[combined].symbol + " + b";
    return add_result(net.plan, {here.at("biased"), symbol, net.item(), width, Stage::Output},
                      symbol, operations::add_bias, {combined, b});
}

}  // namespace

TensorId add_gat_layer(GraphNet& net, int layer, TensorId x, decltype(add_gat_head)& add_head) {
    const Location here{.component = ComponentKind::GraphAttention, .layer = layer};
    std::vector<TensorId> heads;
    for (int h = 0; h < net.settings.n_heads.of(layer); ++h)
        heads.push_back(add_head(net, here.of_head(h), x));
    TensorId combined = add_combined(net, here, std::move(heads));
    if (net.has_bias()) combined = add_output_bias(net, here, combined);
    const TensorId out = net.activated({here.at("out"), "out"}, layer, combined);
    if (out != combined) return out;
    return add_result(
        net.plan, {here.at("out"), "out", net.item(), net.plan[combined].columns, Stage::Output},
        net.plan[combined].symbol, operations::copy, {combined});
}

}  // namespace headlight
