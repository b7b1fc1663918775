// Panels: columns of a matrix, copied in the order in which a product reads them.
#pragma once

#include "core/kernels/vector.h"
#include "core/numeric/product.h"

namespace headlight {
namespace {

constexpr int kPanelVectors = HEADLIGHT_VECTOR_BYTES == 64 ? 4 : 2;
constexpr Index kPanelColumns = kPanelVectors * kLanes;
constexpr Index kPanelDepth = 768;

using Quad = Scalar __attribute__((vector_size(4 * sizeof(Scalar))));

inline Quad load_quad(const Scalar* x) {
    Quad q;
    __builtin_memcpy(&q, x, sizeof q);
    return q;
}

/// Transposes a block of 4 × 4 numbers.
inline void transpose_quads(const Scalar* from, Index from_step, Scalar* to, Index to_step) {
    const Quad a = load_quad(from), b = load_quad(from + from_step),
               c = load_quad(from + 2 * from_step), d = load_quad(from + 3 * from_step);
    const Quad ab = __builtin_shufflevector(a, b, 0, 4, 1, 5),
               cd = __builtin_shufflevector(c, d, 0, 4, 1, 5),
               ab_end = __builtin_shufflevector(a, b, 2, 6, 3, 7),
               cd_end = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    const Quad rows[] = {__builtin_shufflevector(ab, cd, 0, 1, 4, 5),
                         __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
                         __builtin_shufflevector(ab_end, cd_end, 0, 1, 4, 5),
                         __builtin_shufflevector(ab_end, cd_end, 2, 3, 6, 7)};
    for (int k = 0; k < 4; ++k) __builtin_memcpy(to + k * to_step, &rows[k], sizeof(Quad));
}

/// Copies columns of B side by side into rows of `width` numbers, padded with zeros.
inline void pack(Factor B, Index depth, Index columns, Index width, Scalar* panel) {
    const bool is_transposed = B.row_step == 1 && B.column_step != 1;
    const Index quads = is_transposed ? depth & ~Index(3) : 0;
    const Index quad_columns = is_transposed ? columns & ~Index(3) : 0;
    for (Index k = 0; k < quads; k += 4)
        for (Index j = 0; j < quad_columns; j += 4)
            transpose_quads(B.data + j * B.column_step + k, B.column_step, panel + k * width + j,
                            width);
    for (Index k = 0; k < depth; ++k) {
        Index j = k < quads ? quad_columns : 0;
        const Scalar* row = B.data + k * B.row_step;
        if (B.column_step == 1)
            for (; j + kLanes <= columns; j += kLanes) store(load(row + j), panel + k * width + j);
        for (; j < columns; ++j) panel[k * width + j] = row[j * B.column_step];
        for (; j < width; ++j) panel[k * width + j] = 0;
    }
}

}  // namespace
}  // namespace headlight
