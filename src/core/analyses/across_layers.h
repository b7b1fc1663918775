// What a word of the output has from each word of the input, four ways.
#pragma once

#include <string>
#include <vector>

#include "core/trace.h"

namespace headlight {

/// The layers that are looked across.
struct LayerRange {
    std::vector<std::string> attentions;  // "blocks.0.attn", … from the first layer to the last
    int n_heads = 1;
    bool has_residual = true;
    TensorId output = 0;       // Y: logits, or the last layer's result
    std::vector<Index> words;  // word_numbers of the rows
};

/// Adds, on demand and n × n for each sentence:
///     across.mean.l      Ā_l, the mean of the layer's heads: raw attention
///     across.rollout     Â_L−1 ⋯ Â_0, Â = Ā beside the residual      [Abnar & Zuidema 2020]
///     across.flow        the greatest flow through Â_0 … Â_L−1       [Abnar & Zuidema 2020]
///     across.gradient    R: R ← R + G_l + G_l R, G_l = mean_h max(0, A_h ⊙ ∂t/∂A_h)  [Chefer 2021]
void add_across_layers(Trace& trace, const LayerRange& layers);

}  // namespace headlight
