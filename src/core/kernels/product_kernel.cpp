// The product of two matrices: tiles of the result are held in registers, panels of B in the cache.
#include "core/kernels/kernels.h"
#include "core/kernels/panel.h"

namespace headlight {
namespace {

// A tile of so many vectors has as many rows as leave registers for a row of B and a number of A;
// more than 14 rows would need more addresses than there are.
constexpr int kRegisters = HEADLIGHT_VECTOR_BYTES == 64 ? 32 : 16;
constexpr int tile_rows(int vectors) {
    const int rows = (kRegisters - 1 - vectors) / vectors;
    return rows < 14 ? rows : 14;
}

// Rows of B that lie closer together are read where they are: copies would not be faster.
constexpr Index kDirectStep = 512;

// So many rows of B before they are needed, they are fetched.
constexpr Index kAhead = 6;

bool is_direct(const Factor& B) {
    return B.column_step == 1 && B.row_step <= kDirectStep;
}

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

/// x y + z, rounded once wherever the processor can: by itself the compiler would round twice in
/// one tile and once in another, and the bits of a row would depend on the rows beside it.
#if defined(__AVX512F__)
inline __m512 multiply_add(__m512 x, __m512 y, __m512 z) {
    return _mm512_fmadd_ps(x, y, z);
}
inline __m512d multiply_add(__m512d x, __m512d y, __m512d z) {
    return _mm512_fmadd_pd(x, y, z);
}
#elif defined(__AVX__) && defined(__FMA__)
inline __m256 multiply_add(__m256 x, __m256 y, __m256 z) {
    return _mm256_fmadd_ps(x, y, z);
}
inline __m256d multiply_add(__m256d x, __m256d y, __m256d z) {
    return _mm256_fmadd_pd(x, y, z);
}
#else
inline Vector multiply_add(Vector x, Vector y, Vector z) {
    return x * y + z;
}
#endif

[[gnu::always_inline]] inline void store_sum(Vector sum, const Tile& tile, Index row,
                                             Index column) {
    const Index n = tile.columns - column;
    Scalar* c = tile.c + row * tile.c_row_step + column;
    const Vector scale = broadcast(tile.scale);
    if (n >= kLanes) {
        store(tile.into == Into::Add ? multiply_add(sum, scale, load(c)) : sum * scale, c);
    } else if (n > 0) {
        const Vector before = tile.into == Into::Add ? load_some(c, n, 0) : broadcast(0);
        store_some(tile.into == Into::Add ? multiply_add(sum, scale, before) : sum * scale, c, n);
    }
}

template <int rows, int vectors>
void multiply_tile(const Tile& tile) {
    Vector sum[rows][vectors] = {};
    // Of the addresses of the rows every third: there are not registers for all.
    constexpr int kThirds = (rows + 2) / 3;
    const Index step = tile.a_row_step, twice = 2 * step;
    const Scalar *a[kThirds], *b = tile.b;
    for (int t = 0; t < kThirds; ++t) a[t] = tile.a + 3 * t * step;
    for (Index k = 0; k < tile.depth; ++k, b += tile.b_depth_step) {
        Vector row[vectors];
        // The first tile of a panel finds it further away than the others do.
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v)
            __builtin_prefetch(b + kAhead * tile.b_depth_step + v * kLanes);
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) row[v] = load(b + v * kLanes);
#pragma GCC unroll 14
        for (int i = 0; i < rows; ++i) {
            const Vector x = broadcast(a[i / 3][i % 3 == 0 ? 0 : i % 3 == 1 ? step : twice]);
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v) sum[i][v] = multiply_add(x, row[v], sum[i][v]);
        }
#pragma GCC unroll 5
        for (int t = 0; t < kThirds; ++t) a[t] += tile.a_depth_step;
    }
#pragma GCC unroll 14
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) store_sum(sum[i][v], tile, i, v * kLanes);
}

/// The tile with so many rows: a constant, so that its sums stay in registers.
template <int vectors, int rows = tile_rows(vectors)>
void multiply_rows(Index n_rows, const Tile& tile) {
    if constexpr (rows > 1)
        if (n_rows < rows) return multiply_rows<vectors, rows - 1>(n_rows, tile);
    multiply_tile<rows, vectors>(tile);
}

/// The panel that is so many vectors wide.
template <int vectors = kPanelVectors>
void multiply_panel(const Product& p, const Tile& tile) {
    if constexpr (vectors > 1)
        if (tile.columns <= (vectors - 1) * kLanes) return multiply_panel<vectors - 1>(p, tile);
    const Index n_tiles = (p.rows + tile_rows(vectors) - 1) / tile_rows(vectors);
    for (Index t = 0; t < n_tiles; ++t) {
        // Tiles of nearly equal height: one of a single row would be slow.
        const Index begin = t * p.rows / n_tiles, end = (t + 1) * p.rows / n_tiles;
        Tile part = tile;
        part.a += begin * p.A.row_step;
        part.c += begin * p.C_row_step;
        multiply_rows<vectors>(end - begin, part);
    }
}

/// One column of a result is computed as one row: full vectors instead of single numbers.
bool is_column(const Product& p) {
    return p.columns == 1 && p.C_row_step == 1 && p.rows > 1;
}

Product transposed(Product p) {
    const auto exchanged = [](Factor f) { return Factor{f.data, f.column_step, f.row_step}; };
    const Factor A = p.A;
    p.A = exchanged(p.B);
    p.B = exchanged(A);
    p.columns = p.rows;
    p.rows = 1;
    p.panels = nullptr;
    return p;
}

Index padded(Index columns) {
    return (columns + kLanes - 1) / kLanes * kLanes;
}

/// Calls act(first depth, depth, first column, columns) for every panel of B, in the order in which
/// they are packed; once even without depth.
template <typename Act>
void for_each_panel(Index depth, Index columns, Act act) {
    Index first = 0;
    do {
        const Index deep = depth - first < kPanelDepth ? depth - first : kPanelDepth;
        for (Index j = 0; j < columns; j += kPanelColumns)
            act(first, deep, j, columns - j < kPanelColumns ? columns - j : kPanelColumns);
        first += deep;
    } while (first < depth);
}

const Scalar* at(const Factor& factor, Index row, Index column) {
    return factor.data + row * factor.row_step + column * factor.column_step;
}

}  // namespace

namespace HEADLIGHT_LEVEL {

void multiply(const Product& p) {
    if (is_column(p)) return multiply(transposed(p));
    alignas(64) Scalar panel[kPanelDepth * kPanelColumns];
    const Scalar* packed = p.panels;
    for_each_panel(p.depth, p.columns, [&](Index first, Index depth, Index j, Index columns) {
        Tile tile{.a = at(p.A, 0, first),
                  .a_row_step = p.A.row_step,
                  .a_depth_step = p.A.column_step,
                  .depth = depth,
                  .b = at(p.B, first, j),
                  .b_depth_step = p.B.row_step,
                  .c = p.C + j,
                  .c_row_step = p.C_row_step,
                  .columns = columns,
                  .scale = p.scale,
                  .into = first > 0 ? Into::Add : p.into};
        const bool is_whole = columns % kLanes == 0;
        if (packed) {
            tile.b = packed;
            tile.b_depth_step = padded(columns);
            packed += depth * padded(columns);
        } else if (!is_direct(p.B) || !is_whole) {
            tile.b = panel;
            tile.b_depth_step = padded(columns);
            pack({at(p.B, first, j), p.B.row_step, p.B.column_step}, depth, columns,
                 tile.b_depth_step, panel);
        }
        multiply_panel<>(p, tile);
    });
}

void pack_panels(const Factor& B, Index depth, Index columns, Scalar* panels) {
    for_each_panel(depth, columns, [&](Index first, Index deep, Index j, Index n) {
        pack({at(B, first, j), B.row_step, B.column_step}, deep, n, padded(n), panels);
        panels += deep * padded(n);
    });
}

Index packed_size(const Factor& B, Index depth, Index columns) {
    return is_direct(B) && columns % kLanes == 0 ? 0 : depth * padded(columns);
}

}  // namespace HEADLIGHT_LEVEL
}  // namespace headlight
