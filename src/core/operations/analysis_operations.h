// Analyses of patterns: metrics of a head, and attention across layers.
//
// i and j count within a sentence; where sentences are stacked, all read group_rows. Where indices
// are read they hold the number of each row's word, −1 for padding: its rows count as empty.
#pragma once

#include "core/operation.h"

namespace headlight::operations {

/// The metrics of one head, in the order of head_metric_names(): row 0 of all tokens, row 1 without
/// the first one, as query and as key, the other keys' weights scaled to sum to 1.
/// Inputs: pattern, norm_weighted, the pattern on the probe (head_metrics.h). Without a probe
/// induction is that of the pattern, where words come again, else NaN; of a recorded pattern, the
/// first input only, the norm is NaN. 2 × metrics. Reads indices. An analysis.
extern const Operation head_metrics;
/// O(i,j): the largest of the input's cells that fall on the cell, where the input's rows and
/// columns are divided evenly among those of the smaller result. An analysis.
extern const Operation overview;
/// C(i,j) = Aₖ(0, begin), k = i · columns + j: one metric of every head. Reads begin. An analysis.
extern const Operation collect_metric;

/// Â(i,j) = (A(i,j) + [i = j]) / Σ_j' (A(i,j') + [i = j']): attention beside the residual stream.
/// [Abnar & Zuidema 2020, §3]
extern const Operation with_residual;
/// F(i,j): the greatest flow from the word i after the last layer to the word j before the first,
/// through edges as wide as the attention, each row scaled to sum to 1. Inputs Â₀ … Â_L−1. An
/// analysis.                                                     [Abnar & Zuidema 2020, §3]
extern const Operation attention_flow;
/// G = mean_h max(0, A_h ⊙ ∂t/∂A_h), t = Σ_i max_c Y(i,c). Inputs Y, A₀ …; both of one trace. Reads
/// indices. An analysis.                                         [Chefer 2021, eq. 5]
extern const Operation gradient_attention;

std::span<const Operation* const> analysis_operations();

}  // namespace headlight::operations
