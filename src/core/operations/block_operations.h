// Operations around the attention in a Transformer block, and rows taken, joined and repeated.
#pragma once

#include <span>

#include "core/operation.h"

namespace headlight::operations {

/// Y(i,d) = (X(i,d) − μᵢ) / σᵢ · w(d) + b(d), μᵢ and σᵢ² = mean (X(i,·) − μᵢ)² + ε of the row.
/// n×d, 1×d, 1×d → n×d. Reads epsilon.                                   [Ba 2016, eq. 4]
extern const Operation layer_norm;

/// Y(i,d) = X(i,d) / √(mean X(i,·)² + ε) · w(d). n×d, 1×d → n×d. Reads epsilon.
/// [Zhang & Sennrich 2019, eq. 4]
extern const Operation rms_norm;

// ---- activations, cell by cell ----

/// max(0, x)
extern const Operation relu;
/// x Φ(x) = x/2 (1 + erf(x/√2))                                 [Hendrycks & Gimpel 2016, §2]
extern const Operation gelu;
/// x/2 (1 + tanh(√(2/π) (x + 0.044715 x³)))                     [Hendrycks & Gimpel 2016, §2]
extern const Operation gelu_tanh;
/// x / (1 + exp(−x))                                            [Hendrycks & Gimpel 2016, §3]
extern const Operation silu;
/// 1 / (1 + exp(−x))
extern const Operation sigmoid;
extern const Operation tanh;

// ---- rows ----

/// Y(i) = X(indices[i]); a row may be taken more than once. n×d → one row an index.
extern const Operation gather_rows;
/// Y = A₀ over A₁ over …, any number of inputs with equal columns. Cached keys and values grow by
/// it.
extern const Operation append_rows;
/// Y(i,d) = X(begin + i, d), as many rows and leading columns as the result has. Reads begin.
extern const Operation row_slice;

std::span<const Operation* const> block_operations();

}  // namespace headlight::operations
