// The large picture of a tensor, the same in the window and in an exported file.
#pragma once

#include "core/trace.h"
#include "figure/figure_look.h"
#include "figure/heatmap_layout.h"
#include "figure/picture_scales.h"
#include "figure/theme.h"

namespace headlight {

/// Returns "A · head 0".
std::string tensor_name(const Tensor& tensor);

/// Returns "A · head 0 · blocks.0.attn.heads.0.pattern", followed by the cells set by hand if pins
/// do not show them.
std::string tensor_title(const Tensor& tensor);

/// Returns "1 cell set by hand", "3 cells pinned"; "" if none is.
std::string held_count(const Tensor& tensor);

/// Returns "query ↓ reads key →", "d_model ↓ d_k →", "output ↓ moved by input →" for derivatives,
/// "reader ← read ↓" for a tensor with one row an edge.
std::string tensor_caption(const Trace& trace, const Tensor& tensor);

/// Returns the input of a tensor's picture. A cell of the picture is a cell of the tensor, with its
/// labels, its colours and its pins; size, selection and hover are the caller's. A tensor without
/// values gives its title only.
HeatmapInput heatmap_input(const Trace& trace, const Tensor& tensor, const Theme& theme,
                           const PictureScales& scales = {});

/// Draws the picture in the look's theme, room and heading; where no room is given as large as it
/// needs.
Figure tensor_picture(HeatmapInput input, const FigureLook& look, const MeasureText& measure);

}  // namespace headlight
