// The heads of all attentions, each with what is known about it. The panel of all heads and its
// figure are made from this.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "paint/figure_look.h"
#include "paint/figures/heads_figure.h"
#include "scene/figures/head_thumbnail.h"
#include "scene/scene.h"

namespace headlight {

struct ListedHead {
    const Component* attention;
    int row, head;
    const Tensor* pattern;
    const Matrix* metrics;  // null: none are defined for it
    std::optional<HeadLabel> label;
    HeadThumbnail* thumbnail;
    std::optional<Ablation> ablation;

    std::string place() const { return std::to_string(row) + "." + std::to_string(head); }
    Scalar metric(int m, bool without_first) const;
    /// "first 0.55", in few letters; of a picture's patches what full colour stands for.
    std::string short_label() const;
    /// The head as one picture in a grid.
    HeadPicture picture(const Theme& theme) const;
};

/// The heads whose patterns are computed, in order. The thumbnails are kept for the next call.
std::vector<ListedHead> list_heads(const Scene& scene, std::vector<HeadThumbnail>& thumbnails);

/// Globs of the tensors that the list is made from.
std::vector<std::string> head_globs(const Plan& plan);

/// One name an attention: "Layer 0", "Layer 1 · cross".
std::vector<std::string> attention_rows(const Components& components);

/// One row an attention, as large as reads well, or in the look's room.
Figure all_heads_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);

}  // namespace headlight
