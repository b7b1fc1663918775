// An image, the patch that looks, and the patches that it reads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/figure.h"
#include "figure/theme.h"

namespace headlight {

struct ImageInput {
    int rows = 1, columns = 1, channels = 3;  // pixels
    std::vector<float> pixels;                // row by row, channels last, 0 … 1
    Index patch_rows = 1, patch_columns = 1;  // the grid of patches
    std::vector<Index> queries;               // patches that look
    std::optional<Index> hovered;             // a patch
    std::vector<Scalar> weights;              // of the queries, one a patch
    ColorScale scale;                         // of the weights
    std::string weights_name;    // "What patch 1,4 reads"; without weights, the only text
    std::string name = "Image";  // over the picture
    std::string title = {};      // over the weights; empty: what they are
    float width = 400, height = 300;
};

struct ImageFigure {
    Figure figure;
    Box image, attention;  // the picture, and the weights over it
    Index patch_rows = 1, patch_columns = 1;

    std::optional<Index> patch_at(Point p) const;
};

/// Return the height of the two pictures in a width, side by side and one above the other.
float height_beside(const ImageInput& input, float width);
float height_above(const ImageInput& input, float width);

/// Draws the image at the left, with the patch that looks; at the right the same grid, shaded by
/// how much it reads each patch. They stand one above the other where that is larger.
ImageFigure image_figure(const ImageInput& input, const Theme& theme, const MeasureText& measure);
/// Draws the image without weights and titles; it is no higher than input.height, and less high
/// where it is wide.
ImageFigure image_alone(const ImageInput& input, const Theme& theme);

}  // namespace headlight
