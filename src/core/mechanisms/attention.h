// One multi-head attention: queries from one sequence read another one, or the same.
//
// Every choice of AttentionSettings is a few lines here; the computation is in the operations. Not
// goals: the block around it (block.h), graphs (graph_attention.h).
#pragma once

#include <optional>

#include "core/plan.h"
#include "core/settings.h"

namespace headlight {

/// The keys and values made by an earlier attention, for decoding a sentence word by word. Tensors
/// made only from keys (k, v, rot_k, key_hidden) then get one new row, k_new …, below the cached
/// rows.
struct KeyCache {
    int step = -1;   // the step that made them
    Index rows = 0;  // their number; the first query stands after them. 0: none
};

/// The inputs of an attention, and the place of its tensors.
struct AttentionPlace {
    Location here = {};     // "blocks.0.attn"
    Location weights = {};  // the place of the weights it uses: its own or another attention's
    TensorId queries = 0;   // n_query × d_model: they look
    TensorId keys = 0;      // n_key × d_model: they are looked at
    std::optional<TensorId> values = {};  // the input of values, if not `keys`
    TensorId mask = 0;                    // n_query × n_key
    Switch causal = Switch::Off;          // relative buckets are one-sided
    Index grid_columns = 0;               // the items are an image this wide; 0: a sequence
    double norm_epsilon = 1e-5;           // of the norms of queries and keys
    KeyCache cache = {};                  // cached rows, placed before those of `keys`
    std::optional<int> query_list = {};   // the list that names the queries, if not their own

    bool has_own_weights() const { return weights == here; }
};

/// Names the tensors of one attention; returns its output, n_query × d_model. With head h:
///     heads.h. W_Q W_K (d_model × d_k), W_V (d_model × d_v), q k v, scores, masked_scores,
///                   pattern (n_query × n_key), z (n_query × d_v), result (n_query × d_model);
///                   on demand QK, OV (d_model × d_model), norm_weighted (n_query × n_key)
///     concat (n_query × Σ d_v), W_O (Σ d_v × d_model), out
/// and, by the settings, W_S, biases, kv.g. for shared keys and values [Shazeer 2019; Ainslie
/// 2023], norm_q norm_k, rot_q rot_k [Su 2021], content_scores + position_scores, W_a q_W_a [Luong
/// 2015], W_query W_key v_score query_hidden key_hidden hidden [Bahdanau 2015]. [Vaswani 2017,
/// §3.2] Throws Error if settings contradict each other.
TensorId add_attention(Plan& plan, const AttentionSettings& settings, const AttentionPlace& place,
                       std::uint64_t seed);

/// The widths d_k and d_v of one head, which identity and shared projections may dictate, and the
/// model's width where they are not set.
struct HeadWidths {
    int d_k = 1, d_v = 1;
};
HeadWidths head_widths(const AttentionSettings& settings, int head, int d_model);

/// Returns the group of keys and values that a head reads; the head itself where each has its own.
int kv_group(const AttentionSettings& settings, int head);

}  // namespace headlight
