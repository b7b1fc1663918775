// GATv2: the LeakyReLU stands between the projections and a, so that a node's favourite neighbour
// depends on the node.                                                              [Brody 2022]
#include "core/mechanisms/graph_net.h"
#include "core/operations/graph_operations.h"
#include "core/operations/operations.h"

namespace headlight {

TensorId add_gatv2_head(GraphNet& net, const Location& head, TensorId x) {
    const auto slope = static_cast<Scalar>(net.settings.slope);
    const Axis features = net.plan[x].columns, width = net.width(head.layer);
    const TensorId W_src = net.weight(head.at("W_src"), "W_{src}", features, width);
    const TensorId W_dst = net.weight(head.at("W_dst"), "W_{dst}", features, width);
    const TensorId a = net.weight(head.at("a"), "a", width);
    const TensorId src =
        net.project({head.at("h_src", Role::NodeFeatures), "H_{src}", net.key(), width}, x, W_src,
                    {head.at("b_src", Role::Bias), "b_{src}"});
    const TensorId dst =
        net.project({head.at("h_dst", Role::NodeFeatures), "H_{dst}", net.query(), width}, x, W_dst,
                    {head.at("b_dst", Role::Bias), "b_{dst}"});
    std::vector<TensorId> inputs{dst, src, a};
    std::string sum = "H_{dst}(i) + H_{src}(j)";
    const std::string all_pairs = "a · LeakyReLU(" + sum + ")";
    if (net.has_edge_features()) {
        inputs.push_back(net.edge_projection(head));
        sum += " + H_{edge}(i,j)";
    }
    const TensorId scores = net.along_edges(
        {head.at(Role::Scores), "e", net.edge(), {}, Stage::Score},
        "e = a · LeakyReLU(" + sum + ")", operations::edge_pair_scores, inputs, slope);
    const TensorId pattern = net.pattern(head, scores);
    const TensorId out =
        net.along_edges({head.at(Role::HeadOutput), "H'", net.item(), width, Stage::Mix},
                        "H'(i) = Σ_j α(i,j) H_{src}(j)", operations::edge_mix, {pattern, src});
    net.ranking(head, all_pairs, operations::all_pair_scores, {dst, src, a}, slope);
    return out;
}

}  // namespace headlight
