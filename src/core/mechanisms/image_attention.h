// Attention of an image's patches on each other, and attention that is exactly a convolution.
#pragma once

#include <cstdint>

#include "core/plan.h"
#include "core/settings.h"

namespace headlight {

/// Pixels row by row, one row of `pixels` each, one column a channel, 0 … 1.
struct Image {
    Index columns = 1;
    Matrix pixels;
};

/// Names the tensors; nothing is computed. N patches, named by their row and column.
/// ImageMechanism::Attention: image (pixels × channels), patches (N × side² channels), W_E b_E,
/// embed, pos_embed (sinusoids of the row and the column), mask, blocks.l.* as of a sentence.
/// ImageMechanism::Convolution [Cordonnier 2020, §3]: nine heads with scores of positions alone,
///     blocks.0.attn.alpha, heads.h. center (1 × 2), position_scores, pattern, W_V, v, z
///     blocks.0.attn.out = Σ_h z
///     convolution (3 × 3, the kernel is the W_V), difference = out − convolution
/// As α grows each head reads one pixel, and the difference goes to 0.
/// Throws Error if there is no pixel or settings contradict each other.
Plan plan_image(const Image& image, const ImageSettings& settings, std::uint64_t seed);

}  // namespace headlight
