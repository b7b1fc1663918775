// T5: what config.json means, and which array is which tensor.                      [Raffel 2020]
#pragma once

#include <array>
#include <string_view>

#include "io/models/families.h"
#include "io/models/family_rules.h"

namespace headlight {

/// An encoder and a decoder; source and target are empty. Throws Error, naming the key, for what is
/// not supported.
Study t5_study(const ModelConfig& config);

inline constexpr std::array kT5Rules = {
    FamilyRule{"shared.weight", "encoder.W_E"},
    FamilyRule{"shared.weight", "decoder.W_E"},
    FamilyRule{"lm_head.weight", "W_U", kLinear},
    FamilyRule{"encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
               "encoder.blocks.0.attn.rel_bias"},
    FamilyRule{"encoder.block.#.layer.0.layer_norm.weight", "encoder.blocks.#.ln1.w"},
    FamilyRule{"encoder.block.#.layer.0.SelfAttention.q.weight",
               "encoder.blocks.#.attn.heads.*.W_Q", kLinear},
    FamilyRule{"encoder.block.#.layer.0.SelfAttention.k.weight",
               "encoder.blocks.#.attn.heads.*.W_K", kLinear},
    FamilyRule{"encoder.block.#.layer.0.SelfAttention.v.weight",
               "encoder.blocks.#.attn.heads.*.W_V", kLinear},
    FamilyRule{"encoder.block.#.layer.0.SelfAttention.o.weight", "encoder.blocks.#.attn.W_O",
               kLinear},
    FamilyRule{"encoder.block.#.layer.1.layer_norm.weight", "encoder.blocks.#.ln2.w"},
    FamilyRule{"encoder.block.#.layer.1.DenseReluDense.wi.weight", "encoder.blocks.#.mlp.W_in",
               kLinear},
    FamilyRule{"encoder.block.#.layer.1.DenseReluDense.wi_0.weight", "encoder.blocks.#.mlp.W_gate",
               kLinear},
    FamilyRule{"encoder.block.#.layer.1.DenseReluDense.wi_1.weight", "encoder.blocks.#.mlp.W_in",
               kLinear},
    FamilyRule{"encoder.block.#.layer.1.DenseReluDense.wo.weight", "encoder.blocks.#.mlp.W_out",
               kLinear},
    FamilyRule{"encoder.final_layer_norm.weight", "encoder.ln_final.w"},
    FamilyRule{"decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
               "decoder.blocks.0.attn.rel_bias"},
    FamilyRule{"decoder.block.#.layer.0.layer_norm.weight", "decoder.blocks.#.ln1.w"},
    FamilyRule{"decoder.block.#.layer.0.SelfAttention.q.weight",
               "decoder.blocks.#.attn.heads.*.W_Q", kLinear},
    FamilyRule{"decoder.block.#.layer.0.SelfAttention.k.weight",
               "decoder.blocks.#.attn.heads.*.W_K", kLinear},
    FamilyRule{"decoder.block.#.layer.0.SelfAttention.v.weight",
               "decoder.blocks.#.attn.heads.*.W_V", kLinear},
    FamilyRule{"decoder.block.#.layer.0.SelfAttention.o.weight", "decoder.blocks.#.attn.W_O",
               kLinear},
    FamilyRule{"decoder.block.#.layer.1.layer_norm.weight", "decoder.blocks.#.ln_cross.w"},
    FamilyRule{"decoder.block.#.layer.1.EncDecAttention.q.weight",
               "decoder.blocks.#.cross.heads.*.W_Q", kLinear},
    FamilyRule{"decoder.block.#.layer.1.EncDecAttention.k.weight",
               "decoder.blocks.#.cross.heads.*.W_K", kLinear},
    FamilyRule{"decoder.block.#.layer.1.EncDecAttention.v.weight",
               "decoder.blocks.#.cross.heads.*.W_V", kLinear},
    FamilyRule{"decoder.block.#.layer.1.EncDecAttention.o.weight", "decoder.blocks.#.cross.W_O",
               kLinear},
    FamilyRule{"decoder.block.#.layer.2.layer_norm.weight", "decoder.blocks.#.ln2.w"},
    FamilyRule{"decoder.block.#.layer.2.DenseReluDense.wi.weight", "decoder.blocks.#.mlp.W_in",
               kLinear},
    FamilyRule{"decoder.block.#.layer.2.DenseReluDense.wi_0.weight", "decoder.blocks.#.mlp.W_gate",
               kLinear},
    FamilyRule{"decoder.block.#.layer.2.DenseReluDense.wi_1.weight", "decoder.blocks.#.mlp.W_in",
               kLinear},
    FamilyRule{"decoder.block.#.layer.2.DenseReluDense.wo.weight", "decoder.blocks.#.mlp.W_out",
               kLinear},
    FamilyRule{"decoder.final_layer_norm.weight", "decoder.ln_final.w"},
};
/// Copies of the shared embeddings, and a table of old files that nothing reads.
inline constexpr std::array<std::string_view, 3> kT5Unused = {
    "encoder.embed_tokens.weight", "decoder.embed_tokens.weight",
    "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"};

}  // namespace headlight
