// Products of matrices, with the widest vector instructions of the processor.
//
// Each number of the result is summed in a fixed order: rows computed separately have the same bits
// as rows computed together.
#pragma once

#include "core/scalar.h"

namespace headlight {

/// A view of a matrix. With the steps exchanged it is the transpose.
struct Factor {
    const Scalar* data;
    Index row_step, column_step;
};

enum class Into { Set, Add };

/// C = scale · A B, or C += scale · A B; with a bias, b is added to every row. C has contiguous
/// rows and shares no memory with A or B.
struct Product {
    Factor A, B;
    Scalar* C;
    Index C_row_step;
    Index rows, depth, columns;  // A is rows × depth, B is depth × columns
    Scalar scale = 1;
    Into into = Into::Set;
    const Scalar* panels = nullptr;  // if not null: B as packed by pack_factor, read in its place
    const Scalar* bias = nullptr;    // b, as many numbers as C has columns; null: none
};
void compute_product(const Product& product);

/// Computes n products that have the same A and the same shapes and steps. The bits are those of
/// computing them one by one; narrow results are computed faster.
void compute_products(const Product* sharing, Index n);

/// Packs B (depth × columns) in the order in which products read it, for several products with it.
void pack_factor(const Factor& B, Index depth, Index columns, Scalar* panels);
/// Returns the number of Scalars that pack_factor writes; 0 if packing this B would not help.
Index packed_size(const Factor& B, Index depth, Index columns);

/// Returns the product of Eigen's matrices, maps and blocks, and of their transposes.
template <typename A, typename B, typename C>
Product product(const A& a, const B& b, C&& c, Scalar scale = 1, Into into = Into::Set) {
    return {.A = {a.data(), a.rowStride(), a.colStride()},
            .B = {b.data(), b.rowStride(), b.colStride()},
            .C = c.data(),
            .C_row_step = c.rowStride(),
            .rows = a.rows(),
            .depth = a.cols(),
            .columns = b.cols(),
            .scale = scale,
            .into = into};
}

/// Sets C = scale · A B.
template <typename A, typename B, typename C>
void set_product(C&& c, const A& a, const B& b, Scalar scale = 1) {
    compute_product(product(a, b, c, scale));
}

/// Returns B as packed by pack_factor, in a matrix of one row; empty if packing would not help.
template <typename Matrix, typename B>
Matrix packed(const B& b) {
    const Factor factor{b.data(), b.rowStride(), b.colStride()};
    const Index size = packed_size(factor, b.rows(), b.cols());
    if (size == 0) return {};
    Matrix panels(1, size);
    pack_factor(factor, b.rows(), b.cols(), panels.data());
    return panels;
}

/// C(i) = Σ_e weights(e) B(neighbour(e)) over the edges of row i: offsets(i) ≤ e < offsets(i + 1)
struct SparseProduct {
    const Index *offsets, *neighbour;
    const Scalar *weights, *B;
    Scalar* C;
    Index rows, columns;
};
/// Computes several products with the same shape, offsets and neighbours. The bits of one do not
/// depend on the others.
void compute_products(const SparseProduct* sharing, Index n);

}  // namespace headlight
