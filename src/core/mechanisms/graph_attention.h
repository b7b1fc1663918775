// Graph attention: each node reads its neighbours, along given edges.
//
// Goals: GAT, GATv2 and the graph transformer in stacks, with or without edge features; no matrix
// that is computed for every study is n × n.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/plan.h"
#include "core/settings.h"

namespace headlight {

struct GraphNodes {
    std::vector<std::string> names;  // all different
    std::vector<std::string> keys;  // their features are drawn by these; equal keys, equal features
    MatrixPtr features = {};        // given ones, n × any width, which d_in then does not change
    MatrixPtr edge_weights = {};    // E × 1 or absent; if d_edge > 0 the features of the edges
};

/// The largest graph with n × n matrices (all_scores, ranking, influence); larger ones have none.
inline constexpr Index kMostPairedNodes = 2000;

/// Names the tensors; nothing is computed. `edges` lists every edge, self-loops included. The
/// node that looks is row i (PyTorch Geometric's target, "dst"), its neighbour is j ("src"). With
/// layer l, head h, d = the width of the layer's input, E edges:
///     embed (n × d_in), edge_features (E × d_edge)
///   GAT [Veličković 2018]:
///     gat.l.heads.h. W (d × d_out), a_src a_dst (d_out × 1), h (n × d_out), score_src score_dst
///                    (n × 1), raw_scores scores pattern (E × 1), out (n × d_out)
///         with edge features also W_edge (d_edge × d_out), a_edge (d_out × 1), h_edge (E × d_out),
///         score_edge (E × 1)
///   GATv2 [Brody 2022]:
///     gat.l.heads.h. W_src W_dst (d × d_out), a (d_out × 1), h_src h_dst (n × d_out), W_edge
///                    h_edge, scores pattern (E × 1), out (n × d_out)
///         with biases b_src b_dst (1 × d_out), which h_src and h_dst include
///   both: gat.l. combined, out; with biases b (1 × width), biased
///   Graph transformer [Shi 2021], its names those of a sentence:
///     blocks.l.resid_pre, blocks.l.attn.heads.h. W_Q W_K W_V (d × d_out), q k v (n × d_out),
///                    W_edge h_edge, scores pattern (E × 1), z (n × d_out), result (n × d_in)
///     blocks.l.attn. concat, W_O (n_heads d_out × d_in), out; blocks.l.out (with an activation)
///         with biases b_Q b_K b_V b_O; without `output` no concat, W_O and result
///         with `skip` blocks.l. W_skip (d × width), b_skip, skip, sum
///   with n_classes: W_C (width × n_classes), logits, probs (n × n_classes)
///   on demand (n × n): of each head all_scores, ranking; influence of embed on the last out
/// The activation follows every layer, or every one but the last. Throws Error if there is no node,
/// a size is out of range, or a list has not one number for each layer.
Plan plan_graph_attention(GraphNodes nodes, Edges edges, const GraphSettings& settings,
                          std::uint64_t seed);

}  // namespace headlight
