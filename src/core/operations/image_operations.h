// Images as rows of pixels, and the convolution that attention is compared with.
//
// An image is one row a pixel, row by row of the picture, one column a channel. Beyond the edge the
// nearest pixel is repeated.
#pragma once

#include "core/operation.h"

namespace headlight::operations {

/// The pixels of square patches side by side. Image: (rows · count)×channels → one row a patch, row
/// by row, step² · channels columns. Reads count (columns of the image), step (side of a patch) and
/// group_rows (patches of one image, where several are stacked).
/// Patches that the image does not fill repeat its edge.
extern const Operation patches;

/// Y(p,c) = (X(p,c) − mean(c)) / std(c), channel by channel. X: pixels×channels, mean and std:
/// 1×channels.
extern const Operation normalized_channels;

/// Y(p) = Σ_h X(p + Δ_h) W_h: a convolution whose kernel holds W_h at Δ_h, the offsets of a square
/// of side √(number of W), row by row.                            [Cordonnier 2020, eq. 5]
/// Inputs X: (rows · count)×channels, each W_h: channels×d. Reads count (columns of the image) and
/// group_rows (pixels of one image, where several are stacked).
extern const Operation convolution;

std::span<const Operation* const> image_operations();

}  // namespace headlight::operations
