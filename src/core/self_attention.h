// Multi-head self-attention over a sentence, in one to a few layers.        [Vaswani 2017, §3.2]
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/trace.h"

namespace headlight {

enum class MaskKind { None, Causal };
enum class PositionKind { None, Sinusoidal };
enum class Residual { Off, On };

struct SelfAttentionSettings {
    int n_layers = 1;
    int n_heads = 4;
    int d_model = 32;
    int d_k = 8;
    int d_v = 8;
    MaskKind mask = MaskKind::None;
    PositionKind positions = PositionKind::Sinusoidal;
    Residual residual = Residual::On;

    bool operator==(const SelfAttentionSettings&) const = default;
};

/// Names the tensors; nothing is computed. n words → n × d_model. With layer l and head h:
///     embed, pos_embed, mask
///     blocks.l.resid_pre
///     blocks.l.attn.heads.h. W_Q W_K (d_model × d_k), W_V (d_model × d_v), q k v, scores,
///                            masked_scores, pattern (n × n), z (n × d_v), result (n × d_model)
///     blocks.l.attn. concat (n × n_heads d_v), W_O (n_heads d_v × d_model), out
///     blocks.l.resid_post   (if residual)
/// Throws Error if there is no word or a size is out of range.
Trace plan_self_attention(const std::vector<std::string>& words,
                          const SelfAttentionSettings& settings, std::uint64_t seed);

}  // namespace headlight
