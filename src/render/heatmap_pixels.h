// The pixels of a small heatmap, coloured here instead of by a shader.
//
// Goals: the pixels that the shader draws. Software OpenGL takes several times as long to look up
// the values under a pixel as to copy its colour.
#pragma once

#include <vector>

#include "paint/figure.h"
#include "render/pooling.h"

namespace headlight {

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
