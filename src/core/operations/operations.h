// The table of operations. Each comment is the contract: shapes, equation, settings that are read.
#pragma once

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

/// Returns the matrix that a leaf passes on unchanged; null if its numbers have to be computed.
MatrixPtr handed_through(const Operation& operation, const OperationSettings& settings, Index rows,
                         Index columns);

/// Return the families of operations, and all operations, for tests. influence and
/// gradient_attention are not among them: they read more of the trace than their inputs.
std::span<const Operation* const> leaf_operations();
std::span<const Operation* const> dense_operations();
std::span<const Operation* const> activation_operations();
std::span<const Operation* const> edge_operations();
std::span<const Operation* const> all();

}  // namespace headlight::operations
