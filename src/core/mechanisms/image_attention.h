// Attention of an image's patches on each other, and attention that is exactly a convolution.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/plan.h"
#include "core/scalar.h"
#include "core/settings.h"

namespace headlight {

/// Returns "0,0", "0,1" …: row and column, row by row.
std::vector<std::string> grid_names(Index rows, Index columns);

/// Returns "red", "green", "blue" of three, else numbers.
std::vector<std::string> channel_names(Index n_channels);

/// Returns the names, if there are as many as classes; else "0", "1", ….
std::vector<std::string> class_names(int n_classes, std::vector<std::string> names = {});

/// Adds W_C (width × classes), logits = x W_C, with a bias + b_C, and probs. Returns the logits,
/// one row a row of x.
TensorId add_class_readout(Plan& plan, TensorId x, std::vector<std::string> names,
                           std::uint64_t seed, Switch bias = Switch::Off);

/// Pixels row by row, one row of `pixels` each, one column a channel, 0 … 1. Several images of one
/// size are stacked.
struct Image {
    Index columns = 1;
    Matrix pixels;
    Index n_images = 1;
};

/// Names the tensors; nothing is computed. N patches, named by their row and column.
/// ImageMechanism::Attention: image (pixels × channels), patches (N × side² channels), W_E b_E,
/// embed, pos_embed (sinusoids of the row and the column), mask, blocks.l.* as of a sentence.
/// Normalised: patches are those of image_normalized = (image − image_mean) / image_std.
/// With classes a token of its own reads the patches [Touvron 2021, CaiT, §3]: class_token
/// (1 × d_model), blocks.L.class_attn.* after the last layer, W_C, logits, probs (1 × n_classes).
/// Nothing else goes from the patches to the answer.
/// ClassToken::Item and First [Dosovitskiy 2021, ViT, §3.1]: the token is the last or the first
/// item of the layers, called "class"; patch_embed (N × d_model), class_token, embed and pos_embed
/// ((N + 1) × d_model), class_out (1 × d_model, its row of the result), W_C, b_C, logits, probs.
/// ImageMechanism::Convolution [Cordonnier 2020, §3]: nine heads with scores only of positions,
///     blocks.0.attn.alpha, heads.h. center (1 × 2), position_scores, pattern, W_V, v, z
///     blocks.0.attn.out = Σ_h z
///     convolution (3 × 3, the kernel is the W_V), difference = out − convolution
/// As α grows each head reads one pixel, and the difference goes to 0. Kernel::Neighbours: output
/// channel h is the mean of the channels of neighbour h.
/// `classes` names the classes; without as many names as classes they are numbered.
/// Throws Error if there is no pixel or settings contradict each other.
Plan plan_image(const Image& image, const ImageSettings& settings, std::uint64_t seed,
                const std::vector<std::string>& classes = {});

}  // namespace headlight
