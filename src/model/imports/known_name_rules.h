// The table of names that are known of other libraries, and what each becomes in a study.
#pragma once

#include <array>
#include <string_view>

#include "core/settings.h"
#include "model/imports/tensor_mapping.h"

namespace headlight {

enum class Cut { Whole, Rows, Columns };  // into heads

/// An array whose name ends like this becomes these tensors.
struct Rule {
    std::string_view ending;
    std::string_view target;  // below an attention; * is a head; "../" below its block;
                              // "/" below the whole stack
    Cut cut = Cut::Whole;
    Turn turn = Turn::Kept;
    int share = 0, shares = 1;  // which one of `shares` equal parts
    /// The target in a block that also attends to a source, where it differs.
    std::string_view in_decoder = {};
    NormType norm = NormType::Layer;  // Rms: the gain of an RMS norm, which is none of a layer norm
};

inline constexpr Turn kT = Turn::Transposed;
inline constexpr std::string_view kLayerBias = "bias";

/// Names of the module that holds all layers. A norm directly in it comes after the last layer.
/// "model", as in LLaMA, is not among them: its norm is an RMS norm with a rule of its own.
inline constexpr std::array<std::string_view, 3> kWholeModels = {"encoder", "decoder",
                                                                 "transformer"};

/// The first rules whose ending fits count.
inline constexpr std::array kRules = {
    // PyTorch: nn.MultiheadAttention, y = x Wᵀ + b
    Rule{"in_proj_weight", "heads.*.W_Q", Cut::Rows, kT, 0, 3},
    Rule{"in_proj_weight", "heads.*.W_K", Cut::Rows, kT, 1, 3},
    Rule{"in_proj_weight", "heads.*.W_V", Cut::Rows, kT, 2, 3},
    Rule{"in_proj_bias", "heads.*.b_Q", Cut::Rows, kT, 0, 3},
    Rule{"in_proj_bias", "heads.*.b_K", Cut::Rows, kT, 1, 3},
    Rule{"in_proj_bias", "heads.*.b_V", Cut::Rows, kT, 2, 3},
    Rule{"q_proj_weight", "heads.*.W_Q", Cut::Rows, kT},
    Rule{"k_proj_weight", "heads.*.W_K", Cut::Rows, kT},
    Rule{"v_proj_weight", "heads.*.W_V", Cut::Rows, kT},
    Rule{"out_proj.weight", "W_O", Cut::Whole, kT},
    Rule{"out_proj.bias", "b_O", Cut::Whole, kT},
    // PyTorch: nn.TransformerEncoderLayer
    Rule{"linear1.weight", "../mlp.W_in", Cut::Whole, kT},
    Rule{"linear1.bias", "../mlp.b_in", Cut::Whole, kT},
    Rule{"linear2.weight", "../mlp.W_out", Cut::Whole, kT},
    Rule{"linear2.bias", "../mlp.b_out", Cut::Whole, kT},
    Rule{"norm1.weight", "../ln1.w", Cut::Whole, kT},
    Rule{"norm1.bias", "../ln1.b", Cut::Whole, kT},
    Rule{"norm2.weight", "../ln2.w", Cut::Whole, kT, 0, 1, "../ln_cross.w"},
    Rule{"norm2.bias", "../ln2.b", Cut::Whole, kT, 0, 1, "../ln_cross.b"},
    Rule{"norm3.weight", "../ln2.w", Cut::Whole, kT},
    Rule{"norm3.bias", "../ln2.b", Cut::Whole, kT},
    // Behind the last layer: PyTorch's nn.TransformerEncoder and many others; GPT-2
    Rule{"norm.weight", "/ln_final.w", Cut::Whole, kT},
    Rule{"norm.bias", "/ln_final.b", Cut::Whole, kT},
    Rule{"ln_f.weight", "/ln_final.w", Cut::Whole, kT},
    Rule{"ln_f.bias", "/ln_final.b", Cut::Whole, kT},
    // Hugging Face: LLaMA and many others
    Rule{"q_proj.weight", "heads.*.W_Q", Cut::Rows, kT},
    Rule{"k_proj.weight", "heads.*.W_K", Cut::Rows, kT},
    Rule{"v_proj.weight", "heads.*.W_V", Cut::Rows, kT},
    Rule{"q_proj.bias", "heads.*.b_Q", Cut::Rows, kT},
    Rule{"k_proj.bias", "heads.*.b_K", Cut::Rows, kT},
    Rule{"v_proj.bias", "heads.*.b_V", Cut::Rows, kT},
    Rule{"o_proj.weight", "W_O", Cut::Whole, kT},
    Rule{"input_layernorm.weight", "../ln1.w", Cut::Whole, kT, 0, 1, {}, NormType::Rms},
    Rule{"post_attention_layernorm.weight", "../ln2.w", Cut::Whole, kT, 0, 1, {}, NormType::Rms},
    Rule{"model.norm.weight", "/ln_final.w", Cut::Whole, kT, 0, 1, {}, NormType::Rms},
    // Meta's LLaMA
    Rule{"attention_norm.weight", "../ln1.w", Cut::Whole, kT, 0, 1, {}, NormType::Rms},
    Rule{"ffn_norm.weight", "../ln2.w", Cut::Whole, kT, 0, 1, {}, NormType::Rms},
    Rule{"attention.wq.weight", "heads.*.W_Q", Cut::Rows, kT},
    Rule{"attention.wk.weight", "heads.*.W_K", Cut::Rows, kT},
    Rule{"attention.wv.weight", "heads.*.W_V", Cut::Rows, kT},
    Rule{"attention.wo.weight", "W_O", Cut::Whole, kT},
    // Hugging Face: BERT, GPT-2 (whose weights are not transposed)
    Rule{"query.weight", "heads.*.W_Q", Cut::Rows, kT},
    Rule{"key.weight", "heads.*.W_K", Cut::Rows, kT},
    Rule{"value.weight", "heads.*.W_V", Cut::Rows, kT},
    Rule{"query.bias", "heads.*.b_Q", Cut::Rows, kT},
    Rule{"key.bias", "heads.*.b_K", Cut::Rows, kT},
    Rule{"value.bias", "heads.*.b_V", Cut::Rows, kT},
    Rule{"attention.output.dense.weight", "W_O", Cut::Whole, kT},
    Rule{"attention.output.dense.bias", "b_O", Cut::Whole, kT},
    Rule{"attn.c_attn.weight", "heads.*.W_Q", Cut::Columns, Turn::Kept, 0, 3},
    Rule{"attn.c_attn.weight", "heads.*.W_K", Cut::Columns, Turn::Kept, 1, 3},
    Rule{"attn.c_attn.weight", "heads.*.W_V", Cut::Columns, Turn::Kept, 2, 3},
    Rule{"attn.c_attn.bias", "heads.*.b_Q", Cut::Rows, kT, 0, 3},
    Rule{"attn.c_attn.bias", "heads.*.b_K", Cut::Rows, kT, 1, 3},
    Rule{"attn.c_attn.bias", "heads.*.b_V", Cut::Rows, kT, 2, 3},
    Rule{"attn.c_proj.weight", "W_O"},
    Rule{"attn.c_proj.bias", "b_O", Cut::Whole, kT},
    // TransformerLens: [heads, d_model, d_head] and [heads, d_head, d_model], y = x W + b
    Rule{"W_Q", "heads.*.W_Q", Cut::Rows},
    Rule{"W_K", "heads.*.W_K", Cut::Rows},
    Rule{"W_V", "heads.*.W_V", Cut::Rows},
    Rule{"W_O", "W_O"},
    Rule{"b_Q", "heads.*.b_Q", Cut::Rows},
    Rule{"b_K", "heads.*.b_K", Cut::Rows},
    Rule{"b_V", "heads.*.b_V", Cut::Rows},
    Rule{"b_O", "b_O", Cut::Whole, kT},
    Rule{"mlp.W_in", "../mlp.W_in"},
    Rule{"mlp.b_in", "../mlp.b_in", Cut::Whole, kT},
    Rule{"mlp.W_out", "../mlp.W_out"},
    Rule{"mlp.b_out", "../mlp.b_out", Cut::Whole, kT},
    // The same where heads share keys and values: [groups, d_model, d_head]
    Rule{"_W_K", "heads.*.W_K", Cut::Rows},
    Rule{"_W_V", "heads.*.W_V", Cut::Rows},
    Rule{"_b_K", "heads.*.b_K", Cut::Rows},
    Rule{"_b_V", "heads.*.b_V", Cut::Rows},
    // PyTorch Geometric: GATConv and GATv2Conv. l is the node that is read, r the one that reads.
    Rule{"lin.weight", "heads.*.W", Cut::Rows, kT},
    Rule{"lin_src.weight", "heads.*.W", Cut::Rows, kT},
    Rule{"att_src", "heads.*.a_src", Cut::Rows, kT},
    Rule{"att_dst", "heads.*.a_dst", Cut::Rows, kT},
    Rule{"lin_edge.weight", "heads.*.W_edge", Cut::Rows, kT},
    Rule{"att_edge", "heads.*.a_edge", Cut::Rows, kT},
    Rule{"lin_l.weight", "heads.*.W_src", Cut::Rows, kT},
    Rule{"lin_r.weight", "heads.*.W_dst", Cut::Rows, kT},
    Rule{"att", "heads.*.a", Cut::Rows, kT},
    // Tensors that a layer of GATConv has and a layer here has not.
    Rule{kLayerBias, ""},
};

}  // namespace headlight
