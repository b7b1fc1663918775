// Composition scores of heads.
#pragma once

#include "core/operation.h"

namespace headlight::operations {

/// C(i,j) = ‖W_OV(e) W(l)‖ / (‖W_OV(e)‖ ‖W(l)‖), Frobenius norms, of the later head l = i + count
/// and the earlier one e = j; 0 where e is of no earlier layer. W_OV = W_V W_O, and W(l) is, by
/// begin,
///     0: W_Q W_Kᵀ    1: W_K W_Qᵀ    2: W_V W_O
/// Weights that read the residual stream have the norm before them folded in: W ← (I − scale/d ·
/// 11ᵀ) diag(γ) W. Inputs for every head W_Q, W_K, W_V, W_O and, if there are norms, γ. Reads
/// begin, count (heads a layer), scale (0 or 1) and indices (the row of W_O with which each head
/// begins). An analysis. [Elhage 2021, "Composition"]
extern const Operation composition;

}  // namespace headlight::operations
