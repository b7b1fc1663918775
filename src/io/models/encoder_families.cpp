// Families of encoders, of encoders with decoders, and of models that read images.
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/matrix.h"
#include "io/models/family_rules.h"
#include "io/models/model_config.h"

namespace headlight {
namespace {

// ---- BERT and RoBERTa, which differ in the names of their masked-LM head ----

constexpr std::array kBertRules = {
    FamilyRule{"embeddings.word_embeddings.weight", "W_E"},
    FamilyRule{"embeddings.position_embeddings.weight", "W_pos"},
    FamilyRule{"embeddings.token_type_embeddings.weight", "W_type"},
    FamilyRule{"embeddings.LayerNorm.weight", "ln_embed.w"},
    FamilyRule{"embeddings.LayerNorm.bias", "ln_embed.b"},
    FamilyRule{"encoder.layer.#.attention.self.query.weight", "blocks.#.attn.heads.*.W_Q", kLinear},
    FamilyRule{"encoder.layer.#.attention.self.query.bias", "blocks.#.attn.heads.*.b_Q"},
    FamilyRule{"encoder.layer.#.attention.self.key.weight", "blocks.#.attn.heads.*.W_K", kLinear},
    FamilyRule{"encoder.layer.#.attention.self.key.bias", "blocks.#.attn.heads.*.b_K"},
    FamilyRule{"encoder.layer.#.attention.self.value.weight", "blocks.#.attn.heads.*.W_V", kLinear},
    FamilyRule{"encoder.layer.#.attention.self.value.bias", "blocks.#.attn.heads.*.b_V"},
    FamilyRule{"encoder.layer.#.attention.output.dense.weight", "blocks.#.attn.W_O", kLinear},
    FamilyRule{"encoder.layer.#.attention.output.dense.bias", "blocks.#.attn.b_O"},
    FamilyRule{"encoder.layer.#.attention.output.LayerNorm.weight", "blocks.#.ln1.w"},
    FamilyRule{"encoder.layer.#.attention.output.LayerNorm.bias", "blocks.#.ln1.b"},
    FamilyRule{"encoder.layer.#.intermediate.dense.weight", "blocks.#.mlp.W_in", kLinear},
    FamilyRule{"encoder.layer.#.intermediate.dense.bias", "blocks.#.mlp.b_in"},
    FamilyRule{"encoder.layer.#.output.dense.weight", "blocks.#.mlp.W_out", kLinear},
    FamilyRule{"encoder.layer.#.output.dense.bias", "blocks.#.mlp.b_out"},
    FamilyRule{"encoder.layer.#.output.LayerNorm.weight", "blocks.#.ln2.w"},
    FamilyRule{"encoder.layer.#.output.LayerNorm.bias", "blocks.#.ln2.b"},
    FamilyRule{"cls.predictions.transform.dense.weight", "head.W", kLinear},
    FamilyRule{"cls.predictions.transform.dense.bias", "head.b"},
    FamilyRule{"cls.predictions.transform.LayerNorm.weight", "ln_head.w"},
    FamilyRule{"cls.predictions.transform.LayerNorm.bias", "ln_head.b"},
    FamilyRule{"cls.predictions.bias", "b_U"},
    FamilyRule{"lm_head.dense.weight", "head.W", kLinear},
    FamilyRule{"lm_head.dense.bias", "head.b"},
    FamilyRule{"lm_head.layer_norm.weight", "ln_head.w"},
    FamilyRule{"lm_head.layer_norm.bias", "ln_head.b"},
    FamilyRule{"lm_head.bias", "b_U"},
    FamilyRule{"cls.predictions.decoder.weight", "W_U", kLinear},
    FamilyRule{"lm_head.decoder.weight", "W_U", kLinear},
};
/// The arrays of the pooler and of heads for other tasks; copies of W_E and b_U; a buffer.
constexpr std::array<std::string_view, 10> kBertUnused = {"embeddings.position_ids",
                                                          "pooler.*",
                                                          "cls.seq_relationship.*",
                                                          "classifier.*",
                                                          "qa_outputs.*",
                                                          "cls.predictions.decoder.*",
                                                          "lm_head.decoder.*",
                                                          "embeddings.token_type_ids",
                                                          "bert.embeddings.position_ids",
                                                          "dropout.*"};

// ---- DistilBERT ----

constexpr std::array kDistilbertRules = {
    FamilyRule{"embeddings.word_embeddings.weight", "W_E"},
    FamilyRule{"embeddings.position_embeddings.weight", "W_pos"},
    FamilyRule{"embeddings.LayerNorm.weight", "ln_embed.w"},
    FamilyRule{"embeddings.LayerNorm.bias", "ln_embed.b"},
    FamilyRule{"transformer.layer.#.attention.q_lin.weight", "blocks.#.attn.heads.*.W_Q", kLinear},
    FamilyRule{"transformer.layer.#.attention.q_lin.bias", "blocks.#.attn.heads.*.b_Q"},
    FamilyRule{"transformer.layer.#.attention.k_lin.weight", "blocks.#.attn.heads.*.W_K", kLinear},
    FamilyRule{"transformer.layer.#.attention.k_lin.bias", "blocks.#.attn.heads.*.b_K"},
    FamilyRule{"transformer.layer.#.attention.v_lin.weight", "blocks.#.attn.heads.*.W_V", kLinear},
    FamilyRule{"transformer.layer.#.attention.v_lin.bias", "blocks.#.attn.heads.*.b_V"},
    FamilyRule{"transformer.layer.#.attention.out_lin.weight", "blocks.#.attn.W_O", kLinear},
    FamilyRule{"transformer.layer.#.attention.out_lin.bias", "blocks.#.attn.b_O"},
    FamilyRule{"transformer.layer.#.sa_layer_norm.weight", "blocks.#.ln1.w"},
    FamilyRule{"transformer.layer.#.sa_layer_norm.bias", "blocks.#.ln1.b"},
    FamilyRule{"transformer.layer.#.ffn.lin1.weight", "blocks.#.mlp.W_in", kLinear},
    FamilyRule{"transformer.layer.#.ffn.lin1.bias", "blocks.#.mlp.b_in"},
    FamilyRule{"transformer.layer.#.ffn.lin2.weight", "blocks.#.mlp.W_out", kLinear},
    FamilyRule{"transformer.layer.#.ffn.lin2.bias", "blocks.#.mlp.b_out"},
    FamilyRule{"transformer.layer.#.output_layer_norm.weight", "blocks.#.ln2.w"},
    FamilyRule{"transformer.layer.#.output_layer_norm.bias", "blocks.#.ln2.b"},
    FamilyRule{"vocab_transform.weight", "head.W", kLinear},
    FamilyRule{"vocab_transform.bias", "head.b"},
    FamilyRule{"vocab_layer_norm.weight", "ln_head.w"},
    FamilyRule{"vocab_layer_norm.bias", "ln_head.b"},
    FamilyRule{"vocab_projector.bias", "b_U"},
    FamilyRule{"vocab_projector.weight", "W_U", kLinear},
};
constexpr std::array<std::string_view, 5> kDistilbertUnused = {
    "embeddings.position_ids", "vocab_projector.weight", "pre_classifier.*", "classifier.*",
    "qa_outputs.*"};

constexpr std::array kT5Rules = {
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
/// The copies of the shared embeddings, and a table of old files that nothing reads.
constexpr std::array<std::string_view, 3> kT5Unused = {
    "encoder.embed_tokens.weight", "decoder.embed_tokens.weight",
    "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"};

constexpr std::array kVitRules = {
    FamilyRule{"embeddings.cls_token", "class_token"},
    FamilyRule{"embeddings.position_embeddings", "pos_embed"},
    FamilyRule{"embeddings.patch_embeddings.projection.weight", "W_E", kLinear, Sharing::None,
               ArrayKind::Kernel},
    FamilyRule{"embeddings.patch_embeddings.projection.bias", "b_E"},
    FamilyRule{"encoder.layer.#.layernorm_before.weight", "blocks.#.ln1.w"},
    FamilyRule{"encoder.layer.#.layernorm_before.bias", "blocks.#.ln1.b"},
    FamilyRule{"encoder.layer.#.attention.attention.query.weight", "blocks.#.attn.heads.*.W_Q",
               kLinear},
    FamilyRule{"encoder.layer.#.attention.attention.query.bias", "blocks.#.attn.heads.*.b_Q"},
    FamilyRule{"encoder.layer.#.attention.attention.key.weight", "blocks.#.attn.heads.*.W_K",
               kLinear},
    FamilyRule{"encoder.layer.#.attention.attention.key.bias", "blocks.#.attn.heads.*.b_K"},
    FamilyRule{"encoder.layer.#.attention.attention.value.weight", "blocks.#.attn.heads.*.W_V",
               kLinear},
    FamilyRule{"encoder.layer.#.attention.attention.value.bias", "blocks.#.attn.heads.*.b_V"},
    FamilyRule{"encoder.layer.#.attention.output.dense.weight", "blocks.#.attn.W_O", kLinear},
    FamilyRule{"encoder.layer.#.attention.output.dense.bias", "blocks.#.attn.b_O"},
    FamilyRule{"encoder.layer.#.layernorm_after.weight", "blocks.#.ln2.w"},
    FamilyRule{"encoder.layer.#.layernorm_after.bias", "blocks.#.ln2.b"},
    FamilyRule{"encoder.layer.#.intermediate.dense.weight", "blocks.#.mlp.W_in", kLinear},
    FamilyRule{"encoder.layer.#.intermediate.dense.bias", "blocks.#.mlp.b_in"},
    FamilyRule{"encoder.layer.#.output.dense.weight", "blocks.#.mlp.W_out", kLinear},
    FamilyRule{"encoder.layer.#.output.dense.bias", "blocks.#.mlp.b_out"},
    FamilyRule{"layernorm.weight", "ln_final.w"},
    FamilyRule{"layernorm.bias", "ln_final.b"},
    FamilyRule{"classifier.weight", "W_C", kLinear},
    FamilyRule{"classifier.bias", "b_C"},
};
/// The arrays of the pooler, from which no class comes, and of training by masked patches.
constexpr std::array<std::string_view, 3> kVitUnused = {"pooler.*", "embeddings.mask_token",
                                                        "decoder.*"};

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

// ---- BERT, RoBERTa, DistilBERT ----

/// Returns an encoder whose norms follow what they normalise. Its masked-LM head is there or not.
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

/// Returns the row of the first position: rows are counted after the one of the padding.
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

constexpr auto kEncoders = std::to_array<Family>({
    {"bert", "BERT",
     "norm of the embeddings, token types, post-norm, the masked-LM head if it is there; MiniLM",
     sentence_study<bert_settings>, "bert.", kBertRules, kBertUnused},
    {"roberta", "RoBERTa", "as BERT, with positions counted after that of the padding",
     sentence_study<bert_settings>, "roberta.", kBertRules, kBertUnused, positions_after_padding},
    {"xlm-roberta", "XLM-RoBERTa", "as RoBERTa, with a tokenizer of pieces and their probabilities",
     sentence_study<bert_settings>, "roberta.", kBertRules, kBertUnused, positions_after_padding},
    {"camembert", "CamemBERT", "as XLM-RoBERTa", sentence_study<bert_settings>, "roberta.",
     kBertRules, kBertUnused, positions_after_padding},
    {"distilbert", "DistilBERT", "as BERT, without token types",
     sentence_study<distilbert_settings>, "distilbert.", kDistilbertRules, kDistilbertUnused},
    {"t5", "T5",
     "an encoder and a decoder that reads it, shared buckets of distances, RMS norm, ReLU or gated "
     "GELU, tied W_U with its scale or one of its own: an [alignment](#encoders-and-decoders); "
     "Flan-T5",
     t5_study, "", kT5Rules, kT5Unused},
    {"vit", "ViT",
     "an image with a class token before the patches, learned positions, pre-norm, the classifier "
     "if it is there: [below](#vision-transformers); DeiT without distillation",
     vit_study, "vit.", kVitRules, kVitUnused},
});

}  // namespace

std::span<const Family> encoder_families() {
    return kEncoders;
}

}  // namespace headlight
