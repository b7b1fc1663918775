// One Transformer block: attention, perhaps attention to a source, an MLP, and their connections.
#pragma once

#include <optional>

#include "core/mechanisms/add_tensor.h"
#include "core/mechanisms/attention.h"

namespace headlight {

/// The place of a block, its input, and the sequences that it may attend to.
struct BlockPlace {
    Location here = {};                   // "blocks.0", of whichever component
    Location weights = {};                // the owner of its weights: itself, or another
    TensorId x = 0;                       // resid_pre: n × d_model
    TensorId mask = 0;                    // n × n
    Switch causal = Switch::Off;          // of that mask
    Index grid_columns = 0;               // see AttentionPlace
    std::optional<TensorId> values = {};  // see AttentionPlace; of attn
    KeyCache cache = {};                  // of attn
    std::optional<TensorId> source = {};  // n_source × d_model: the block attends to it, too
    TensorId cross_mask = 0;              // n × n_source
    std::optional<int> cross_list = {};   // names the queries of cross; none: their own words
    Switch self = Switch::On;             // off: to the source only

    /// Returns the first component of the block.
    ComponentKind first() const {
        return self == Switch::On ? ComponentKind::Attention : ComponentKind::CrossAttention;
    }
};

/// Names the tensors of one block; returns its output, n × d_model.        [Vaswani 2017, §3.1]
/// Each part f of the block, attn, cross, mlp, stands with a residual and a norm LN:
///     Norm::None  x + f(x)               Norm::Pre   x + f(LN(x))  [Xiong 2020]
///     Norm::Post  LN(x + f(x))           Norm::Both  x + LN'(f(LN(x)))  [Gemma 2]
/// where x + is left out if there is no residual. Parallel parts all read the block's input; their
/// sum is resid_post:   x + attn(LN(x)) + mlp(LN(x))                          [Wang 2021, GPT-J]
/// LN of attn is ln1, of cross ln_cross, of mlp ln2:
///     ln1. w b (1 × d_model; an RMS norm has no b), out (Pre) or in (Post); LN' is ln1_post, …
///     mlp. W_in (d_model × d_ff), b_in, pre, post, W_out, b_out, out
///     with a gate mlp. W_gate (d_model × d_ff), b_gate, gate_pre, gate; post = gate ⊙ pre
///     [Shazeer 2020, GLU variants]
///     resid_attn (before cross), resid_mid (before mlp), resid_post
/// Throws Error if parallel parts have norms after their sums.
TensorId add_block(Plan& plan, const StackSettings& settings, const BlockPlace& place,
                   std::uint64_t seed);

/// The place of a norm's gain and bias: "blocks.0.ln1", beside its component.
struct NormWeights {
    Location place;
    std::string_view name;
};

/// Adds the norm of x with its gain, ln1.w, and the bias of a layer norm, ln1.b, by norm_type and
/// norm_epsilon; `name` is that of the result, and `norm_formula` is its symbol.
TensorId add_norm(Plan& plan, const StackSettings& settings, const NormWeights& weights,
                  TensorName name, TensorId x);
/// Returns "LN_{final}".
const char* final_norm_symbol(NormType type);
/// Returns "LN(X)".
std::string norm_formula(NormType type, const std::string& symbol);

/// The operation of an activation, and its symbol in formulas. Throws Error for Mlp::None.
struct Activated {
    const Operation& operation;
    const char* symbol;  // "GELU"
};
Activated activation(Mlp mlp);

}  // namespace headlight
