#include "io/models/t5_family.h"

#include <cmath>
#include <string>

#include "core/error.h"

namespace headlight {
namespace {

/// "relu", "gated-gelu", "gated-silu". The gelu of gated-gelu is gelu_new, as transformers has it.
void set_feed_forward(BlockSettings& block, const ModelConfig& config) {
    constexpr std::string_view kGated = "gated-";
    const std::string kind = config.word("feed_forward_proj", "relu");
    const bool is_gated = kind.starts_with(kGated);
    if (kind == "gated-gelu")
        block.mlp = Mlp::GeluTanh;
    else if (kind == "relu" || kind == "gated-relu")
        block.mlp = Mlp::Relu;
    else if (kind == "gelu")
        block.mlp = Mlp::Gelu;
    else if (kind == "gated-silu")
        block.mlp = Mlp::Silu;
    else
        config.view()
            .at("feed_forward_proj")
            .fail(
                "must be relu, gelu, gated-gelu, gated-relu or "
                "gated-silu; others are not supported");
    // Files often say it twice; transformers listens to these.
    if (config.has("dense_act_fn")) block.mlp = config.activation("dense_act_fn", "relu");
    block.mlp_gate = config.flag("is_gated_act", is_gated) ? Switch::On : Switch::Off;
    block.mlp_bias = Switch::Off;
    block.d_ff = config.size("d_ff");
}

/// Scores are not divided; buckets of distances add to them, in all layers the same ones.
void set_attention(StackSettings& s, const ModelConfig& config) {
    AttentionSettings& attention = s.attention;
    attention.n_heads = config.heads("num_heads");
    const int d_kv = config.size("d_kv", 64);
    if (d_kv * attention.n_heads != s.d_model) attention.d_k.values = attention.d_v.values = {d_kv};
    attention.score = Score::Dot;
    attention.relative = RelativePositions::Buckets;
    attention.n_buckets = config.size("relative_attention_num_buckets", 32, {4, 128});
    attention.max_distance = config.size("relative_attention_max_distance", 128, {1, kMaxDistance});
    attention.shared_buckets = Switch::On;
}

}  // namespace

Study t5_study(const ModelConfig& config) {
    config.expect_flag("is_encoder_decoder", true);
    AlignmentStudy study;
    study.mechanism = AlignmentMechanism::Transformer;
    StackSettings& s = study.layer;
    s.n_layers = config.layers("num_layers");
    if (config.size("num_decoder_layers", s.n_layers) != s.n_layers)
        config.view()
            .at("num_decoder_layers")
            .fail(
                "must be num_layers; another number is not "
                "supported");
    s.d_model = config.size("d_model");
    s.positions = Positions::None;
    set_attention(s, config);
    set_feed_forward(s.block, config);
    s.block.norm = Norm::Pre;
    s.norm_type = NormType::Rms;
    s.norm_epsilon = config.epsilon("layer_norm_epsilon", 1e-6);
    s.final_norm = Switch::On;
    const bool is_tied = config.flag("tie_word_embeddings", true);
    s.unembedding = is_tied ? Unembedding::Tied : Unembedding::Learned;
    if (config.flag("scale_decoder_outputs", is_tied))
        s.logit_scale = 1 / std::sqrt(static_cast<float>(s.d_model));
    return study;
}

}  // namespace headlight
