// Families of decoders: the settings of each, and the rules of those that are not in
// family_rules.h.
#pragma once

#include <array>
#include <string_view>

#include "io/models/families.h"
#include "io/models/family_rules.h"

namespace headlight {

/// Return the stack that a config.json describes. They throw Error, naming the key, for anything
/// that is not supported.
StackSettings gpt2_settings(const ModelConfig& config);
StackSettings gptj_settings(const ModelConfig& config);
StackSettings gpt_neox_settings(const ModelConfig& config);
StackSettings opt_settings(const ModelConfig& config);
StackSettings bloom_settings(const ModelConfig& config);
StackSettings falcon_settings(const ModelConfig& config);
StackSettings llama_settings(const ModelConfig& config);
StackSettings mistral_settings(const ModelConfig& config);
StackSettings qwen2_settings(const ModelConfig& config);
StackSettings qwen3_settings(const ModelConfig& config);
StackSettings phi_settings(const ModelConfig& config);
StackSettings phi3_settings(const ModelConfig& config);
StackSettings starcoder2_settings(const ModelConfig& config);

/// Throws Error, naming the layer, if layer_types says something else than these settings.
void check_layer_types(const StackSettings& s, const ModelConfig& config);

/// The table of OPT's positions begins with two rows that no word has.
int opt_skipped_positions(const ModelConfig& config);

/// A copy of W_E, and a head for another task.
inline constexpr std::array<std::string_view, 2> kTiedUnused = {"lm_head.weight", "score.*"};

// ---- GPT-J: attention and MLP read the same norm ----

inline constexpr std::array kGptjRules = {
    FamilyRule{"wte.weight", "W_E"},
    FamilyRule{"h.#.ln_1.weight", "blocks.#.ln1.w"},
    FamilyRule{"h.#.ln_1.bias", "blocks.#.ln1.b"},
    FamilyRule{"h.#.ln_1.weight", "blocks.#.ln2.w"},
    FamilyRule{"h.#.ln_1.bias", "blocks.#.ln2.b"},
    FamilyRule{"h.#.attn.q_proj.weight", "blocks.#.attn.heads.*.W_Q", kLinear},
    FamilyRule{"h.#.attn.k_proj.weight", "blocks.#.attn.heads.*.W_K", kLinear},
    FamilyRule{"h.#.attn.v_proj.weight", "blocks.#.attn.heads.*.W_V", kLinear},
    FamilyRule{"h.#.attn.out_proj.weight", "blocks.#.attn.W_O", kLinear},
    FamilyRule{"h.#.mlp.fc_in.weight", "blocks.#.mlp.W_in", kLinear},
    FamilyRule{"h.#.mlp.fc_in.bias", "blocks.#.mlp.b_in"},
    FamilyRule{"h.#.mlp.fc_out.weight", "blocks.#.mlp.W_out", kLinear},
    FamilyRule{"h.#.mlp.fc_out.bias", "blocks.#.mlp.b_out"},
    FamilyRule{"ln_f.weight", "ln_final.w"},
    FamilyRule{"ln_f.bias", "ln_final.b"},
    FamilyRule{"lm_head.weight", "W_U", kLinear},
    FamilyRule{"lm_head.bias", "b_U"},
};
/// The buffers of the causal mask and of the angles, and a head for another task.
inline constexpr std::array<std::string_view, 5> kGptjUnused = {
    "h.#.attn.bias", "h.#.attn.masked_bias", "h.#.attn.embed_positions", "lm_head.weight",
    "score.*"};

// ---- OPT ----

inline constexpr std::array kOptRules = {
    FamilyRule{"decoder.embed_tokens.weight", "W_E"},
    FamilyRule{"decoder.embed_positions.weight", "W_pos"},
    FamilyRule{"decoder.layers.#.self_attn_layer_norm.weight", "blocks.#.ln1.w"},
    FamilyRule{"decoder.layers.#.self_attn_layer_norm.bias", "blocks.#.ln1.b"},
    FamilyRule{"decoder.layers.#.self_attn.q_proj.weight", "blocks.#.attn.heads.*.W_Q", kLinear},
    FamilyRule{"decoder.layers.#.self_attn.k_proj.weight", "blocks.#.attn.heads.*.W_K", kLinear},
    FamilyRule{"decoder.layers.#.self_attn.v_proj.weight", "blocks.#.attn.heads.*.W_V", kLinear},
    FamilyRule{"decoder.layers.#.self_attn.q_proj.bias", "blocks.#.attn.heads.*.b_Q"},
    FamilyRule{"decoder.layers.#.self_attn.k_proj.bias", "blocks.#.attn.heads.*.b_K"},
    FamilyRule{"decoder.layers.#.self_attn.v_proj.bias", "blocks.#.attn.heads.*.b_V"},
    FamilyRule{"decoder.layers.#.self_attn.out_proj.weight", "blocks.#.attn.W_O", kLinear},
    FamilyRule{"decoder.layers.#.self_attn.out_proj.bias", "blocks.#.attn.b_O"},
    FamilyRule{"decoder.layers.#.final_layer_norm.weight", "blocks.#.ln2.w"},
    FamilyRule{"decoder.layers.#.final_layer_norm.bias", "blocks.#.ln2.b"},
    FamilyRule{"decoder.layers.#.fc1.weight", "blocks.#.mlp.W_in", kLinear},
    FamilyRule{"decoder.layers.#.fc1.bias", "blocks.#.mlp.b_in"},
    FamilyRule{"decoder.layers.#.fc2.weight", "blocks.#.mlp.W_out", kLinear},
    FamilyRule{"decoder.layers.#.fc2.bias", "blocks.#.mlp.b_out"},
    FamilyRule{"decoder.final_layer_norm.weight", "ln_final.w"},
    FamilyRule{"decoder.final_layer_norm.bias", "ln_final.b"},
    FamilyRule{"lm_head.weight", "W_U", kLinear},
};
inline constexpr std::array<std::string_view, 4> kOptUnused = {"lm_head.weight", "score.*",
                                                               "qa_outputs.*", "decoder.version"};

// ---- BLOOM, Falcon: queries, keys and values of a head, or of a group of heads, side by side ----

inline constexpr std::array kBloomRules = {
    FamilyRule{"word_embeddings.weight", "W_E"},
    FamilyRule{"word_embeddings_layernorm.weight", "ln_embed.w"},
    FamilyRule{"word_embeddings_layernorm.bias", "ln_embed.b"},
    FamilyRule{"h.#.input_layernorm.weight", "blocks.#.ln1.w"},
    FamilyRule{"h.#.input_layernorm.bias", "blocks.#.ln1.b"},
    FamilyRule{"h.#.self_attention.query_key_value.weight", "blocks.#.attn.heads.*.W_Q", kLinear,
               Sharing::InEachGroup},
    FamilyRule{"h.#.self_attention.query_key_value.weight", "blocks.#.attn.heads.*.W_K", kLinear,
               Sharing::InEachGroup},
    FamilyRule{"h.#.self_attention.query_key_value.weight", "blocks.#.attn.heads.*.W_V", kLinear,
               Sharing::InEachGroup},
    FamilyRule{"h.#.self_attention.query_key_value.bias", "blocks.#.attn.heads.*.b_Q", kLinear,
               Sharing::InEachGroup},
    FamilyRule{"h.#.self_attention.query_key_value.bias", "blocks.#.attn.heads.*.b_K", kLinear,
               Sharing::InEachGroup},
    FamilyRule{"h.#.self_attention.query_key_value.bias", "blocks.#.attn.heads.*.b_V", kLinear,
               Sharing::InEachGroup},
    FamilyRule{"h.#.self_attention.dense.weight", "blocks.#.attn.W_O", kLinear},
    FamilyRule{"h.#.self_attention.dense.bias", "blocks.#.attn.b_O"},
    FamilyRule{"h.#.post_attention_layernorm.weight", "blocks.#.ln2.w"},
    FamilyRule{"h.#.post_attention_layernorm.bias", "blocks.#.ln2.b"},
    FamilyRule{"h.#.mlp.dense_h_to_4h.weight", "blocks.#.mlp.W_in", kLinear},
    FamilyRule{"h.#.mlp.dense_h_to_4h.bias", "blocks.#.mlp.b_in"},
    FamilyRule{"h.#.mlp.dense_4h_to_h.weight", "blocks.#.mlp.W_out", kLinear},
    FamilyRule{"h.#.mlp.dense_4h_to_h.bias", "blocks.#.mlp.b_out"},
    FamilyRule{"ln_f.weight", "ln_final.w"},
    FamilyRule{"ln_f.bias", "ln_final.b"},
    FamilyRule{"lm_head.weight", "W_U", kLinear},
};

/// Falcon's blocks have one norm that both parts read, or one each, which two programs named.
inline constexpr auto kFalconRules = [] {
    constexpr std::array more = {
        FamilyRule{"h.#.ln_attn.weight", "blocks.#.ln1.w"},
        FamilyRule{"h.#.ln_attn.bias", "blocks.#.ln1.b"},
        FamilyRule{"h.#.ln_mlp.weight", "blocks.#.ln2.w"},
        FamilyRule{"h.#.ln_mlp.bias", "blocks.#.ln2.b"},
        FamilyRule{"h.#.input_layernorm.weight", "blocks.#.ln2.w"},
        FamilyRule{"h.#.input_layernorm.bias", "blocks.#.ln2.b"},
    };
    std::array<FamilyRule, kBloomRules.size() + more.size()> rules;
    std::size_t n = 0;
    for (const FamilyRule& rule : kBloomRules) rules[n++] = rule;
    for (const FamilyRule& rule : more) rules[n++] = rule;
    return rules;
}();

// ---- Phi: attention and MLP read the same norm ----

inline constexpr std::array kPhiRules = {
    FamilyRule{"embed_tokens.weight", "W_E"},
    FamilyRule{"layers.#.input_layernorm.weight", "blocks.#.ln1.w"},
    FamilyRule{"layers.#.input_layernorm.bias", "blocks.#.ln1.b"},
    FamilyRule{"layers.#.input_layernorm.weight", "blocks.#.ln2.w"},
    FamilyRule{"layers.#.input_layernorm.bias", "blocks.#.ln2.b"},
    FamilyRule{"layers.#.self_attn.q_proj.weight", "blocks.#.attn.heads.*.W_Q", kLinear},
    FamilyRule{"layers.#.self_attn.k_proj.weight", "blocks.#.attn.heads.*.W_K", kLinear},
    FamilyRule{"layers.#.self_attn.v_proj.weight", "blocks.#.attn.heads.*.W_V", kLinear},
    FamilyRule{"layers.#.self_attn.q_proj.bias", "blocks.#.attn.heads.*.b_Q"},
    FamilyRule{"layers.#.self_attn.k_proj.bias", "blocks.#.attn.heads.*.b_K"},
    FamilyRule{"layers.#.self_attn.v_proj.bias", "blocks.#.attn.heads.*.b_V"},
    FamilyRule{"layers.#.self_attn.dense.weight", "blocks.#.attn.W_O", kLinear},
    FamilyRule{"layers.#.self_attn.dense.bias", "blocks.#.attn.b_O"},
    FamilyRule{"layers.#.mlp.fc1.weight", "blocks.#.mlp.W_in", kLinear},
    FamilyRule{"layers.#.mlp.fc1.bias", "blocks.#.mlp.b_in"},
    FamilyRule{"layers.#.mlp.fc2.weight", "blocks.#.mlp.W_out", kLinear},
    FamilyRule{"layers.#.mlp.fc2.bias", "blocks.#.mlp.b_out"},
    FamilyRule{"final_layernorm.weight", "ln_final.w"},
    FamilyRule{"final_layernorm.bias", "ln_final.b"},
    FamilyRule{"lm_head.weight", "W_U", kLinear},
    FamilyRule{"lm_head.bias", "b_U"},
};

// ---- Phi-3, Phi-4: as LLaMA, with arrays side by side ----

inline constexpr std::array kPhi3Rules = {
    FamilyRule{"embed_tokens.weight", "W_E"},
    FamilyRule{"layers.#.input_layernorm.weight", "blocks.#.ln1.w"},
    FamilyRule{"layers.#.self_attn.qkv_proj.weight", "blocks.#.attn.heads.*.W_Q", kLinear,
               Sharing::InTurn},
    FamilyRule{"layers.#.self_attn.qkv_proj.weight", "blocks.#.attn.heads.*.W_K", kLinear,
               Sharing::InTurn},
    FamilyRule{"layers.#.self_attn.qkv_proj.weight", "blocks.#.attn.heads.*.W_V", kLinear,
               Sharing::InTurn},
    FamilyRule{"layers.#.self_attn.o_proj.weight", "blocks.#.attn.W_O", kLinear},
    FamilyRule{"layers.#.post_attention_layernorm.weight", "blocks.#.ln2.w"},
    FamilyRule{"layers.#.mlp.gate_up_proj.weight", "blocks.#.mlp.W_gate", kLinear, Sharing::InTurn},
    FamilyRule{"layers.#.mlp.gate_up_proj.weight", "blocks.#.mlp.W_in", kLinear, Sharing::InTurn},
    FamilyRule{"layers.#.mlp.down_proj.weight", "blocks.#.mlp.W_out", kLinear},
    FamilyRule{"norm.weight", "ln_final.w"},
    FamilyRule{"lm_head.weight", "W_U", kLinear},
};

// ---- StarCoder2: as LLaMA, with biases everywhere and an MLP without a gate ----

inline constexpr std::array kStarcoder2Rules = {
    FamilyRule{"embed_tokens.weight", "W_E"},
    FamilyRule{"layers.#.input_layernorm.weight", "blocks.#.ln1.w"},
    FamilyRule{"layers.#.input_layernorm.bias", "blocks.#.ln1.b"},
    FamilyRule{"layers.#.self_attn.q_proj.weight", "blocks.#.attn.heads.*.W_Q", kLinear},
    FamilyRule{"layers.#.self_attn.k_proj.weight", "blocks.#.attn.heads.*.W_K", kLinear},
    FamilyRule{"layers.#.self_attn.v_proj.weight", "blocks.#.attn.heads.*.W_V", kLinear},
    FamilyRule{"layers.#.self_attn.q_proj.bias", "blocks.#.attn.heads.*.b_Q"},
    FamilyRule{"layers.#.self_attn.k_proj.bias", "blocks.#.attn.heads.*.b_K"},
    FamilyRule{"layers.#.self_attn.v_proj.bias", "blocks.#.attn.heads.*.b_V"},
    FamilyRule{"layers.#.self_attn.o_proj.weight", "blocks.#.attn.W_O", kLinear},
    FamilyRule{"layers.#.self_attn.o_proj.bias", "blocks.#.attn.b_O"},
    FamilyRule{"layers.#.post_attention_layernorm.weight", "blocks.#.ln2.w"},
    FamilyRule{"layers.#.post_attention_layernorm.bias", "blocks.#.ln2.b"},
    FamilyRule{"layers.#.mlp.c_fc.weight", "blocks.#.mlp.W_in", kLinear},
    FamilyRule{"layers.#.mlp.c_fc.bias", "blocks.#.mlp.b_in"},
    FamilyRule{"layers.#.mlp.c_proj.weight", "blocks.#.mlp.W_out", kLinear},
    FamilyRule{"layers.#.mlp.c_proj.bias", "blocks.#.mlp.b_out"},
    FamilyRule{"norm.weight", "ln_final.w"},
    FamilyRule{"norm.bias", "ln_final.b"},
    FamilyRule{"lm_head.weight", "W_U", kLinear},
};

}  // namespace headlight
