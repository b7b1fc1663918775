// The families of Gemma: gains are stored as their distance from 1, embeddings are scaled, norms
// stand before and after each part, and layers with a window alternate with full ones.
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/settings.h"
#include "io/models/decoder_settings.h"
#include "io/models/family_rules.h"
#include "io/models/model_config.h"
#include "io/models/rotary_config.h"

namespace headlight {
namespace {

constexpr FamilyRule gain(std::string_view array, std::string_view tensor) {
    return {array, tensor, Turn::Kept, Sharing::None, ArrayKind::Matrix, 1};
}

constexpr std::array kOfAllGemmas = {
    FamilyRule{"embed_tokens.weight", "W_E"},
    gain("layers.#.input_layernorm.weight", "blocks.#.ln1.w"),
    FamilyRule{"layers.#.self_attn.q_proj.weight", "blocks.#.attn.heads.*.W_Q", kLinear},
    FamilyRule{"layers.#.self_attn.k_proj.weight", "blocks.#.attn.heads.*.W_K", kLinear},
    FamilyRule{"layers.#.self_attn.v_proj.weight", "blocks.#.attn.heads.*.W_V", kLinear},
    FamilyRule{"layers.#.self_attn.q_proj.bias", "blocks.#.attn.heads.*.b_Q"},
    FamilyRule{"layers.#.self_attn.k_proj.bias", "blocks.#.attn.heads.*.b_K"},
    FamilyRule{"layers.#.self_attn.v_proj.bias", "blocks.#.attn.heads.*.b_V"},
    FamilyRule{"layers.#.self_attn.o_proj.weight", "blocks.#.attn.W_O", kLinear},
    FamilyRule{"layers.#.self_attn.o_proj.bias", "blocks.#.attn.b_O"},
    FamilyRule{"layers.#.mlp.gate_proj.weight", "blocks.#.mlp.W_gate", kLinear},
    FamilyRule{"layers.#.mlp.up_proj.weight", "blocks.#.mlp.W_in", kLinear},
    FamilyRule{"layers.#.mlp.down_proj.weight", "blocks.#.mlp.W_out", kLinear},
    gain("norm.weight", "ln_final.w"),
    FamilyRule{"lm_head.weight", "W_U", kLinear},
};

template <std::size_t n>
constexpr auto with_norms(const std::array<FamilyRule, n>& norms) {
    std::array<FamilyRule, kOfAllGemmas.size() + n> rules;
    std::size_t at = 0;
    for (const FamilyRule& rule : kOfAllGemmas) rules[at++] = rule;
    for (const FamilyRule& rule : norms) rules[at++] = rule;
    return rules;
}

constexpr auto kGemmaRules =
    with_norms(std::array{gain("layers.#.post_attention_layernorm.weight", "blocks.#.ln2.w")});
constexpr auto kGemma2Rules =
    with_norms(std::array{gain("layers.#.post_attention_layernorm.weight", "blocks.#.ln1_post.w"),
                          gain("layers.#.pre_feedforward_layernorm.weight", "blocks.#.ln2.w"),
                          gain("layers.#.post_feedforward_layernorm.weight", "blocks.#.ln2_post.w"),
                          gain("layers.#.self_attn.q_norm.weight", "blocks.#.attn.q_norm.w"),
                          gain("layers.#.self_attn.k_norm.weight", "blocks.#.attn.k_norm.w")});

/// Buffers, and a copy of W_E.
constexpr std::array<std::string_view, 2> kGemmaUnused = {"layers.#.self_attn.rotary_emb.inv_freq",
                                                          "lm_head.weight"};

/// Returns what all of them have. `usual` is of transformers, as are all defaults.
StackSettings gemma_stack(const ModelConfig& config, const RotaryKeys& rotary, int n_groups) {
    constexpr int kUsualHead = 256;
    config.expect_flag("use_bidirectional_attention", false);
    expect_whole_turns(config);
    StackSettings s = causal_settings(config, true);
    set_grouped_heads(s, config, rotary, {kUsualHead, n_groups});
    s.embedding_scale = std::sqrt(static_cast<float>(s.d_model));
    s.norm_type = NormType::Rms;
    s.norm_epsilon = config.epsilon("rms_norm_eps", 1e-6);
    s.attention.bias = on_if(config.flag("attention_bias", false));
    s.block.mlp_gate = Switch::On;
    s.block.mlp_bias = Switch::Off;
    return s;
}

StackSettings gemma_settings(const ModelConfig& config) {
    StackSettings s = gemma_stack(config, {"rope_theta"}, 16);
    config.has("hidden_activation");  // transformers reads hidden_act …
    s.block.mlp = config.activation("hidden_act", "gelu_pytorch_tanh");
    if (s.block.mlp == Mlp::Gelu) s.block.mlp = Mlp::GeluTanh;  // … and takes one for the other
    return s;
}

/// Returns the cap of that key, 0 for null.
float cap(const ModelConfig& config, const char* key, double usual) {
    if (config.view().find(key) && !config.has(key)) return 0;
    if (usual == 0 && !config.has(key)) return 0;
    return static_cast<float>(config.number(key, usual, {0.001, 10'000}));
}

/// Sets the power of d_k that divides the scores: √query_pre_attn_scalar.
void set_score_scale(AttentionSettings& attention, const ModelConfig& config, int d_head) {
    constexpr const char* kKey = "query_pre_attn_scalar";
    const double squared = config.number(kKey, 256, {1, 1e9});
    if (squared == d_head) return;
    const double power = 0.5 * std::log(squared) / std::log(static_cast<double>(d_head));
    if (d_head == 1 || power > 1)
        config.view().at(kKey).fail("must be at most the square of head_dim, which is {}", d_head);
    attention.d_power = static_cast<float>(power);
}

/// Returns the kinds of layers where every layer of that number is full.
std::vector<LayerKind> alternating_kinds(int n_layers, int pattern) {
    std::vector<LayerKind> kinds;
    for (int l = 0; l < n_layers; ++l)
        kinds.push_back((l + 1) % pattern == 0 ? LayerKind::Full : LayerKind::Windowed);
    return kinds;
}

/// Returns what Gemma 2 and 3 have. Each layer of the number `pattern` is full where the file does
/// not say it.
StackSettings capped_settings(const ModelConfig& config, const RotaryKeys& rotary, int pattern) {
    StackSettings s = gemma_stack(config, rotary, 4);
    config.has("hidden_act");  // transformers reads hidden_activation
    s.block.mlp = config.activation("hidden_activation", "gelu_pytorch_tanh");
    s.block.norm = Norm::Both;
    set_score_scale(s.attention, config, config.size("head_dim", 256));
    std::vector<LayerKind> kinds = layer_kinds(config, s.n_layers);
    if (kinds.empty()) kinds = alternating_kinds(s.n_layers, pattern);
    s.mask.window = windows_of(kinds, words_before(config));
    return s;
}

StackSettings gemma2_settings(const ModelConfig& config) {
    StackSettings s = capped_settings(config, {"rope_theta"}, 2);
    s.attention.score_cap = cap(config, "attn_logit_softcapping", 50);
    s.logit_cap = cap(config, "final_logit_softcapping", 30);
    return s;
}

StackSettings gemma3_settings(const ModelConfig& config) {
    config.has("_sliding_window_pattern");  // written, and not read, by transformers
    const int pattern = config.size("sliding_window_pattern", 6);
    StackSettings s = capped_settings(
        config, {.base = "rope_theta", .usual = 1e6, .window_base = "rope_local_base_freq"},
        pattern);
    s.attention.qk_norm = Switch::On;
    config.has("attn_logit_softcapping");  // which transformers does not use here
    s.logit_cap = cap(config, "final_logit_softcapping", 0);
    const bool has_other_angles = s.attention.rotary_window_base != s.attention.rotary_base ||
                                  s.attention.rotary_scaling != RotaryScaling::None;
    if (words_before(config) == 0 && has_other_angles)
        throw Error(config.source(),
                    "sliding_window closes nothing here, but its layers have angles of their own; "
                    "this is not supported");
    return s;
}

constexpr auto kGemmas = std::to_array<Family>({
    {"gemma", "Gemma",
     "as LLaMA, with scaled embeddings, gains stored as their distance from 1, gated GELU, tied "
     "W_U",
     sentence_study<gemma_settings>, "model.", kGemmaRules, kGemmaUnused},
    {"gemma2", "Gemma 2",
     "as Gemma, with norms before and after each part, soft caps of scores and logits, a window in "
     "some layers",
     sentence_study<gemma2_settings>, "model.", kGemma2Rules, kGemmaUnused},
    {"gemma3_text", "Gemma 3",
     "as Gemma 2 without caps, with norms of queries and keys, and other angles in layers with a "
     "window; with pictures (`gemma3`) it is refused",
     sentence_study<gemma3_settings>, "model.", kGemma2Rules, kGemmaUnused},
});

}  // namespace

std::span<const Family> gemma_families() {
    return kGemmas;
}

}  // namespace headlight
