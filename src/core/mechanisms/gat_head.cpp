// GAT: the score of an edge is a sum of what its two ends say on their own.     [Veličković 2018]
#include <utility>

#include "core/mechanisms/graph_net.h"
#include "core/operations/graph_operations.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

/// s(e) = H(i) a_dst + H(j) a_src [+ H_edge(e) a_edge], before the LeakyReLU.
struct NodeScores {
    TensorId dst = 0, src = 0;
};

TensorId add_raw_scores(GraphNet& net, const Location& head, const NodeScores& nodes) {
    TensorName raw{head.at(Role::RawScores), "s", net.edge(), {}, Stage::Score};
    if (!net.has_edge_features())
        return net.along_edges(std::move(raw), "s_{dst}(i) + s_{src}(j)", operations::edge_scores,
                               {nodes.dst, nodes.src});
    const TensorId h_edge = net.edge_projection(head);
    const TensorId a_edge = net.weight(head.at("a_edge"), "a_{edge}", net.width(head.layer));
    const TensorId edge =
        net.project({head.at(Role::EdgeScores), "s_{edge}", net.edge()}, h_edge, a_edge);
    return net.along_edges(std::move(raw), "s_{dst}(i) + s_{src}(j) + s_{edge}(i,j)",
                           operations::edge_feature_scores, {nodes.dst, nodes.src, edge});
}

}  // namespace

TensorId add_gat_head(GraphNet& net, const Location& head, TensorId x) {
    const auto slope = static_cast<Scalar>(net.settings.slope);
    const Axis width = net.width(head.layer);
    const TensorId W = net.weight(head.at("W"), "W", net.plan[x].columns, width);
    const TensorId a_src = net.weight(head.at("a_src"), "a_{src}", width);
    const TensorId a_dst = net.weight(head.at("a_dst"), "a_{dst}", width);
    const TensorId H =
        net.project({head.at("h", Role::NodeFeatures), "H", net.item(), width}, x, W);
    const TensorId src = net.project({head.at(Role::SourceScores), "s_{src}", net.key()}, H, a_src);
    const TensorId dst =
        net.project({head.at(Role::TargetScores), "s_{dst}", net.query()}, H, a_dst);
    const TensorId raw = add_raw_scores(net, head, {dst, src});
    const TensorId scores =
        net.along_edges({head.at(Role::Scores), "e", net.edge(), {}, Stage::Score},
                        "e = LeakyReLU(s)", operations::leaky_relu, {raw}, slope);
    const TensorId pattern = net.pattern(head, scores);
    const TensorId out =
        net.along_edges({head.at(Role::HeadOutput), "H'", net.item(), width, Stage::Mix},
                        "H'(i) = Σ_j α(i,j) H(j)", operations::edge_mix, {pattern, H});
    net.ranking(head, "LeakyReLU(s_{dst}(i) + s_{src}(j))", operations::all_sum_scores, {dst, src},
                slope);
    return out;
}

}  // namespace headlight
