// The table of operations. Each comment is the contract: shapes, equation, settings that are read.
#pragma once

#include <span>

#include "core/operation.h"

namespace headlight::operations {

// ---- leaves: no inputs ----

/// X(i,f) ~ N(0, scale²), keyed by names[i] and f: the same name has the same row everywhere.
extern const Operation named_rows;
/// W(i,j) ~ U(−scale, scale), keyed by key, i, j.
extern const Operation seeded_weight;
/// P(i,2f) = sin(i / 10000^(2f/d)), P(i,2f+1) = cos(i / 10000^(2f/d))   [Vaswani 2017, §3.5]
/// Reads group_rows: i counts from the first word of the sentence.
extern const Operation sinusoidal_positions;
/// 0 everywhere.
extern const Operation zeros;
/// 1 everywhere.
extern const Operation ones;
/// The initial state of a recurrent cell: all zeros. It is not trained.
extern const Operation first_state;
/// The matrix in settings.values, with the same shape.
extern const Operation listed;
/// The matrix in settings.values, whose numbers training changes.
extern const Operation starting_values;
/// The matrix in settings.stored. `indices` maps each row i (or column j) of the result to a row
/// (or column) of it; for −1 the operation `otherwise` makes the numbers. Without indices the
/// shapes are the same.
extern const Operation stored_rows;
extern const Operation stored_columns;
/// Matrix number settings.begin of settings.source; settings.key is its symbol.
extern const Operation recorded;
extern const Operation joined_pieces;  // a recording of words, as join_pieces() makes their rows
/// Like recorded, a matrix of settings.source, but of weights; settings.stored says where they were
/// learned.
extern const Operation fetched_weight;

// ---- matrices ----

/// B = A.
extern const Operation copy;
/// C = A + B, same shapes. −∞ is legal.
extern const Operation add;
/// C(i) = A(i) + b, in every row. m×n, 1×n → m×n.
extern const Operation add_bias;
/// C = A − B, same shapes.
extern const Operation subtract;
/// C = A B, or with a slice of B's rows: C = A B[begin … begin + k). m×k, K×n → m×n. Reads begin,
/// and group_rows: rows of sentence g of A meet the k rows of B that begin at begin + g·k.
extern const Operation multiply;
/// C = A B + b, with the same slices of B. m×k, K×n, 1×n → m×n. Reads begin.
extern const Operation multiply_add;
/// S = scale · A Bᵀ. m×d, n×d → m×n. Reads scale, and group_rows: rows of sentence g of A meet the
/// n rows of B that begin at g·n.
extern const Operation multiply_transposed;
/// S = scale · A Bᵀ + b. m×d, n×d, 1×n → m×n. Reads scale.
extern const Operation multiply_transposed_add;
/// Row-wise softmax: A(i,j) = exp(S(i,j)) / Σⱼ' exp(S(i,j')).           [Vaswani 2017, eq. 1]
/// A masked cell (−∞) is exactly 0; a fully masked row is all zeros, with zero gradient. A row with
/// NaN or +∞ becomes NaN.
extern const Operation softmax_rows;
/// C = [A₀ | A₁ | …], any number of inputs with equal rows.
extern const Operation concat_columns;
/// C = scale · Σ Aₕ, any number of inputs of one shape. Reads scale.
extern const Operation scaled_sum;
/// ELU with α = 1: x where x > 0, else exp(x) − 1.                      [Clevert 2016, eq. 15]
extern const Operation elu;
/// LeakyReLU: x where x > 0, else scale · x. Reads scale.
extern const Operation leaky_relu;

// ---- edges: results have one row an edge; all read edges ----

/// s(e) = dst(i) + src(j) for the edge e = (i reads j). n×1, n×1 → E×1.   [Veličković 2018, eq. 3]
extern const Operation edge_scores;
/// α(e) = exp(s(e)) / Σ exp(s(e')) over the edges e' of the same row. E×1 → E×1.      [eq. 2]
extern const Operation edge_softmax;
/// Y(i) = Σ α(e) H(j) over the edges e = (i reads j). E×1, n×d → n×d; 0 for a row without edges.
/// [eq. 4]
extern const Operation edge_mix;

// ---- norms ----

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
/// c tanh(x / c), between −c and c, and nearly x near 0. Reads scale, c.   [Gemma Team 2024, §2]
extern const Operation soft_cap;

// ---- rows ----

/// Y(i) = X(indices[i]); a row may be taken more than once. n×d → one row an index.
extern const Operation gather_rows;
/// Y = A₀ over A₁ over …, any number of inputs with equal columns. Cached keys and values grow by
/// it.
extern const Operation append_rows;
/// Y(i,d) = X(begin + i, d), as many rows and leading columns as the result has. Reads begin.
extern const Operation row_slice;

// ---- tables that are read by numbers: embeddings, the logits of some words ----

/// Y(i) = W(t(i)), the row whose index is nearest to t(i). n×1, V×d → n×d. kNoRow gives zeros; a t
/// that is no row of W, such as NaN, gives NaN. No gradient reaches t.
extern const Operation look_up_rows;
/// Like look_up_rows, of a computed matrix: the rows of the words that are asked about.
extern const Operation pick_rows;
/// S(g,j) = L(g, t(g·n + j)): of each row some columns, by number. G×V, (G·n)×1 → G×n. kNoRow gives
/// −∞, a t that is no column of L NaN. No gradient reaches t.
extern const Operation pick_columns;

// ---- positions: turned into the queries and keys, or laid out on a grid ----

/// Rotary positions. Each pair (a, b) of columns of row i is rotated by its own angle, and scaled:
///     Y(i,a) = s (X(i,a) cos(p θ_f) − X(i,b) sin(p θ_f))
///     Y(i,b) = s (X(i,a) sin(p θ_f) + X(i,b) cos(p θ_f)),   θ_f = 10000^{−2f/d} or angles[f]
/// where p = i mod group_rows + begin is the row's position. The two columns of pair f are `step`
/// apart: step 1 gives (2f, 2f+1) [Su 2021, RoFormer, eq. 34]; step ⌊d/2⌋ gives (f, f + ⌊d/2⌋), as
/// in GPT-NeoX and Hugging Face's LLaMA. Columns after the last pair stay. So Y(i)·Y(j) depends on
/// the positions only through i − j.
/// n×d → n×d. Reads angles (one a pair; null: ⌊d/2⌋ pairs), scale (s), step, begin (the position of
/// a sentence's first row) and group_rows.
extern const Operation rotary;

/// Sinusoidal positions on a grid of `count` columns. The cell of row i is (i / count, i mod count)
/// within its image of group_rows rows; the first ⌈d/2⌉ channels hold the sinusoids of the grid's
/// row, the others those of its column, each half as sinusoidal_positions of its own width.
///     [Carion 2020, DETR, A.4, after Vaswani 2017, §3.5]
/// A leaf of n×d. Reads count and group_rows.
extern const Operation sinusoidal_2d;

// ---- images, and the convolution that attention is compared with: one row a pixel, row by row of
// the picture, one column a channel; beyond the edge the nearest pixel is repeated ----

/// The pixels of square patches side by side. Image: (rows · count)×channels → one row a patch, row
/// by row, step² · channels columns. Reads count (columns of the image), step (side of a patch) and
/// group_rows (patches of one image, where several are stacked).
/// Patches that the image does not fill repeat its edge.
extern const Operation patches;

/// Y(p,c) = (X(p,c) − mean(c)) / std(c), channel by channel. X: pixels×channels, mean and std:
/// 1×channels.
extern const Operation normalized_channels;

/// Y(p) = Σ_h X(p + Δ_h) W_h: a convolution whose kernel holds W_h at Δ_h, the offsets of a square
/// of side √(number of W), row by row.                            [Cordonnier 2020, eq. 5]
/// Inputs X: (rows · count)×channels, each W_h: channels×d. Reads count (columns of the image) and
/// group_rows (pixels of one image, where several are stacked).
extern const Operation convolution;

/// Returns the matrix that a leaf passes on unchanged; null if its numbers have to be computed.
MatrixPtr constant_value(const Operation& operation, const OperationSettings& settings, Index rows,
                         Index columns);

/// Return the families of operations, and all operations, for tests. influence and
/// gradient_attention are not among them: they read more of the trace than their inputs.
std::span<const Operation* const> leaf_operations();
std::span<const Operation* const> dense_operations();
std::span<const Operation* const> activation_operations();
std::span<const Operation* const> edge_operations();
std::span<const Operation* const> block_operations();
std::span<const Operation* const> table_operations();
std::span<const Operation* const> position_operations();
std::span<const Operation* const> image_operations();
std::span<const Operation* const> all();

}  // namespace headlight::operations
