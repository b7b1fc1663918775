// The product of two matrices: tiles of the result are held in registers, panels of B in the cache.
#include "core/kernels/kernels.h"
#include "core/kernels/panel.h"

namespace headlight {
namespace {

// The number of rows of a tile that is so many vectors wide. Registers must be left for a row of B
// and a number of A. More than 14 rows would need too many address registers.
constexpr int kRegisters = HEADLIGHT_VECTOR_BYTES == 64 ? 32 : 16;
constexpr int tile_rows(int vectors) {
    const int rows = (kRegisters - 1 - vectors) / vectors;
    return rows < 14 ? rows : 14;
}

// If the rows of B are at most this far apart, B is not packed: packing would not be faster.
constexpr Index kDirectStep = 512;

// With so few rows, B is not packed either, since a tile reads it once.
constexpr Index kMostDirectRows = tile_rows(HEADLIGHT_VECTOR_BYTES == 64 ? 4 : 2);

// Rows of B are prefetched this many rows ahead.
constexpr Index kAhead = 6;

bool is_direct(const Factor& B) {
    return B.column_step == 1 && B.row_step <= kDirectStep;
}

struct Tile {
    const Scalar* a;  // the first number of the first row
    Index a_row_step, a_depth_step, depth;
    const Scalar* b[kPanelVectors];  // the first row of each vector; SideBySide: of the first only
    Index b_depth_step;
    Scalar* c[kPanelVectors];  // likewise
    Index c_row_step, columns;
    const Scalar* bias[kPanelVectors];  // likewise; null: none
    Scalar scale;
    Into into;
    Scalar* panel;       // Copied: where the rows of B are copied to
    const Scalar* next;  // Copied: the first row of the next panel; null: there is none
    Index next_step;
    const Scalar* ahead;  // the numbers to fetch meanwhile
    Index ahead_step;
};

/// The arrangement of a tile's vectors: adjacent columns of one matrix, or columns of several.
/// Copied: they are adjacent, and the rows of B that are read are also written side by side for the
/// tiles after it.
enum class Layout { SideBySide, Apart, Copied };

/// Returns x y + z, rounded once if the processor can do that. Otherwise the compiler might round
/// twice in some tiles and once in others, and the bits of a row would depend on its neighbours.
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

/// Returns x + y, where x has been rounded: the compiler must not make one operation of its product
/// and this sum.
inline Vector plus(Vector x, Vector y) {
    return multiply_add(x, broadcast(1), y);
}

template <Layout layout>
[[gnu::always_inline]] inline void store_sum(Vector sum, const Tile& tile, Index row, int v) {
    const Index n = layout == Layout::Apart ? kLanes : tile.columns - v * kLanes;
    Scalar* c =
        (layout == Layout::Apart ? tile.c[v] : tile.c[0] + v * kLanes) + row * tile.c_row_step;
    if (n <= 0) return;
    const auto load_c = [n](const Scalar* x) { return n >= kLanes ? load(x) : load_some(x, n, 0); };
    const Vector scale = broadcast(tile.scale);
    Vector result = tile.into == Into::Add ? multiply_add(sum, scale, load_c(c)) : sum * scale;
    if (tile.bias[0])
        result = plus(result,
                      load_c(layout == Layout::Apart ? tile.bias[v] : tile.bias[0] + v * kLanes));
    n >= kLanes ? store(result, c) : store_some(result, c, n);
}

template <Layout layout, int rows, int vectors>
void multiply_tile(const Tile& tile) {
    Vector sum[rows][vectors] = {};
    // Only every third row has a pointer: there are not enough registers for all.
    constexpr int kThirds = (rows + 2) / 3;
    const Index step = tile.a_row_step, twice = 2 * step;
    constexpr int kPointers = layout == Layout::Apart ? vectors : 1;
    const Scalar *a[kThirds], *b[kPointers];
    for (int t = 0; t < kThirds; ++t) a[t] = tile.a + 3 * t * step;
    for (int v = 0; v < kPointers; ++v) b[v] = tile.b[v];
    Scalar* copy = tile.panel;
    const Scalar* ahead = tile.ahead;
    const auto row_of_b = [&b](int v) {
        return layout == Layout::Apart ? b[v % kPointers] : b[0] + v * kLanes;
    };
    for (Index k = 0; k < tile.depth; ++k) {
        Vector row[vectors];
        // The first tile of a panel reads rows that are not in the nearest cache yet.
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v)
            __builtin_prefetch(row_of_b(v) + kAhead * tile.b_depth_step);
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) row[v] = load(row_of_b(v));
        if constexpr (layout == Layout::Copied) {
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v) store(row[v], copy + v * kLanes);
            copy += vectors * kLanes;
        }
#pragma GCC unroll 14
        for (int i = 0; i < rows; ++i) {
            const Vector x = broadcast(a[i / 3][i % 3 == 0 ? 0 : i % 3 == 1 ? step : twice]);
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v) sum[i][v] = multiply_add(x, row[v], sum[i][v]);
        }
#pragma GCC unroll 5
        for (int t = 0; t < kThirds; ++t) a[t] += tile.a_depth_step;
        if constexpr (layout == Layout::SideBySide) {
            __builtin_prefetch(ahead, 0, 2);
            ahead += tile.ahead_step;
        }
#pragma GCC unroll 4
        for (int v = 0; v < kPointers; ++v) b[v] += tile.b_depth_step;
    }
#pragma GCC unroll 14
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) store_sum<layout>(sum[i][v], tile, i, v);
}

/// Multiplies a tile of n_rows rows. Their number is made a constant, so that the sums stay in
/// registers.
template <Layout layout, int vectors, int rows = tile_rows(vectors)>
void multiply_rows(Index n_rows, const Tile& tile) {
    if constexpr (rows > 1)
        if (n_rows < rows) return multiply_rows<layout, vectors, rows - 1>(n_rows, tile);
    multiply_tile<layout, rows, vectors>(tile);
}

/// Moves the tile down by so many rows.
template <int pointers>
void advance(const Product& p, Tile& tile, Index n_rows) {
    // The tile is changed in place: reading a copy would wait for its stores to finish.
    tile.a += n_rows * p.A.row_step;
    for (int v = 0; v < pointers; ++v) tile.c[v] += n_rows * p.C_row_step;
}

/// Fetches one cache line of every row of the next panel; each of the first tiles that read a copy
/// does so.
void fetch_ahead(Tile& tile, Index t) {
    constexpr Index kLine = 64 / sizeof(Scalar);
    const bool is_wanted = tile.next && t * kLine < kPanelColumns;
    tile.ahead = is_wanted ? tile.next + t * kLine : tile.b[0];
    tile.ahead_step = is_wanted ? tile.next_step : 0;
}

/// Multiplies all tiles of a panel that is at most so many vectors wide. Copied: the first tile
/// reads B in place, and the others read the copy that the first one has made.
template <Layout layout, int vectors = kPanelVectors>
void multiply_panel(const Product& p, Tile& tile) {
    if constexpr (vectors > 1)
        if (tile.columns <= (vectors - 1) * kLanes)
            return multiply_panel<layout, vectors - 1>(p, tile);
    constexpr int kPointers = layout == Layout::Apart ? vectors : 1;
    const Index n_tiles = (p.rows + tile_rows(vectors) - 1) / tile_rows(vectors);
    for (Index t = 0; t < n_tiles; ++t) {
        if constexpr (layout == Layout::SideBySide) fetch_ahead(tile, t);
        // Tiles have nearly equal heights, since a tile of a single row would be slow.
        const Index n_rows = (t + 1) * p.rows / n_tiles - t * p.rows / n_tiles;
        if constexpr (layout == Layout::Copied) {
            multiply_rows<layout, vectors>(n_rows, tile);
            advance<kPointers>(p, tile, n_rows);
            tile.b[0] = tile.panel;
            tile.b_depth_step = vectors * kLanes;
            Product rest = p;
            rest.rows -= n_rows;
            return multiply_panel<Layout::SideBySide, vectors>(rest, tile);
        } else {
            multiply_rows<layout, vectors>(n_rows, tile);
            advance<kPointers>(p, tile, n_rows);
        }
    }
}

/// True if the result is one column. It is computed as one row, to fill whole vectors.
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
    p.panels = p.bias = nullptr;
    return p;
}

Index padded(Index columns) {
    return (columns + kLanes - 1) / kLanes * kLanes;
}

/// Calls act(first depth, depth, first column, columns) for every panel of B, in the order of
/// packing. With a depth of 0 each panel still gets one call.
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

/// A tile for all rows of a product; b and c are not set yet.
Tile make_tile(const Product& p) {
    return {.a = p.A.data,
            .a_row_step = p.A.row_step,
            .a_depth_step = p.A.column_step,
            .depth = p.depth,
            .b = {},
            .b_depth_step = p.B.row_step,
            .c = {},
            .c_row_step = p.C_row_step,
            .columns = 0,
            .bias = {},
            .scale = p.scale,
            .into = p.into,
            .panel = nullptr,
            .next = nullptr,
            .next_step = 0,
            .ahead = nullptr,
            .ahead_step = 0};
}

/// Multiplies products with the same A whose widths are whole vectors. Tiles combine vectors of
/// several.
void multiply_wide(const Product* products, Index n) {
    const Index vectors = products[0].columns / kLanes, n_vectors = n * vectors;
    for (Index begin = 0; begin < n_vectors; begin += kPanelVectors) {
        Tile tile = make_tile(products[0]);
        const Index end = begin + kPanelVectors < n_vectors ? begin + kPanelVectors : n_vectors;
        for (Index v = begin; v < end; ++v) {
            const Product& p = products[v / vectors];
            tile.b[v - begin] = p.B.data + v % vectors * kLanes;
            tile.c[v - begin] = p.C + v % vectors * kLanes;
            tile.bias[v - begin] = p.bias ? p.bias + v % vectors * kLanes : nullptr;
        }
        tile.columns = (end - begin) * kLanes;
        multiply_panel<Layout::Apart>(products[0], tile);
    }
}

/// Copies fewer numbers than a vector has, and adds a bias unless that is null.
inline void copy_few(const Scalar* from, const Scalar* bias, Scalar* to, Index n) {
    const Vector v = load_some(from, n, 0);
    store_some(bias ? v + load_some(bias, n, 0) : v, to, n);
}

/// Multiplies products with the same A that are narrower than a vector. Their columns lie side by
/// side in one panel, and the results are separated again a few rows at a time.
void multiply_narrow(const Product* products, Index n) {
    constexpr Index kRows = tile_rows(kPanelVectors);
    const Product& first = products[0];
    const Index columns = first.columns, most = kPanelColumns / columns;
    alignas(64) Scalar panel[kPanelDepth * kPanelColumns];
    for (Index begin = 0; begin < n; begin += most) {
        const Index count = n - begin < most ? n - begin : most;
        const Index width = padded(count * columns);
        for (Index k = 0; k < first.depth; ++k) {
            Scalar* row = panel + k * width;
            for (Index q = 0; q < count; ++q, row += columns)
                copy_few(products[begin + q].B.data + k * first.B.row_step, nullptr, row, columns);
            for (const Scalar* end = panel + (k + 1) * width; row < end; ++row) *row = 0;
        }
        for (Index i = 0; i < first.rows; i += kRows) {
            alignas(64) Scalar results[kRows * kPanelColumns];
            Product rows = first;
            rows.A.data = at(first.A, i, 0);
            rows.rows = first.rows - i < kRows ? first.rows - i : kRows;
            rows.C_row_step = width;
            rows.bias = nullptr;
            Tile tile = make_tile(rows);
            tile.b[0] = panel;
            tile.b_depth_step = tile.c_row_step = tile.columns = width;
            tile.c[0] = results;
            multiply_panel<Layout::SideBySide>(rows, tile);
            for (Index q = 0; q < count; ++q)
                for (Index r = 0; r < rows.rows; ++r)
                    copy_few(results + r * width + q * columns, products[begin + q].bias,
                             products[begin + q].C + (i + r) * first.C_row_step, columns);
        }
    }
}

/// Multiplies products with the same B and the same shapes: B is packed once for all of them.
void multiply_panels(const Product* products, Index n) {
    const Product& same = products[0];
    alignas(64) Scalar panel[kPanelDepth * kPanelColumns];
    const Scalar* packed = same.panels;
    for_each_panel(same.depth, same.columns, [&](Index first, Index depth, Index j, Index columns) {
        const Scalar* b = at(same.B, first, j);
        Index b_step = same.B.row_step;
        const bool is_packed = !packed && (same.B.column_step != 1 || columns % kLanes != 0);
        if (is_packed)
            pack({b, b_step, same.B.column_step}, depth, columns, padded(columns), panel);
        if (packed || is_packed) {
            b = packed ? packed : panel;
            b_step = padded(columns);
        }
        for (const Product* p = products; p < products + n; ++p) {
            Tile tile = make_tile(*p);
            tile.a = at(p->A, 0, first);
            tile.depth = depth;
            tile.columns = columns;
            tile.into = first > 0 ? Into::Add : p->into;
            tile.b[0] = b;
            tile.b_depth_step = b_step;
            tile.c[0] = p->C + j;
            if (p->bias && first + depth == p->depth) tile.bias[0] = p->bias + j;
            if (packed || is_packed || is_direct(p->B) || p->rows <= kMostDirectRows) {
                multiply_panel<Layout::SideBySide>(*p, tile);
            } else {
                tile.panel = panel;
                tile.next = j + columns < p->columns ? b + columns : nullptr;
                tile.next_step = b_step;
                multiply_panel<Layout::Copied>(*p, tile);
            }
        }
        if (packed) packed += depth * padded(columns);
    });
}

/// Multiplies products with the same A whose results are columns. They are computed as rows of Aᵀ.
void multiply_columns(const Product* products, Index n) {
    constexpr Index kMost = 4;
    for (Index begin = 0; begin < n; begin += kMost) {
        const Index count = n - begin < kMost ? n - begin : kMost;
        Product rows[kMost];
        for (Index q = 0; q < count; ++q) rows[q] = transposed(products[begin + q]);
        multiply_panels(rows, count);
        for (const Product* p = products + begin; p < products + begin + count; ++p)
            for (Index i = 0; p->bias && i < p->rows; ++i) p->C[i] += *p->bias;
    }
}

}  // namespace

namespace HEADLIGHT_LEVEL {

void multiply(const Product& p) {
    is_column(p) ? multiply_columns(&p, 1) : multiply_panels(&p, 1);
}

void multiply_sharing(const Product* products, Index n) {
    const Product& first = products[0];
    if (is_column(first)) return multiply_columns(products, n);
    const bool is_shallow = n > 1 && first.depth <= kPanelDepth && first.rows > 1;
    if (is_shallow && first.columns < kPanelColumns && first.columns % kLanes == 0 &&
        is_direct(first.B))
        return multiply_wide(products, n);
    if (is_shallow && first.columns > 1 && first.columns < kLanes && kLanes % first.columns == 0 &&
        first.B.column_step == 1 && first.into == Into::Set)
        return multiply_narrow(products, n);
    for (Index k = 0; k < n; ++k) multiply(products[k]);
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
