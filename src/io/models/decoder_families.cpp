// Families of decoders.
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/settings.h"
#include "io/models/decoder_settings.h"
#include "io/models/family_rules.h"
#include "io/models/model_config.h"
#include "io/models/rotary_config.h"
#include "text/strings.h"

namespace headlight {
namespace {

// ---- GPT-2: modules of the kind Conv1D compute x W ----

constexpr std::array kGpt2Rules = {
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
constexpr std::array<std::string_view, 5> kGpt2Unused = {
    "h.#.attn.bias", "h.#.attn.masked_bias", "lm_head.weight", "score.*", "multiple_choice_head.*"};

// ---- GPT-NeoX, Pythia ----

constexpr std::array kGptNeoxRules = {
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
constexpr std::array<std::string_view, 6> kGptNeoxUnused = {
    "layers.#.attention.bias",
    "layers.#.attention.masked_bias",
    "layers.#.attention.rotary_emb.inv_freq",
    "rotary_emb.inv_freq",
    "embed_out.weight",
    "lm_head.weight"};

// ---- LLaMA, Mistral, Qwen2 (with biases), Qwen3 (with norms of q and k) ----

constexpr std::array kLlamaRules = {
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
constexpr std::array<std::string_view, 3> kLlamaUnused = {"layers.#.self_attn.rotary_emb.inv_freq",
                                                          "lm_head.weight", "score.*"};

/// A copy of W_E, and a head for another task.
constexpr std::array<std::string_view, 2> kTiedUnused = {"lm_head.weight", "score.*"};

// ---- GPT-J: attention and MLP read the same norm ----

constexpr std::array kGptjRules = {
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
constexpr std::array<std::string_view, 5> kGptjUnused = {"h.#.attn.bias", "h.#.attn.masked_bias",
                                                         "h.#.attn.embed_positions",
                                                         "lm_head.weight", "score.*"};

// ---- GPT-Neo: every other layer reads the words of a window ----

constexpr std::array kGptNeoRules = {
    FamilyRule{"wte.weight", "W_E"},
    FamilyRule{"wpe.weight", "W_pos"},
    FamilyRule{"h.#.ln_1.weight", "blocks.#.ln1.w"},
    FamilyRule{"h.#.ln_1.bias", "blocks.#.ln1.b"},
    FamilyRule{"h.#.attn.attention.q_proj.weight", "blocks.#.attn.heads.*.W_Q", kLinear},
    FamilyRule{"h.#.attn.attention.k_proj.weight", "blocks.#.attn.heads.*.W_K", kLinear},
    FamilyRule{"h.#.attn.attention.v_proj.weight", "blocks.#.attn.heads.*.W_V", kLinear},
    FamilyRule{"h.#.attn.attention.out_proj.weight", "blocks.#.attn.W_O", kLinear},
    FamilyRule{"h.#.attn.attention.out_proj.bias", "blocks.#.attn.b_O"},
    FamilyRule{"h.#.ln_2.weight", "blocks.#.ln2.w"},
    FamilyRule{"h.#.ln_2.bias", "blocks.#.ln2.b"},
    FamilyRule{"h.#.mlp.c_fc.weight", "blocks.#.mlp.W_in", kLinear},
    FamilyRule{"h.#.mlp.c_fc.bias", "blocks.#.mlp.b_in"},
    FamilyRule{"h.#.mlp.c_proj.weight", "blocks.#.mlp.W_out", kLinear},
    FamilyRule{"h.#.mlp.c_proj.bias", "blocks.#.mlp.b_out"},
    FamilyRule{"ln_f.weight", "ln_final.w"},
    FamilyRule{"ln_f.bias", "ln_final.b"},
    FamilyRule{"lm_head.weight", "W_U", kLinear},
};
/// The buffers of the causal mask, heads for other tasks, and a copy of W_E.
constexpr std::array<std::string_view, 5> kGptNeoUnused = {
    "h.#.attn.attention.bias", "h.#.attn.attention.masked_bias", "lm_head.weight", "score.*",
    "qa_outputs.*"};

// ---- OPT ----

constexpr std::array kOptRules = {
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
constexpr std::array<std::string_view, 4> kOptUnused = {"lm_head.weight", "score.*", "qa_outputs.*",
                                                        "decoder.version"};

// ---- BLOOM, Falcon: queries, keys and values of a head, or of a group of heads, side by side ----

constexpr std::array kBloomRules = {
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
constexpr auto kFalconRules = [] {
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

constexpr std::array kPhiRules = {
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

constexpr std::array kPhi3Rules = {
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

constexpr std::array kStarcoder2Rules = {
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

/// Sets the windows of a model whose layers may differ (Qwen): layer_types says which layers have a
/// window; without it, those from max_window_layers on have one. Without use_sliding_window there
/// is no window.
void set_layer_windows(StackSettings& s, const ModelConfig& config) {
    if (!config.flag("use_sliding_window", false)) return;
    constexpr int kUsualFirst = 28;  // transformers' default
    std::vector<LayerKind> kinds = layer_kinds(config, s.n_layers);
    const int first = kinds.empty() ? config.count("max_window_layers", kUsualFirst) : 0;
    for (int l = static_cast<int>(kinds.size()); l < s.n_layers; ++l)
        kinds.push_back(l >= first ? LayerKind::Windowed : LayerKind::Full);
    s.mask.window = windows_of(kinds, words_before(config));
}

/// The defaults of a family in transformers.
struct UsualGated {
    double epsilon = 1e-6;
    int d_head = 0, n_groups = 0;  // 0: they follow from others
    bool is_tied = false;
};
/// Returns LLaMA's stack: RMS norms, and an MLP with a gate.
StackSettings gated_settings(const ModelConfig& config, double rotated_share,
                             const UsualGated& usual) {
    StackSettings s = causal_settings(config, usual.is_tied);
    s.norm_type = NormType::Rms;
    set_grouped_heads(s, config, {"rope_theta", rotated_share}, {usual.d_head, usual.n_groups});
    s.attention.bias = on_if(config.flag("attention_bias", false));
    s.block.mlp = config.activation("hidden_act", "silu");
    s.block.mlp_gate = Switch::On;
    s.block.mlp_bias = on_if(config.flag("mlp_bias", false));
    s.norm_epsilon = config.epsilon("rms_norm_eps", usual.epsilon);
    return s;
}

// ---- GPT-2 ----

StackSettings gpt2_settings(const ModelConfig& config) {
    config.expect_flag("scale_attn_weights", true);
    config.expect_flag("scale_attn_by_inverse_layer_idx", false);
    config.expect_flag("add_cross_attention", false);
    StackSettings s = causal_settings(config, true);
    s.n_layers = config.layers("n_layer");
    s.d_model = config.size("n_embd");
    set_heads(s, config.heads("n_head"), 0, config);
    s.positions = Positions::Learned;
    s.attention.bias = Switch::On;
    s.block.mlp = config.activation("activation_function", "gelu_new");
    s.block.d_ff = config.size("n_inner", 4 * s.d_model);
    s.norm_epsilon = config.epsilon("layer_norm_epsilon", 1e-5);
    return s;
}

// ---- GPT-Neo ----

/// Returns the kinds of the layers that attention_types repeats: [[["global", "local"], 12]].
std::vector<LayerKind> repeated_kinds(const ModelConfig& config, int n_layers) {
    constexpr std::array<std::pair<std::string_view, LayerKind>, 2> kWords = {
        {{"global", LayerKind::Full}, {"local", LayerKind::Windowed}}};
    const JsonView list = config.view().at("attention_types");
    std::vector<LayerKind> kinds;
    list.for_each_element([&](const JsonView& part) {
        if (part.size() != 2)
            part.fail("must be the kinds of some layers, and how often they come");
        std::vector<LayerKind> repeated;
        part[0].for_each_element(
            [&](const JsonView& kind) { repeated.push_back(kind.choice(kWords)); });
        const std::int64_t times = part[1].integer(1, n_layers);
        for (std::int64_t k = 0; k < times; ++k)
            kinds.insert(kinds.end(), repeated.begin(), repeated.end());
    });
    if (std::ssize(kinds) != n_layers)
        list.fail("is of {}, but num_layers is {}", counted(std::ssize(kinds), "layer"), n_layers);
    return kinds;
}

StackSettings gpt_neo_settings(const ModelConfig& config) {
    StackSettings s = causal_settings(config, true);
    s.n_layers = config.layers("num_layers");
    s.d_model = config.size("hidden_size");
    set_heads(s, config.heads("num_heads"), 0, config);
    s.positions = Positions::Learned;
    s.attention.d_power = 0;
    s.attention.bias = Switch::On;
    s.attention.qkv_bias = Switch::Off;
    const std::vector<LayerKind> kinds = repeated_kinds(config, s.n_layers);
    config.has("attention_layers");  // says the same
    s.mask.window = windows_of(kinds, words_before(config, "window_size", 256));
    s.block.mlp = config.activation("activation_function", "gelu_new");
    s.block.d_ff = config.size("intermediate_size", 4 * s.d_model);
    s.norm_epsilon = config.epsilon("layer_norm_epsilon", 1e-5);
    return s;
}

// ---- GPT-J ----

StackSettings gptj_settings(const ModelConfig& config) {
    StackSettings s = causal_settings(config, false);
    s.n_layers = config.layers("n_layer");
    s.d_model = config.size("n_embd");
    const int n_heads = config.heads("n_head");
    set_heads(s, n_heads, 0, config);
    const int d_head = s.d_model / n_heads;
    config.count("n_positions", 0);  // angles are there for any number of them
    s.attention.relative = RelativePositions::Rotary;
    const int turned = config.size("rotary_dim", 64, {2, d_head});
    if (turned % 2 != 0) config.view().at("rotary_dim").fail("must be an even number");
    if (turned < d_head) s.attention.rotary_dims = turned;
    s.block.parallel = Switch::On;
    s.block.mlp = config.activation("activation_function", "gelu_new");
    s.block.d_ff = config.size("n_inner", 4 * s.d_model);
    s.norm_epsilon = config.epsilon("layer_norm_epsilon", 1e-5);
    s.unembedding_bias = Switch::On;
    return s;
}

// ---- GPT-NeoX, Pythia ----

StackSettings gpt_neox_settings(const ModelConfig& config) {
    StackSettings s = causal_settings(config, false);
    s.n_layers = config.layers("num_hidden_layers");
    s.d_model = config.size("hidden_size");
    const int n_heads = config.heads("num_attention_heads");
    set_heads(s, n_heads, 0, config);
    const int d_head = s.d_model / n_heads;
    if (config.size("head_dim", d_head) != d_head)
        config.view().at("head_dim").fail("must be hidden_size / num_attention_heads");
    set_rotary(s.attention, config, d_head, {"rotary_emb_base", config.number("rotary_pct", 0.25)});
    s.attention.bias = on_if(config.flag("attention_bias", true));
    s.block.parallel = on_if(config.flag("use_parallel_residual", true));
    s.block.mlp = config.activation("hidden_act", "gelu");
    s.block.d_ff = config.size("intermediate_size");
    s.norm_epsilon = config.epsilon("layer_norm_eps", 1e-5);
    return s;
}

// ---- OPT ----

StackSettings opt_settings(const ModelConfig& config) {
    config.expect_flag("do_layer_norm_before", true);
    config.expect_flag("_remove_final_layer_norm", false);
    config.expect_flag("enable_bias", true);
    config.expect_flag("layer_norm_elementwise_affine", true);
    StackSettings s = causal_settings(config, true);
    s.n_layers = config.layers("num_hidden_layers");
    s.d_model = config.size("hidden_size");
    if (config.size("word_embed_proj_dim", s.d_model) != s.d_model)
        config.view()
            .at("word_embed_proj_dim")
            .fail("must be hidden_size; embeddings of another width are not supported");
    set_heads(s, config.heads("num_attention_heads"), 0, config);
    s.positions = Positions::Learned;
    s.attention.bias = Switch::On;
    s.block.mlp = config.activation("activation_function", "relu");
    s.block.d_ff = config.size("ffn_dim");
    return s;
}

int opt_skipped_positions(const ModelConfig&) {
    return 2;  // fixed in transformers' modeling_opt.py
}

// ---- BLOOM, Falcon ----

StackSettings bloom_settings(const ModelConfig& config) {
    config.expect_flag("apply_residual_connection_post_layernorm", false);
    StackSettings s = causal_settings(config, true);
    s.n_layers = config.layers(config.has("n_layer") ? "n_layer" : "num_hidden_layers");
    s.d_model = config.size(config.has("n_embed") ? "n_embed" : "hidden_size");
    set_heads(s, config.heads(config.has("n_head") ? "n_head" : "num_attention_heads"), 0, config);
    s.embedding_norm = Switch::On;
    s.attention.relative = RelativePositions::Alibi;
    s.attention.bias = Switch::On;
    s.block.mlp = Mlp::GeluTanh;  // fixed in transformers' modeling_bloom.py
    s.block.d_ff = 4 * s.d_model;
    s.norm_epsilon = config.epsilon("layer_norm_epsilon", 1e-5);
    return s;
}

StackSettings falcon_settings(const ModelConfig& config) {
    StackSettings s = causal_settings(config, true);
    s.n_layers = config.layers("num_hidden_layers");
    s.d_model = config.size("hidden_size");
    const int n_heads = config.heads("num_attention_heads");
    set_heads(s, n_heads, 0, config);
    const bool is_new = config.flag("new_decoder_architecture", false);
    const bool has_one_group = config.flag("multi_query", true) && !is_new;
    const int n_groups = config.heads("num_kv_heads", n_heads);
    if (!has_one_group && !is_new && n_groups != n_heads)
        config.view()
            .at("num_kv_heads")
            .fail("must be num_attention_heads without multi_query and new_decoder_architecture");
    s.attention.n_kv_heads = has_one_group ? 1 : is_new && n_groups != n_heads ? n_groups : 0;
    config.count("num_ln_in_parallel_attn", 2);  // the arrays show it
    set_rotary(s.attention, config, s.d_model / n_heads, {"rope_theta", 1});
    s.attention.bias = s.block.mlp_bias = on_if(config.flag("bias", false));
    s.block.parallel = on_if(config.flag("parallel_attn", true) || is_new);
    s.block.mlp = config.activation("activation", "gelu");
    s.block.d_ff = config.size("ffn_hidden_size", 4 * s.d_model);
    s.norm_epsilon = config.epsilon("layer_norm_epsilon", 1e-5);
    return s;
}

// ---- LLaMA, Mistral, Qwen, Phi-3 ----

StackSettings llama_settings(const ModelConfig& config, const UsualGated& usual) {
    expect_whole_turns(config);
    return gated_settings(config, 1, usual);
}

StackSettings plain_llama_settings(const ModelConfig& config) {
    return llama_settings(config, {});
}

StackSettings mistral_settings(const ModelConfig& config) {
    StackSettings s = plain_llama_settings(config);
    // All layers have the window (sliding_window): a word reads itself and the window − 1 words
    // before it.
    s.mask.window = {{words_before(config)}};
    return s;
}

StackSettings qwen2_settings(const ModelConfig& config) {
    StackSettings s = plain_llama_settings(config);
    s.attention.bias = Switch::On;
    s.attention.output_bias = Switch::Off;
    set_layer_windows(s, config);
    return s;
}

StackSettings qwen3_settings(const ModelConfig& config) {
    StackSettings s = plain_llama_settings(config);
    s.attention.qk_norm = Switch::On;
    set_layer_windows(s, config);
    return s;
}

StackSettings phi3_settings(const ModelConfig& config) {
    StackSettings s =
        gated_settings(config, config.number("partial_rotary_factor", 1), {.epsilon = 1e-5});
    if (config.has("sliding_window")) s.mask.window = {{words_before(config)}};
    return s;
}

/// SmolLM3 turns no heads in some layers.
StackSettings smollm3_settings(const ModelConfig& config) {
    StackSettings s = llama_settings(config, {.n_groups = 4, .is_tied = true});
    const int interval = config.size("no_rope_layer_interval", 4);
    std::vector<int> turned;
    if (config.has("no_rope_layers")) {
        const JsonView list = config.view().at("no_rope_layers");
        list.for_each_element([&](const JsonView& turns) {
            turned.push_back(static_cast<int>(turns.integer(0, 1)));
        });
        if (std::ssize(turned) != s.n_layers)
            list.fail("has {}, but num_hidden_layers is {}", counted(std::ssize(turned), "layer"),
                      s.n_layers);
    }
    for (int l = static_cast<int>(turned.size()); l < s.n_layers; ++l)
        turned.push_back((l + 1) % interval == 0 ? 0 : 1);
    s.attention.rotary_layers = {turned};
    if (!s.attention.rotary_layers.differ()) s.attention.rotary_layers = {{turned.front()}};
    config.expect_flag("use_sliding_window", false);
    return s;
}

// ---- Helium, ERNIE 4.5: neighbouring columns turn together ----

StackSettings helium_settings(const ModelConfig& config) {
    StackSettings s = llama_settings(config, {.epsilon = 1e-8, .d_head = 128});
    s.attention.rotary_pairs = RotaryPairs::Interleaved;
    s.attention.output_bias = Switch::Off;
    return s;
}

StackSettings ernie_settings(const ModelConfig& config) {
    StackSettings s =
        llama_settings(config, {.epsilon = 1e-5, .d_head = 128, .n_groups = 2, .is_tied = true});
    s.attention.rotary_pairs = RotaryPairs::Interleaved;
    s.attention.bias = s.block.mlp_bias = on_if(config.flag("use_bias", false));
    return s;
}

// ---- Phi, StarCoder2 ----

StackSettings phi_settings(const ModelConfig& config) {
    StackSettings s = causal_settings(config, false);
    set_grouped_heads(s, config, {"rope_theta", config.number("partial_rotary_factor", 0.5)});
    s.attention.bias = Switch::On;
    s.block.parallel = Switch::On;
    s.block.mlp = config.activation("hidden_act", "gelu_new");
    s.norm_epsilon = config.epsilon("layer_norm_eps", 1e-5);
    s.unembedding_bias = Switch::On;
    return s;
}

StackSettings starcoder2_settings(const ModelConfig& config) {
    expect_whole_turns(config);
    StackSettings s = causal_settings(config, true);
    set_grouped_heads(s, config, {"rope_theta"});
    s.attention.bias = s.block.mlp_bias = on_if(config.flag("use_bias", true));
    s.block.mlp = config.activation("hidden_act", "gelu_pytorch_tanh");
    s.norm_epsilon = config.epsilon("norm_epsilon", 1e-5);
    if (config.has("sliding_window")) s.mask.window = {{words_before(config)}};
    return s;
}

constexpr auto kDecoders = std::to_array<Family>({
    {"gpt2", "GPT-2", "learned positions, pre-norm, tied W_U", sentence_study<gpt2_settings>,
     "transformer.", kGpt2Rules, kGpt2Unused},
    {"gpt_neo", "GPT-Neo", "as GPT-2, without a scale of scores; some layers have a window",
     sentence_study<gpt_neo_settings>, "transformer.", kGptNeoRules, kGptNeoUnused},
    {"gptj", "GPT-J",
     "rotary positions of neighbouring columns in a part of each head, attention and MLP in "
     "parallel after one norm, W_U with a bias",
     sentence_study<gptj_settings>, "transformer.", kGptjRules, kGptjUnused},
    {"gpt_neox", "GPT-NeoX",
     "rotary positions of a part of each head, attention and MLP in parallel or one after another; "
     "Pythia",
     sentence_study<gpt_neox_settings>, "gpt_neox.", kGptNeoxRules, kGptNeoxUnused},
    {"opt", "OPT",
     "learned positions from the third row of their table on, pre-norm, ReLU, tied W_U; the 350m "
     "model, whose norms follow, is refused",
     sentence_study<opt_settings>, "model.", kOptRules, kOptUnused, opt_skipped_positions},
    {"bloom", "BLOOM",
     "biases of distances (ALiBi), norm of the embeddings; queries, keys and values side by side, "
     "head by head",
     sentence_study<bloom_settings>, "transformer.", kBloomRules, kTiedUnused},
    {"falcon", "Falcon",
     "rotary positions, one group of keys and values or several, in parallel or one after another; "
     "with ALiBi it is refused",
     sentence_study<falcon_settings>, "transformer.", kFalconRules, kTiedUnused},
    {"llama", "LLaMA",
     "RMS norm, gated MLP, rotary positions with `rope_theta` and scaling (linear, dynamic, "
     "llama3, yarn), grouped keys and values, biases",
     sentence_study<plain_llama_settings>, "model.", kLlamaRules, kLlamaUnused},
    {"mistral", "Mistral", "as LLaMA, with a sliding window", sentence_study<mistral_settings>,
     "model.", kLlamaRules, kLlamaUnused},
    {"qwen2", "Qwen2",
     "as LLaMA, with biases of queries, keys and values, and a window in all layers or in some",
     sentence_study<qwen2_settings>, "model.", kLlamaRules, kLlamaUnused},
    {"qwen3", "Qwen3",
     "as LLaMA, with norms of queries and keys, and a window in all layers or in some",
     sentence_study<qwen3_settings>, "model.", kLlamaRules, kLlamaUnused},
    {"smollm3", "SmolLM3", "as LLaMA, with heads that are not turned in some layers",
     sentence_study<smollm3_settings>, "model.", kLlamaRules, kLlamaUnused},
    {"helium", "Helium", "as LLaMA, with rotary positions of neighbouring columns",
     sentence_study<helium_settings>, "model.", kLlamaRules, kLlamaUnused},
    {"ernie4_5", "ERNIE 4.5", "as Helium, tied W_U, with biases or without",
     sentence_study<ernie_settings>, "model.", kLlamaRules, kLlamaUnused},
    {"phi", "Phi",
     "rotary positions of a part of each head, attention and MLP in parallel after one norm, W_U "
     "with a bias",
     sentence_study<phi_settings>, "model.", kPhiRules, kTiedUnused},
    {"phi3", "Phi-3",
     "as LLaMA, with its arrays side by side, perhaps a window, perhaps a part of each head "
     "turned; Phi-4; longrope is refused",
     sentence_study<phi3_settings>, "model.", kPhi3Rules, kLlamaUnused},
    {"starcoder2", "StarCoder2",
     "as LLaMA, with layer norms, biases, an MLP without a gate, a window",
     sentence_study<starcoder2_settings>, "model.", kStarcoder2Rules, kTiedUnused},
});

}  // namespace

std::span<const Family> decoder_families() {
    return kDecoders;
}

}  // namespace headlight
