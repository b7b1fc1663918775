// Graph models as PyTorch Geometric's modules compute them: what config.json means, and which array
// is which tensor. The file is our own: a state dict does not say how its modules were made.
//
// Layers are called convs.0, convs.1, …; their arrays have the names of PyTorch Geometric 2.5 and
// later.
#pragma once

#include <array>
#include <string_view>

#include "io/models/families.h"
#include "io/models/family_rules.h"

namespace headlight {

/// GATConv, GATv2Conv and TransformerConv, one after another; the graph is empty. Throws Error,
/// naming the key and its line, for what is unknown or not supported.
Study gat_study(const ModelConfig& config);
Study gatv2_study(const ModelConfig& config);
Study transformer_conv_study(const ModelConfig& config);

inline constexpr std::array kGatRules = {
    FamilyRule{"convs.#.lin.weight", "gat.#.heads.*.W", kLinear},
    FamilyRule{"convs.#.att_src", "gat.#.heads.*.a_src", kLinear},
    FamilyRule{"convs.#.att_dst", "gat.#.heads.*.a_dst", kLinear},
    FamilyRule{"convs.#.bias", "gat.#.b"},
};

inline constexpr std::array kGatv2Rules = {
    FamilyRule{"convs.#.lin_l.weight", "gat.#.heads.*.W_src", kLinear},
    FamilyRule{"convs.#.lin_l.bias", "gat.#.heads.*.b_src"},
    FamilyRule{"convs.#.lin_r.weight", "gat.#.heads.*.W_dst", kLinear},
    FamilyRule{"convs.#.lin_r.bias", "gat.#.heads.*.b_dst"},
    FamilyRule{"convs.#.att", "gat.#.heads.*.a", kLinear},
    FamilyRule{"convs.#.bias", "gat.#.b"},
};

inline constexpr std::array kTransformerConvRules = {
    FamilyRule{"convs.#.lin_query.weight", "blocks.#.attn.heads.*.W_Q", kLinear},
    FamilyRule{"convs.#.lin_query.bias", "blocks.#.attn.heads.*.b_Q"},
    FamilyRule{"convs.#.lin_key.weight", "blocks.#.attn.heads.*.W_K", kLinear},
    FamilyRule{"convs.#.lin_key.bias", "blocks.#.attn.heads.*.b_K"},
    FamilyRule{"convs.#.lin_value.weight", "blocks.#.attn.heads.*.W_V", kLinear},
    FamilyRule{"convs.#.lin_value.bias", "blocks.#.attn.heads.*.b_V"},
    FamilyRule{"convs.#.lin_skip.weight", "blocks.#.W_skip", kLinear},
    FamilyRule{"convs.#.lin_skip.bias", "blocks.#.b_skip"},
};
/// A module without root_weight has it, too, and does not use it.
inline constexpr std::array<std::string_view, 1> kTransformerConvUnused = {"convs.#.lin_skip.*"};

}  // namespace headlight
