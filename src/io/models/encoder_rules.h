// Which array is which tensor in encoders, as family_rules.h says it of the others.
#pragma once

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
/// The pooler and heads for other tasks; copies of W_E and b_U; a buffer.
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

}  // namespace headlight
