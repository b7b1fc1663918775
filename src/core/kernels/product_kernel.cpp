// The product of two matrices: tiles of the result are held in registers, panels of B in the cache.
#include "core/kernels/kernels.h"
#include "core/kernels/panel.h"

namespace headlight {
namespace {

// As many rows as leave registers for two vectors of B and one number of A.
constexpr Index kTileRows = HEADLIGHT_VECTOR_BYTES == 64 ? 14 : 6;

// Rows of B that lie closer together are read where they are: copies would not be faster.
constexpr Index kDirectStep = 512;

struct Tile {
    const Scalar* a;  // first row, first depth
    Index a_row_step, a_depth_step, depth;
    const Scalar* b;  // first depth, first column; columns lie side by side
    Index b_depth_step;
    Scalar* c;
    Index c_row_step, columns;
    Scalar scale;
    Into into;
};

[[gnu::always_inline]] inline void store_sum(Vector sum, const Tile& tile, Index row,
                                             Index column) {
    const Index n = tile.columns - column;
    Scalar* c = tile.c + row * tile.c_row_step + column;
    if (n >= kLanes) {
        store(tile.into == Into::Add ? load(c) + sum * tile.scale : sum * tile.scale, c);
    } else if (n > 0) {
        const Vector before = tile.into == Into::Add ? load_some(c, n, 0) : broadcast(0);
        store_some(tile.into == Into::Add ? before + sum * tile.scale : sum * tile.scale, c, n);
    }
}

template <int rows, int vectors>
void multiply_tile(const Tile& tile) {
    Vector sum[rows][vectors] = {};
    const Scalar *a = tile.a, *b = tile.b;
    for (Index k = 0; k < tile.depth; ++k, a += tile.a_depth_step, b += tile.b_depth_step) {
        Vector row[vectors];
#pragma GCC unroll 2
        for (int v = 0; v < vectors; ++v) row[v] = load(b + v * kLanes);
#pragma GCC unroll 14
        for (int i = 0; i < rows; ++i) {
            const Scalar x = a[i * tile.a_row_step];
#pragma GCC unroll 2
            for (int v = 0; v < vectors; ++v) sum[i][v] += x * row[v];
        }
    }
#pragma GCC unroll 14
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 2
        for (int v = 0; v < vectors; ++v) store_sum(sum[i][v], tile, i, v * kLanes);
}

/// The tile with so many rows: a constant, so that its sums stay in registers.
template <int vectors, int rows = kTileRows>
void multiply_rows(Index n_rows, const Tile& tile) {
    if constexpr (rows > 1)
        if (n_rows < rows) return multiply_rows<vectors, rows - 1>(n_rows, tile);
    multiply_tile<rows, vectors>(tile);
}

void multiply_panel(const Product& p, Tile tile) {
    const Index n_tiles = (p.rows + kTileRows - 1) / kTileRows;
    for (Index t = 0; t < n_tiles; ++t) {
        // Tiles of nearly equal height: one of a single row would be slow.
        const Index begin = t * p.rows / n_tiles, end = (t + 1) * p.rows / n_tiles;
        Tile part = tile;
        part.a += begin * p.A.row_step;
        part.c += begin * p.C_row_step;
        if (tile.columns > kLanes)
            multiply_rows<kPanelVectors>(end - begin, part);
        else
            multiply_rows<1>(end - begin, part);
    }
}

/// One column of a result is computed as one row: full vectors instead of single numbers.
bool is_column(const Product& p) {
    return p.columns == 1 && p.C_row_step == 1;
}

Product transposed(Product p) {
    const auto exchanged = [](Factor f) { return Factor{f.data, f.column_step, f.row_step}; };
    const Factor A = p.A;
    p.A = exchanged(p.B);
    p.B = exchanged(A);
    p.columns = p.rows;
    p.rows = 1;
    return p;
}

}  // namespace

namespace HEADLIGHT_LEVEL {

void multiply(const Product& product) {
    const Product p = is_column(product) ? transposed(product) : product;
    alignas(64) Scalar panel[kPanelDepth * kPanelColumns];
    const bool is_direct = p.B.column_step == 1 && p.B.row_step <= kDirectStep;
    Index first = 0;
    do {  // once even without depth: then the product is 0
        const Index depth = p.depth - first < kPanelDepth ? p.depth - first : kPanelDepth;
        for (Index j = 0; j < p.columns; j += kPanelColumns) {
            const Index columns = p.columns - j < kPanelColumns ? p.columns - j : kPanelColumns;
            const Scalar* b = p.B.data + first * p.B.row_step + j * p.B.column_step;
            Tile tile{.a = p.A.data + first * p.A.column_step,
                      .a_row_step = p.A.row_step,
                      .a_depth_step = p.A.column_step,
                      .depth = depth,
                      .b = b,
                      .b_depth_step = p.B.row_step,
                      .c = p.C + j,
                      .c_row_step = p.C_row_step,
                      .columns = columns,
                      .scale = p.scale,
                      .into = first > 0 ? Into::Add : p.into};
            if (!is_direct || columns % kLanes != 0) {
                tile.b = panel;
                tile.b_depth_step = columns > kLanes ? kPanelColumns : kLanes;
                pack({b, p.B.row_step, p.B.column_step}, depth, columns, tile.b_depth_step, panel);
            }
            multiply_panel(p, tile);
        }
        first += depth;
    } while (first < p.depth);
}

}  // namespace HEADLIGHT_LEVEL
}  // namespace headlight
