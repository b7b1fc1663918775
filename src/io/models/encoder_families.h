// Families of encoders, of encoders with decoders, and of models that read images: the rules of
// each.
#pragma once

#include <array>
#include <string_view>

#include "io/models/families.h"
#include "io/models/family_rules.h"

namespace headlight {

// ---- BERT and RoBERTa, which differ in the names of their masked-LM head ----

inline constexpr std::array kBertRules = {
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
inline constexpr std::array<std::string_view, 10> kBertUnused = {"embeddings.position_ids",
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

inline constexpr std::array kDistilbertRules = {
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
inline constexpr std::array<std::string_view, 5> kDistilbertUnused = {
    "embeddings.position_ids", "vocab_projector.weight", "pre_classifier.*", "classifier.*",
    "qa_outputs.*"};

/// Returns a study of an encoder and a decoder, whose source and target are empty. Throws Error,
/// naming the key, for anything that is not supported.
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
/// The copies of the shared embeddings, and a table of old files that nothing reads.
inline constexpr std::array<std::string_view, 3> kT5Unused = {
    "encoder.embed_tokens.weight", "decoder.embed_tokens.weight",
    "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"};

/// Returns a study of a picture without pixels; its rows and columns are known. Throws Error,
/// naming the key, for anything that is not supported.
Study vit_study(const ModelConfig& config);

inline constexpr std::array kVitRules = {
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
inline constexpr std::array<std::string_view, 3> kVitUnused = {"pooler.*", "embeddings.mask_token",
                                                               "decoder.*"};

}  // namespace headlight
