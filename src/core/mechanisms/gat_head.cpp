// GAT: the score of an edge is a sum of what its two ends say on their own.     [Veličković 2018]
#include "core/mechanisms/graph_plan.h"
#include "core/operations/graph_operations.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

/// s(e) = H(i) a_dst + H(j) a_src [+ H_edge(e) a_edge], before the LeakyReLU.
struct NodeScores {
    TensorId dst = 0, src = 0;
};

TensorId add_raw_scores(GraphPlan& plan, const std::string& head, const NodeScores& nodes) {
    TensorName raw{head + ".raw_scores", "s", plan.edge(), {}, Stage::Score};
    if (!plan.has_edge_features())
        return plan.along_edges(std::move(raw), "s_{dst}(i) + s_{src}(j)", operations::edge_scores,
                                {nodes.dst, nodes.src});
    const TensorId h_edge = plan.edge_projection(head);
    const TensorId a_edge = plan.weight(head + ".a_edge", "a_{edge}", plan.width());
    const TensorId edge =
        plan.project({head + ".score_edge", "s_{edge}", plan.edge()}, h_edge, a_edge);
    return plan.along_edges(std::move(raw), "s_{dst}(i) + s_{src}(j) + s_{edge}(i,j)",
                            operations::edge_feature_scores, {nodes.dst, nodes.src, edge});
}

}  // namespace

TensorId add_gat_head(GraphPlan& plan, const std::string& head, TensorId x) {
    const auto slope = static_cast<Scalar>(plan.settings.slope);
    const TensorId W = plan.weight(head + ".W", "W", plan.trace[x].columns, plan.width());
    const TensorId a_src = plan.weight(head + ".a_src", "a_{src}", plan.width());
    const TensorId a_dst = plan.weight(head + ".a_dst", "a_{dst}", plan.width());
    const TensorId H = plan.project({head + ".h", "H", plan.item(), plan.width()}, x, W);
    const TensorId src = plan.project({head + ".score_src", "s_{src}", plan.key()}, H, a_src);
    const TensorId dst = plan.project({head + ".score_dst", "s_{dst}", plan.query()}, H, a_dst);
    const TensorId raw = add_raw_scores(plan, head, {dst, src});
    const TensorId scores =
        plan.along_edges({head + ".scores", "e", plan.edge(), {}, Stage::Score}, "e = LeakyReLU(s)",
                         operations::leaky_relu, {raw}, slope);
    const TensorId pattern = plan.pattern(head, scores);
    const TensorId out =
        plan.along_edges({head + ".out", "H'", plan.item(), plan.width(), Stage::Mix},
                         "H'(i) = Σ_j α(i,j) H(j)", operations::edge_mix, {pattern, H});
    plan.ranking(head, "LeakyReLU(s_{dst}(i) + s_{src}(j))", operations::all_sum_scores, {dst, src},
                 slope);
    return out;
}

}  // namespace headlight
