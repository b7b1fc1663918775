// The operations that RNN, GRU and LSTM cells and their decoder are made of.
//
// A state h is one row, 1×d. X W + b of all steps may be one matrix x, n×d. Each step takes its own
// row of it: those operations read begin, the row's index. Gates have PyTorch's names.
// With several sequences a state has one row each, and x their rows one after another: row g of a
// step takes the row begin + g · group_rows.
#pragma once

#include <span>

#include "core/operation.h"

namespace headlight::operations {

// ---- cells ----

/// y = σ(x(begin) + h W + b). Inputs x: n×d, h: 1×d, W: d×d, b: 1×d → 1×d.   [Cho 2014, eq. 5, 6]
extern const Operation sigmoid_gate;
/// y = tanh(x(begin) + h W + b). It has the same inputs: all of a plain RNN.  [Elman 1990]
extern const Operation tanh_gate;
/// n = tanh(x(begin) + r ⊙ (h W + b)). Inputs x: n×d, r: 1×d, h: 1×d, W: d×d, b: 1×d → 1×d.
extern const Operation gru_candidate;
/// h' = (1 − z) ⊙ n + z ⊙ h. Inputs z, n, h.                                 [Cho 2014, eq. 7]
extern const Operation gru_mix;
/// c' = f ⊙ c + i ⊙ g. Inputs f, c, i, g.              [Hochreiter & Schmidhuber 1997; Gers 2000]
extern const Operation lstm_memory;
/// h = o ⊙ tanh(c). Inputs o, c.
extern const Operation lstm_state;

// ---- steps ----

/// Y = the rows A₀, A₁ … under each other. Any number of inputs 1×d → n×d. Of several sequences:
/// G×d → (G·n)×d, Y(g·n + i) = Aᵢ(g).
extern const Operation stack_rows;
/// Y(g) = B(g) where t(begin + g · group_rows) is kNoRow, padding; else A(g). Inputs A, B: G×d, t.
/// No gradient reaches t.
extern const Operation hold_rows;
/// C = A + B(begin). 1×n, m×n → 1×n. −∞ is legal.
extern const Operation add_row;
/// C = A₀ B₀ + A₁ B₁ + …. Inputs A₀, B₀, A₁, B₁ …: m×k, k×n → m×n.
extern const Operation sum_of_products;
/// Y(i,j) = max(X(i,2j), X(i,2j+1)). m×2n → m×n. The gradient goes to the larger, of equals to the
/// first.                                                                   [Goodfellow 2013]
extern const Operation maxout_pairs;
/// Y = E(begin + k), where k is the column of the largest logit, the first one of equals. Inputs
/// logits: 1×v, E: rows×d → 1×d. No gradient passes to the logits.
extern const Operation argmax_row;

/// Returns all of them, for tests.
std::span<const Operation* const> recurrent_operations();

}  // namespace headlight::operations
