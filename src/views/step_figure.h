// One step of the computation as a slide: its name, the tensors that it reads, and its result.
#pragma once

#include <string>

#include "figure/figure_look.h"
#include "figure/flow_figure.h"
#include "figure/heatmap_layout.h"
#include "views/scene.h"
#include "views/view_figure.h"

namespace headlight {

inline constexpr float kSlidePad = 22, kSlideHead = 88;  // around everything; over the matrices
inline constexpr float kSlideStretch = 3;                // of the cells of its matrix

/// The upper part of a slide: name and place, equation and shapes, a sentence.
struct SlideHead {
    Box box;
    std::string sentence;  // instead of the step's own; empty: that one
    std::string verdict;   // at its right end
    /// On a narrow slide the name is smaller and the sentence takes as many lines as it needs.
    bool is_narrow = false;
};
/// Draws the head of a slide, kSlideHead high; a narrow one with several lines is higher.
Figure slide_head(const Scene& scene, const Tensor& tensor, const SlideHead& head,
                  const MeasureText& measure);

inline constexpr float kViewHead = 54;
/// Draws the head of a slide of a view, which has no steps, kViewHead high: the name of the view,
/// and where its numbers come from.
Figure view_head(const Scene& scene, ViewId view, const std::string& name, const Box& box,
                 const MeasureText& measure);

/// Returns the cards of the open part. On a walk those are left out that come after the chosen one.
FlowInput flow_input(const Scene& scene, FlowArrangement arrangement, Point size);
/// Returns the chosen matrix, large in its place.
HeatmapInput slide_matrix(const Scene& scene, const Tensor& tensor, const Box& place);

/// Draws the view: the step of the chosen matrix.
Figure step_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);

}  // namespace headlight
