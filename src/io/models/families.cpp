#include "io/models/families.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "io/models/encoder_rules.h"
#include "io/models/graph_families.h"
#include "io/models/layer_windows.h"
#include "io/models/rotary_config.h"
#include "io/models/t5_family.h"
#include "io/models/vit_family.h"
#include "text/printable.h"

namespace headlight {
namespace {

Switch on_if(bool condition) {
    return condition ? Switch::On : Switch::Off;
}

/// A stack of Transformer blocks that reads from left to right and writes the next word.
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

// ---- BERT, RoBERTa, DistilBERT ----

/// An encoder whose norms follow what they normalise. Its masked-LM head is there or not.
StackSettings encoder_settings() {
    StackSettings s;
    s.positions = Positions::Learned;
    s.embedding_norm = Switch::On;
    s.attention.bias = Switch::On;
    s.block.norm = Norm::Post;
    s.unembedding = Unembedding::Tied;
    s.unembedding_bias = Switch::On;
    s.readout = Readout::MaskedWord;
    return s;
}

StackSettings bert_settings(const ModelConfig& config) {
    config.expect_word("position_embedding_type", "absolute");
    config.expect_flag("is_decoder", false);
    config.expect_flag("add_cross_attention", false);
    config.expect_flag("tie_word_embeddings", true);
    StackSettings s = encoder_settings();
    s.n_layers = config.layers("num_hidden_layers");
    s.d_model = config.size("hidden_size");
    s.token_types = config.size("type_vocab_size", 2, {1, kMaxDistance});
    set_heads(s, config.heads("num_attention_heads"), 0, config);
    s.block.mlp = config.activation("hidden_act", "gelu");
    s.block.d_ff = config.size("intermediate_size");
    s.norm_epsilon = config.epsilon("layer_norm_eps", 1e-12);
    return s;
}

/// Positions are counted from behind the padding's.
int positions_after_padding(const ModelConfig& config) {
    return config.count("pad_token_id", 1) + 1;
}

StackSettings distilbert_settings(const ModelConfig& config) {
    config.expect_flag("tie_word_embeddings", true);
    StackSettings s = encoder_settings();
    s.n_layers = config.layers("n_layers");
    s.d_model = config.size("dim");
    set_heads(s, config.heads("n_heads"), 0, config);
    s.block.mlp = config.activation("activation", "gelu");
    s.block.d_ff = config.size("hidden_dim");
    s.norm_epsilon = 1e-12f;  // fixed in transformers' modeling_distilbert.py
    return s;
}

// ---- LLaMA, Mistral, Qwen ----

StackSettings llama_settings(const ModelConfig& config) {
    StackSettings s = causal_settings(config, false);
    s.norm_type = NormType::Rms;
    s.n_layers = config.layers("num_hidden_layers");
    s.d_model = config.size("hidden_size");
    const int n_heads = config.heads("num_attention_heads");
    const int d_head = config.size("head_dim", std::max(1, s.d_model / n_heads));
    set_heads(s, n_heads, d_head, config);
    const int n_groups = config.heads("num_key_value_heads", n_heads);
    if (n_groups != n_heads) s.attention.n_kv_heads = n_groups;
    expect_whole_turns(config);
    set_rotary(s.attention, config, d_head, {"rope_theta", 1});
    s.attention.bias = on_if(config.flag("attention_bias", false));
    s.block.mlp = config.activation("hidden_act", "silu");
    s.block.mlp_gate = Switch::On;
    s.block.mlp_bias = on_if(config.flag("mlp_bias", false));
    s.block.d_ff = config.size("intermediate_size");
    s.norm_epsilon = config.epsilon("rms_norm_eps", 1e-6);
    return s;
}

StackSettings mistral_settings(const ModelConfig& config) {
    StackSettings s = llama_settings(config);
    set_window(s, config);
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

/// A sentence that a stack with these settings reads.
template <StackSettings (*settings)(const ModelConfig& config)>
Study sentence(const ModelConfig& config) {
    SentenceStudy study{.text = {}, .layer = settings(config)};
    check_layer_types(study.layer, config);
    return study;
}

constexpr std::array<Family, 14> kFamilies = {{
    {"gpt2", "GPT-2", sentence<gpt2_settings>, "transformer.", kGpt2Rules, kGpt2Unused},
    {"gpt_neox", "GPT-NeoX", sentence<gpt_neox_settings>, "gpt_neox.", kGptNeoxRules,
     kGptNeoxUnused},
    {"bert", "BERT", sentence<bert_settings>, "bert.", kBertRules, kBertUnused},
    {"roberta", "RoBERTa", sentence<bert_settings>, "roberta.", kBertRules, kBertUnused,
     positions_after_padding},
    {"distilbert", "DistilBERT", sentence<distilbert_settings>, "distilbert.", kDistilbertRules,
     kDistilbertUnused},
    {"llama", "LLaMA", sentence<llama_settings>, "model.", kLlamaRules, kLlamaUnused},
    {"mistral", "Mistral", sentence<mistral_settings>, "model.", kLlamaRules, kLlamaUnused},
    {"qwen2", "Qwen2", sentence<qwen2_settings>, "model.", kLlamaRules, kLlamaUnused},
    {"qwen3", "Qwen3", sentence<qwen3_settings>, "model.", kLlamaRules, kLlamaUnused},
    {"t5", "T5", t5_study, "", kT5Rules, kT5Unused},
    {"vit", "ViT", vit_study, "vit.", kVitRules, kVitUnused},
    {"gat", "GAT", gat_study, "", kGatRules, {}, nullptr, LeftOver::Refused},
    {"gatv2", "GATv2", gatv2_study, "", kGatv2Rules, {}, nullptr, LeftOver::Refused},
    {"transformer_conv", "graph transformer", transformer_conv_study, "", kTransformerConvRules,
     kTransformerConvUnused, nullptr, LeftOver::Refused},
}};

}  // namespace

void set_heads(StackSettings& s, int n_heads, int d_head, const ModelConfig& config) {
    if (d_head == 0 && s.d_model % n_heads != 0)
        throw Error(config.source(), "a width of " + std::to_string(s.d_model) +
                                         " cannot be shared evenly by " + std::to_string(n_heads) +
                                         " heads");
    s.attention.n_heads = n_heads;
    if (d_head != 0 && d_head * n_heads != s.d_model)
        s.attention.d_k.values = s.attention.d_v.values = {d_head};
}

std::span<const Family> families() {
    return kFamilies;
}

namespace {

/// "; did you mean 'gpt_neox'?": a family whose name is a part of the type's, or spelt nearly so.
std::string near_family(const std::string& type) {
    std::string_view nearest;
    std::vector<std::string_view> known;
    for (const Family& family : kFamilies) {
        known.push_back(family.type);
        const bool is_part = type.find(family.type) != std::string::npos;
        if (is_part && known.back().size() > nearest.size()) nearest = known.back();
    }
    return suggestion(nearest.empty() ? type : nearest, known);
}

}  // namespace

const Family& family_for(const ModelConfig& config) {
    const std::string type = config.model_type();
    std::string known;
    for (const Family& family : kFamilies) {
        if (family.type == type) return family;
        known += (known.empty() ? "" : ", ") + std::string(family.type);
    }
    throw Error(config.source(), "models of the type '" + printable(type) +
                                     "' are not supported; known are: " + known +
                                     near_family(type));
}

}  // namespace headlight
