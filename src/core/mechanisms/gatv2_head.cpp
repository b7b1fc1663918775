// GATv2: the LeakyReLU stands between the projections and a, so that a node's favourite neighbour
// depends on the node.                                                              [Brody 2022]
#include "core/mechanisms/graph_plan.h"
#include "core/operations/graph_operations.h"
#include "core/operations/operations.h"

namespace headlight {

TensorId add_gatv2_head(GraphPlan& plan, const std::string& head, TensorId x) {
    const auto slope = static_cast<Scalar>(plan.settings.slope);
    const Axis features = plan.trace[x].columns, width = plan.width();
    const TensorId W_src = plan.weight(head + ".W_src", "W_{src}", features, width);
    const TensorId W_dst = plan.weight(head + ".W_dst", "W_{dst}", features, width);
    const TensorId a = plan.weight(head + ".a", "a", width);
    const TensorId src = plan.project({head + ".h_src", "H_{src}", plan.key(), width}, x, W_src);
    const TensorId dst = plan.project({head + ".h_dst", "H_{dst}", plan.query(), width}, x, W_dst);
    std::vector<TensorId> inputs{dst, src, a};
    std::string sum = "H_{dst}(i) + H_{src}(j)";
    const std::string all_pairs = "a · LeakyReLU(" + sum + ")";
    if (plan.has_edge_features()) {
        inputs.push_back(plan.edge_projection(head));
        sum += " + H_{edge}(i,j)";
    }
    const TensorId scores = plan.along_edges({head + ".scores", "e", plan.edge(), {}, Stage::Score},
                                             "e = a · LeakyReLU(" + sum + ")",
                                             operations::edge_pair_scores, inputs, slope);
    const TensorId pattern = plan.pattern(head, scores);
    const TensorId out =
        plan.along_edges({head + ".out", "H'", plan.item(), width, Stage::Mix},
                         "H'(i) = Σ_j α(i,j) H_{src}(j)", operations::edge_mix, {pattern, src});
    plan.ranking(head, all_pairs, operations::all_pair_scores, {dst, src, a}, slope);
    return out;
}

}  // namespace headlight
