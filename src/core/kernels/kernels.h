// Kernels: the inner loops of the program, compiled once for every level of vector instructions.
//
// Goals: one program that runs on every processor, with the widest vectors that it has.
// Not goals: shapes, errors, meaning. A source that is compiled for several levels includes no
// library: the linker could take a library's inline function from a level that the processor lacks.
#pragma once

#include "core/numeric/product.h"
#include "core/numeric/row_functions.h"

namespace headlight {

using RowFunction = void(const Scalar* x, Scalar* y, Index n);

struct Kernels {
    void (*product)(const Product&);
    void (*products)(const Product* sharing, Index n);
    void (*pack)(const Factor& B, Index depth, Index columns, Scalar* panels);
    Index (*packed_size)(const Factor& B, Index depth, Index columns);
    void (*copy_past_caches)(const Scalar* from, Scalar* to, Index n);
    void (*sparse_products)(const SparseProduct* sharing, Index n);
    void (*additive_scores)(const AdditiveScores&, Scalar* S);
    void (*copy_rows)(const RowCopy& copy, Index rows, Index n);
    void (*pull_relu)(const Scalar* x, const Scalar* dy, Scalar* dx, Index n);
    void (*leaky_relu)(const Scalar* x, Scalar* y, Index n, Scalar slope);
    void (*pull_leaky_relu)(const Scalar* x, const Scalar* dy, Scalar* dx, Index n, Scalar slope);
    void (*softmax_rows)(const Scalar* s, Scalar* a, Index n_rows, Index n);
    void (*softmax_lists)(const Index* offsets, Index n_lists, const ListScores* heads,
                          Index n_heads);
    RowFunction *exp, *tanh, *sigmoid, *gelu, *gelu_tanh, *gelu_slope, *gelu_tanh_slope, *silu,
        *silu_slope, *relu;
};

}  // namespace headlight
