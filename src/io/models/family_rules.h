// The rules that map arrays to tensors, family by family: names as transformers saves them.
#pragma once

#include <array>
#include <string_view>

#include "io/models/families.h"

namespace headlight {

inline constexpr Turn kLinear = Turn::Transposed;  // nn.Linear computes x Wᵀ

// ---- GPT-2: modules of the kind Conv1D compute x W ----

inline constexpr std::array kGpt2Rules = {
    FamilyRule{"wte.weight", "W_E"},
    FamilyRule{"wpe.weight", "W_pos"},
    FamilyRule{"h.#.ln_1.weight", "blocks.#.ln1.w"},
    FamilyRule{"h.#.ln_1.bias", "blocks.#.ln1.b"},
    FamilyRule{"h.#.attn.c_attn.weight", "blocks.#.attn.heads.*.W_Q", Turn::Kept, Sharing::InTurn},
    FamilyRule{"h.#.attn.c_attn.weight", "blocks.#.attn.heads.*.W_K", Turn::Kept, Sharing::InTurn},
    FamilyRule{"h.#.attn.c_attn.weight", "blocks.#.attn.heads.*.W_V", Turn::Kept, Sharing::InTurn},
    FamilyRule{"h.#.attn.c_attn.bias", "blocks.#.attn.heads.*.b_Q", Turn::Kept, Sharing::InTurn},
    FamilyRule{"h.#.attn.c_attn.bias", "blocks.#.attn.heads.*.b_K", Turn::Kept, Sharing::InTurn},
    FamilyRule{"h.#.attn.c_attn.bias", "blocks.#.attn.heads.*.b_V", Turn::Kept, Sharing::InTurn},
    FamilyRule{"h.#.attn.c_proj.weight", "blocks.#.attn.W_O"},
    FamilyRule{"h.#.attn.c_proj.bias", "blocks.#.attn.b_O"},
    FamilyRule{"h.#.ln_2.weight", "blocks.#.ln2.w"},
    FamilyRule{"h.#.ln_2.bias", "blocks.#.ln2.b"},
    FamilyRule{"h.#.mlp.c_fc.weight", "blocks.#.mlp.W_in"},
    FamilyRule{"h.#.mlp.c_fc.bias", "blocks.#.mlp.b_in"},
    FamilyRule{"h.#.mlp.c_proj.weight", "blocks.#.mlp.W_out"},
    FamilyRule{"h.#.mlp.c_proj.bias", "blocks.#.mlp.b_out"},
    FamilyRule{"ln_f.weight", "ln_final.w"},
    FamilyRule{"ln_f.bias", "ln_final.b"},
    FamilyRule{"lm_head.weight", "W_U", kLinear},
};
/// The buffers of the causal mask, heads for other tasks, and a copy of W_E.
inline constexpr std::array<std::string_view, 5> kGpt2Unused = {
    "h.#.attn.bias", "h.#.attn.masked_bias", "lm_head.weight", "score.*", "multiple_choice_head.*"};

// ---- GPT-NeoX, Pythia ----

inline constexpr std::array kGptNeoxRules = {
    FamilyRule{"embed_in.weight", "W_E"},
    FamilyRule{"layers.#.input_layernorm.weight", "blocks.#.ln1.w"},
    FamilyRule{"layers.#.input_layernorm.bias", "blocks.#.ln1.b"},
    FamilyRule{"layers.#.attention.query_key_value.weight", "blocks.#.attn.heads.*.W_Q", kLinear,
               Sharing::InEachGroup},
    FamilyRule{"layers.#.attention.query_key_value.weight", "blocks.#.attn.heads.*.W_K", kLinear,
               Sharing::InEachGroup},
    FamilyRule{"layers.#.attention.query_key_value.weight", "blocks.#.attn.heads.*.W_V", kLinear,
               Sharing::InEachGroup},
    FamilyRule{"layers.#.attention.query_key_value.bias", "blocks.#.attn.heads.*.b_Q", kLinear,
               Sharing::InEachGroup},
    FamilyRule{"layers.#.attention.query_key_value.bias", "blocks.#.attn.heads.*.b_K", kLinear,
               Sharing::InEachGroup},
    FamilyRule{"layers.#.attention.query_key_value.bias", "blocks.#.attn.heads.*.b_V", kLinear,
               Sharing::InEachGroup},
    FamilyRule{"layers.#.attention.dense.weight", "blocks.#.attn.W_O", kLinear},
    FamilyRule{"layers.#.attention.dense.bias", "blocks.#.attn.b_O"},
    FamilyRule{"layers.#.post_attention_layernorm.weight", "blocks.#.ln2.w"},
    FamilyRule{"layers.#.post_attention_layernorm.bias", "blocks.#.ln2.b"},
    FamilyRule{"layers.#.mlp.dense_h_to_4h.weight", "blocks.#.mlp.W_in", kLinear},
    FamilyRule{"layers.#.mlp.dense_h_to_4h.bias", "blocks.#.mlp.b_in"},
    FamilyRule{"layers.#.mlp.dense_4h_to_h.weight", "blocks.#.mlp.W_out", kLinear},
    FamilyRule{"layers.#.mlp.dense_4h_to_h.bias", "blocks.#.mlp.b_out"},
    FamilyRule{"final_layer_norm.weight", "ln_final.w"},
    FamilyRule{"final_layer_norm.bias", "ln_final.b"},
    FamilyRule{"embed_out.weight", "W_U", kLinear},
    FamilyRule{"lm_head.weight", "W_U", kLinear},
};
inline constexpr std::array<std::string_view, 6> kGptNeoxUnused = {
    "layers.#.attention.bias",
    "layers.#.attention.masked_bias",
    "layers.#.attention.rotary_emb.inv_freq",
    "rotary_emb.inv_freq",
    "embed_out.weight",
    "lm_head.weight"};

// ---- LLaMA, Mistral, Qwen2 (with biases), Qwen3 (with norms of q and k) ----

inline constexpr std::array kLlamaRules = {
    FamilyRule{"embed_tokens.weight", "W_E"},
    FamilyRule{"layers.#.input_layernorm.weight", "blocks.#.ln1.w"},
    FamilyRule{"layers.#.self_attn.q_proj.weight", "blocks.#.attn.heads.*.W_Q", kLinear},
    FamilyRule{"layers.#.self_attn.k_proj.weight", "blocks.#.attn.heads.*.W_K", kLinear},
    FamilyRule{"layers.#.self_attn.v_proj.weight", "blocks.#.attn.heads.*.W_V", kLinear},
    FamilyRule{"layers.#.self_attn.q_proj.bias", "blocks.#.attn.heads.*.b_Q"},
    FamilyRule{"layers.#.self_attn.k_proj.bias", "blocks.#.attn.heads.*.b_K"},
    FamilyRule{"layers.#.self_attn.v_proj.bias", "blocks.#.attn.heads.*.b_V"},
    FamilyRule{"layers.#.self_attn.o_proj.weight", "blocks.#.attn.W_O", kLinear},
    FamilyRule{"layers.#.self_attn.o_proj.bias", "blocks.#.attn.b_O"},
    FamilyRule{"layers.#.self_attn.q_norm.weight", "blocks.#.attn.q_norm.w"},
    FamilyRule{"layers.#.self_attn.k_norm.weight", "blocks.#.attn.k_norm.w"},
    FamilyRule{"layers.#.post_attention_layernorm.weight", "blocks.#.ln2.w"},
    FamilyRule{"layers.#.mlp.gate_proj.weight", "blocks.#.mlp.W_gate", kLinear},
    FamilyRule{"layers.#.mlp.gate_proj.bias", "blocks.#.mlp.b_gate"},
    FamilyRule{"layers.#.mlp.up_proj.weight", "blocks.#.mlp.W_in", kLinear},
    FamilyRule{"layers.#.mlp.up_proj.bias", "blocks.#.mlp.b_in"},
    FamilyRule{"layers.#.mlp.down_proj.weight", "blocks.#.mlp.W_out", kLinear},
    FamilyRule{"layers.#.mlp.down_proj.bias", "blocks.#.mlp.b_out"},
    FamilyRule{"norm.weight", "ln_final.w"},
    FamilyRule{"lm_head.weight", "W_U", kLinear},
};
inline constexpr std::array<std::string_view, 3> kLlamaUnused = {
    "layers.#.self_attn.rotary_emb.inv_freq", "lm_head.weight", "score.*"};

}  // namespace headlight
