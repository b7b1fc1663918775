#include "io/models/encoder_families.h"

#include <cmath>
#include <string>

#include "core/error.h"
#include "core/matrix.h"

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
    // Files often say it twice; transformers obeys these keys.
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

namespace {

/// 224, or [224, 224]: rows and columns.
PictureSize sides(const ModelConfig& config, std::string_view key, int otherwise, int most) {
    if (!config.has(key)) return {otherwise, otherwise};
    const JsonView size = config.view().at(key);
    const auto side = [&](const JsonView& number) {
        return static_cast<int>(number.integer(1, most));
    };
    if (!size.is_list()) return {side(size), side(size)};
    if (size.size() != 2) size.fail("must be one number, or [height, width]");
    return {side(size[0]), side(size[1])};
}

void set_patches(ImageStudy& study, const ModelConfig& config) {
    const PictureSize picture = sides(config, "image_size", 224, kMaxPreparedSide),
                      patch = sides(config, "patch_size", 16, kMaxImageSide);
    if (patch.rows != patch.columns)
        config.view().at("patch_size").fail("must be square; other patches are not supported");
    if (picture.rows % patch.rows != 0 || picture.columns % patch.rows != 0)
        throw Error(config.source(),
                    "image_size is {}, which patches of {} do not fill; this is not supported",
                    shape_text(picture.rows, picture.columns), patch.rows);
    study.rows = picture.rows, study.columns = picture.columns;
    study.layer.patch = patch.rows;
}

void set_vit_stack(StackSettings& s, const ModelConfig& config) {
    s.positions = Positions::Learned;
    s.attention.bias = Switch::On;
    s.attention.qkv_bias = config.flag("qkv_bias", true) ? Switch::On : Switch::Off;
    s.block.norm = Norm::Pre;
    s.final_norm = Switch::On;
    s.n_layers = config.layers("num_hidden_layers");
    s.d_model = config.size("hidden_size");
    set_heads(s, config.heads("num_attention_heads"), 0, config);
    s.block.mlp = config.activation("hidden_act", "gelu");
    s.block.d_ff = config.size("intermediate_size");
    s.norm_epsilon = config.epsilon("layer_norm_eps", 1e-12);
}

}  // namespace

Study vit_study(const ModelConfig& config) {
    ImageStudy study;
    if (config.count("num_channels", 3) != 3)
        config.view().at("num_channels").fail("must be 3; other pictures are not supported");
    set_patches(study, config);
    study.layer.class_token = ClassToken::First;
    set_vit_stack(study.layer.stack, config);
    return study;
}

}  // namespace headlight
