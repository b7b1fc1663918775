// Products of matrices, in the vector instructions of the machine that runs.
//
// A number of the result is summed in one order, whatever else is computed with it: rows computed
// apart have the same bits as rows computed together.
#pragma once

#include "core/scalar.h"

namespace headlight {

/// A matrix that somebody else owns; with the steps exchanged, its transpose.
struct Factor {
    const Scalar* data;
    Index row_step, column_step;
};

enum class Into { Set, Add };

/// C = scale · A B, or C += scale · A B. C has contiguous rows and shares no memory with A or B.
struct Product {
    Factor A, B;
    Scalar* C;
    Index C_row_step;
    Index rows, depth, columns;  // A is rows × depth, B is depth × columns
    Scalar scale = 1;
    Into into = Into::Set;
    const Scalar* panels = nullptr;  // B as pack_factor copied it; B itself is not read then
};
void compute_product(const Product& product);

/// Products that share their A, and all but the numbers of B and C: to the bit what they are one by
/// one, and faster where the results are narrow.
void compute_products(const Product* sharing, Index n);

/// Copies B, depth × columns, as products read it fastest: for products that share their B.
void pack_factor(const Factor& B, Index depth, Index columns, Scalar* panels);
/// In numbers; 0 where B is read as fast from where it is.
Index packed_size(const Factor& B, Index depth, Index columns);

/// For matrices, maps and blocks of Eigen, and for what is transposed of them.
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

/// C = scale · A B; `panels` is null, or holds B as pack_factor copied it.
template <typename A, typename B, typename C>
void set_product(C&& c, const A& a, const B& b, Scalar scale = 1, const Scalar* panels = nullptr) {
    Product p = product(a, b, c, scale, Into::Set);
    p.panels = panels;
    compute_product(p);
}

/// A matrix of one row with what pack_factor makes of B; an empty one where it would be in vain.
template <typename Matrix, typename B>
Matrix packed(const B& b) {
    const Factor factor{b.data(), b.rowStride(), b.colStride()};
    const Index size = packed_size(factor, b.rows(), b.cols());
    if (size == 0) return {};
    Matrix panels(1, size);
    pack_factor(factor, b.rows(), b.cols(), panels.data());
    return panels;
}

/// C += scale · A B
template <typename A, typename B, typename C>
void add_product(C&& c, const A& a, const B& b, Scalar scale = 1) {
    compute_product(product(a, b, c, scale, Into::Add));
}

/// C(i) = Σ_e weights(e) B(neighbour(e)) over the edges e of row i: offsets(i) … offsets(i + 1)
/// − 1.
struct SparseProduct {
    const Index *offsets, *neighbour;
    const Scalar *weights, *B;
    Scalar* C;
    Index rows, columns;
};
void compute_product(const SparseProduct& product);

}  // namespace headlight
