// ViT: what config.json means, and which array is which tensor.                [Dosovitskiy 2021]
#pragma once

#include <array>
#include <string_view>

#include "io/models/families.h"
#include "io/models/family_rules.h"

namespace headlight {

/// The layers of a picture; its rows and columns are said, and it has no pixels yet. Throws Error,
/// naming the key, for what is not supported.
Study vit_study(const ModelConfig& config);

inline constexpr std::array kVitRules = {
    FamilyRule{"embeddings.cls_token", "class_token"},
    FamilyRule{"embeddings.position_embeddings", "pos_embed"},
    FamilyRule{
        "embeddings.patch_embeddings.projection.weight", "W_E", kLinear, {}, ArrayKind::Kernel},
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
/// The pooler, which no class comes from, and what serves training by masked patches.
inline constexpr std::array<std::string_view, 3> kVitUnused = {"pooler.*", "embeddings.mask_token",
                                                               "decoder.*"};

}  // namespace headlight
