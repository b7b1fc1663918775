// The small picture of a head's pattern, and the words that say what the head does.
#pragma once

#include <optional>
#include <string>

#include "core/analyses/head_metrics.h"
#include "core/components.h"
#include "core/trace.h"
#include "figure/picture_scales.h"
#include "figure/theme.h"
#include "model/changes.h"
#include "views/scene.h"

namespace headlight {

struct HeadThumbnail {
    MatrixPtr pattern;         // the pattern that it was made from
    MatrixPtr picture;         // the pattern; for a graph, pooled; of an image what a patch reads
    std::optional<Index> row;  // of the pattern, where the picture is what a patch reads
    MatrixPtr mask;            // closes cells of it; null: none is known
    std::optional<Index> patch = {};  // of that row; nothing of a class token
    MatrixColors colors;              // of the picture
    const Theme* theme = nullptr;     // of the colours
    PictureSettings settings;         // of the colours
    Scalar entropy = 0;
    Scalar largest = 0;  // of a row of the picture, as the mean over its rows

    /// Returns the width of the picture divided by its height: patterns fill a square, images keep
    /// their shape.
    float aspect() const;
    /// Returns the cell of the picture whose reading is shown; nothing where it is no patch.
    std::optional<Index> looking_patch() const;
};

struct ThumbnailLook {
    const Theme& theme;
    const PictureScales& scales;
    std::optional<Index> row;  // of an image's pattern: what is shown of it
};
ThumbnailLook thumbnail_look(const Scene& scene, const Tensor& pattern);

/// Returns the tensor that a head's thumbnail is made from: its overview if it has one, or else its
/// pattern.
const Tensor& thumbnail_source(const Trace& trace, const Component& attention, int head);

/// Returns why a tensor has no value yet: a recorded matrix that it is made from comes later. ""
/// where all have come.
std::string waiting_text(const Trace& trace, const Tensor& tensor);
/// Returns "of 64 × 64 cells, each the largest of those that fall on it, of 512 × 512", for an
/// overview of a pattern that comes later; "" otherwise.
std::string overview_text(const Trace& trace, const Tensor& thumbnail_source);

/// Makes the thumbnail of a pattern, or of an overview, that has a value. Does so only where it is
/// another one than before.
void update_thumbnail(HeadThumbnail& thumbnail, const Trace& trace, const Tensor& pattern,
                      const ThumbnailLook& look);

/// "first token 0.81"
std::string label_and_value(const HeadLabel& label);

/// "ablated: zero"
const char* ablation_words(Ablation ablation);
/// Returns the ablation as a mark: "×" or "μ".
const char* stand_in(Ablation ablation);

}  // namespace headlight
