#include "io/models/decoder_families.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/settings.h"
#include "io/models/model_config.h"
#include "io/models/rotary_config.h"
#include "text/strings.h"
#include "text/words.h"

namespace headlight {
namespace {

enum class LayerKind { Full, Windowed };

/// The words of layer_types, where "attention" is the older word for full attention.
constexpr std::array<std::pair<std::string_view, LayerKind>, 3> kLayerKinds = {
    {{"full_attention", LayerKind::Full},
     {"sliding_attention", LayerKind::Windowed},
     {"attention", LayerKind::Full}}};

/// Returns the kind of each layer; empty if the file does not say it.
std::vector<LayerKind> layer_kinds(const ModelConfig& config, int n_layers) {
    std::vector<LayerKind> kinds;
    if (!config.has("layer_types")) return kinds;
    const JsonView list = config.view().at("layer_types");
    list.for_each_element(
        [&](const JsonView& layer) { kinds.push_back(layer.choice(kLayerKinds)); });
    if (static_cast<int>(kinds.size()) != n_layers)
        list.fail("has {}, but n_layers is {}", counted(std::ssize(kinds), "layer"), n_layers);
    return kinds;
}

/// Returns how many words before itself a word reads; 0: all of them. transformers' default window
/// is 4096.
int words_before(const ModelConfig& config) {
    constexpr int kUsual = 4096, kMost = std::numeric_limits<int>::max() / 2;
    if (config.view().find("sliding_window") && !config.has("sliding_window")) return 0;  // null
    const int window = config.size("sliding_window", kUsual, {2, kMost}) - 1;
    // No text is longer than kMaxWords: a window that is larger closes nothing.
    return window < static_cast<int>(kMaxWords) ? window : 0;
}

/// Sets the window of a model whose layers may differ (Qwen): layer_types says which layers have a
/// window; without it, those from max_window_layers on have one. Without use_sliding_window there
/// is no window. Throws Error, naming the key, if only some of the layers have one.
void set_layer_windows(StackSettings& s, const ModelConfig& config) {
    if (!config.flag("use_sliding_window", false)) return;
    constexpr int kUsualFirst = 28;  // transformers' default
    const std::vector<LayerKind> kinds = layer_kinds(config, s.n_layers);
    const auto n_windowed =
        kinds.empty() ? std::max(0, s.n_layers - config.count("max_window_layers", kUsualFirst))
                      : static_cast<int>(std::ranges::count(kinds, LayerKind::Windowed));
    const int before = n_windowed > 0 ? words_before(config) : 0;
    if (before > 0 && n_windowed < s.n_layers)
        config.view()
            .at(kinds.empty() ? "use_sliding_window" : "layer_types")
            .fail("only some of the layers have a window, which is not supported");
    s.mask.window = before;
}

Switch on_if(bool condition) {
    return condition ? Switch::On : Switch::Off;
}

/// Returns a stack of Transformer blocks that reads from left to right and writes the next word.
StackSettings causal_settings(const ModelConfig& config, bool is_tied) {
    config.expect_flag("is_causal", true);
    StackSettings s;
    s.mask.causal = Switch::On;
    s.positions = Positions::None;
    s.block.norm = Norm::Pre;
    s.final_norm = Switch::On;
    s.unembedding =
        config.flag("tie_word_embeddings", is_tied) ? Unembedding::Tied : Unembedding::Learned;
    return s;
}

/// Sets sizes, heads and groups of heads under the names that most families since LLaMA have, and
/// angles of that share of a head's columns.
void set_grouped_heads(StackSettings& s, const ModelConfig& config, double rotated_share) {
    s.n_layers = config.layers("num_hidden_layers");
    s.d_model = config.size("hidden_size");
    const int n_heads = config.heads("num_attention_heads");
    const int d_head = config.size("head_dim", std::max(1, s.d_model / n_heads));
    set_heads(s, n_heads, d_head, config);
    const int n_groups = config.heads("num_key_value_heads", n_heads);
    if (n_groups != n_heads) s.attention.n_kv_heads = n_groups;
    set_rotary(s.attention, config, d_head, {"rope_theta", rotated_share});
    s.block.d_ff = config.size("intermediate_size");
}

/// Returns LLaMA's stack: RMS norms, and an MLP with a gate.
StackSettings gated_settings(const ModelConfig& config, double rotated_share, double epsilon) {
    StackSettings s = causal_settings(config, false);
    s.norm_type = NormType::Rms;
    set_grouped_heads(s, config, rotated_share);
    s.attention.bias = on_if(config.flag("attention_bias", false));
    s.block.mlp = config.activation("hidden_act", "silu");
    s.block.mlp_gate = Switch::On;
    s.block.mlp_bias = on_if(config.flag("mlp_bias", false));
    s.norm_epsilon = config.epsilon("rms_norm_eps", epsilon);
    return s;
}

}  // namespace

/// Throws Error, naming the layer, if layer_types says something else than these settings.
void check_layer_types(const StackSettings& s, const ModelConfig& config) {
    const std::vector<LayerKind> kinds = layer_kinds(config, s.n_layers);
    const bool has_window = s.mask.window > 0;
    const bool closes_nothing = config.has("sliding_window") && words_before(config) == 0;
    if (!has_window && closes_nothing) return;
    for (std::size_t l = 0; l < kinds.size(); ++l) {
        if ((kinds[l] == LayerKind::Windowed) == has_window) continue;
        config.view().at("layer_types")[l].fail(
            has_window ? "must be \"sliding_attention\": sliding_window gives all layers a window"
                       : "must be \"full_attention\": the other keys give no layer a window");
    }
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

// ---- GPT-J ----

StackSettings gptj_settings(const ModelConfig& config) {
    StackSettings s = causal_settings(config, false);
    s.n_layers = config.layers("n_layer");
    s.d_model = config.size("n_embd");
    const int n_heads = config.heads("n_head");
    set_heads(s, n_heads, 0, config);
    const int d_head = s.d_model / n_heads;
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
    s.attention.n_kv_heads = has_one_group ? 1 : is_new && n_groups != n_heads ? n_groups : 0;
    config.flag("alibi", false);
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

StackSettings llama_settings(const ModelConfig& config) {
    expect_whole_turns(config);
    return gated_settings(config, 1, 1e-6);
}

StackSettings mistral_settings(const ModelConfig& config) {
    StackSettings s = llama_settings(config);
    // All layers have the window (sliding_window): a word reads itself and the window − 1 words
    // before it.
    s.mask.window = words_before(config);
    return s;
}

StackSettings qwen2_settings(const ModelConfig& config) {
    StackSettings s = llama_settings(config);
    s.attention.bias = Switch::On;
    s.attention.output_bias = Switch::Off;
    set_layer_windows(s, config);
    return s;
}

StackSettings qwen3_settings(const ModelConfig& config) {
    StackSettings s = llama_settings(config);
    s.attention.qk_norm = Switch::On;
    set_layer_windows(s, config);
    return s;
}

StackSettings phi3_settings(const ModelConfig& config) {
    StackSettings s = gated_settings(config, config.number("partial_rotary_factor", 1), 1e-5);
    if (config.has("sliding_window")) s.mask.window = words_before(config);
    return s;
}

// ---- Phi, StarCoder2 ----

StackSettings phi_settings(const ModelConfig& config) {
    StackSettings s = causal_settings(config, false);
    set_grouped_heads(s, config, config.number("partial_rotary_factor", 0.5));
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
    set_grouped_heads(s, config, 1);
    s.attention.bias = s.block.mlp_bias = on_if(config.flag("use_bias", true));
    s.block.mlp = config.activation("hidden_act", "gelu_pytorch_tanh");
    s.norm_epsilon = config.epsilon("norm_epsilon", 1e-5);
    if (config.has("sliding_window")) s.mask.window = words_before(config);
    return s;
}

}  // namespace headlight
