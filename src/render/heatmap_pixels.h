// The pixels of a small heatmap, coloured here instead of by a shader, and blocks of cells, pooled
// to the strongest value of each block or to the mean, for heatmaps seen from far out.
//
// Strongest: NaN before numbers before masked cells (−∞), so that a NaN is never lost and a block
// is masked only if all of it is; among numbers the larger magnitude, then the larger value.
// +∞ counts as the largest number.
//
// Goals: the pixels that the shader draws. Software OpenGL takes several times as long to look up
// the values under a pixel as to copy its colour.
#pragma once

#include <cstdint>
#include <vector>

#include "core/matrix.h"
#include "figure/figure.h"

namespace headlight {

enum class CellClass : std::uint8_t { Masked = 0, Number = 1, NotANumber = 2 };

/// Row-major texels: finite values, and their classes unless all are numbers.
struct CellBlocks {
    Index rows = 0, columns = 0;
    std::vector<float> values;
    std::vector<std::uint8_t> classes;  // CellClass; empty when every cell is a number
};

/// Returns one block a cell. A cell that is not a number has the value 0.
CellBlocks cell_blocks(const Matrix& matrix);

/// Pools blocks of 2^x_steps × 2^y_steps; those at the right and lower edge may be smaller.
CellBlocks pool(const CellBlocks& blocks, int x_steps, int y_steps);

/// Pools such blocks to the mean of the numbers in each; `cells` has one cell a block. A block with
/// a NaN is NaN, one with only masked cells is masked.
CellBlocks pool_means(const CellBlocks& cells, int x_steps, int y_steps);

/// Returns n / 2^steps, rounded up.
constexpr Index halved(Index n, int steps) {
    return (n + (Index(1) << steps) - 1) >> steps;
}

/// The way in which one pixel along one axis reads the cells.
struct AxisSampling {
    int pool_steps = 0;  // a texel is 2^pool_steps cells
    float texels_per_pixel = 1;
    float half_footprint = 0;  // half of a pixel in texels; 0: the cell under the pixel's centre
};

/// The pixels along one axis whose centres are inside of the heatmap.
struct PixelAxis {
    float start = 0;  // of the heatmap, seen from the edge of its first pixel
    float size = 0;   // of the heatmap in pixels
    int count = 0;
    AxisSampling sampling;
};

/// Returns the colours row by row, from the top. `texels` are pooled as the axes say.
std::vector<Color> heatmap_pixels(const CellBlocks& texels, const PixelAxis& x, const PixelAxis& y,
                                  const ColorScale& scale, FarOut far_out);

}  // namespace headlight
