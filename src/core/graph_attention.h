// Graph attention: each node reads its neighbours.                              [Veličković 2018]
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/trace.h"

namespace headlight {

enum class Combine { Concat, Mean };
enum class Activation { None, Elu };

struct GraphAttentionSettings {
    int n_heads = 4;
    int d_in = 8;
    int d_out = 8;
    float slope = 0.2f;  // of the LeakyReLU, below 0
    Combine combine = Combine::Concat;
    Activation activation = Activation::Elu;

    bool operator==(const GraphAttentionSettings&) const = default;
};

/// Names the tensors; nothing is computed. `edges` lists every reading, self-loops included.
/// As in PyTorch Geometric, a_dst goes with the node that looks (row i), a_src with its neighbour
/// j:
///     embed (n × d_in)
///     gat.0.heads.h. W (d_in × d_out), a_src a_dst (d_out × 1), h (n × d_out),
///                    score_src score_dst (n × 1), raw_scores scores pattern (E × 1), out (n ×
///                    d_out)
///     gat.0. combined, out
/// Throws Error if there is no node or a size is out of range.
Trace plan_graph_attention(const std::vector<std::string>& nodes, Edges edges,
                           const GraphAttentionSettings& settings, std::uint64_t seed);

}  // namespace headlight
