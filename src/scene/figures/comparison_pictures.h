// The pictures of a comparison: A, B and A − B beside each other, the same in the window and in an
// exported file.
#pragma once

#include "paint/figure_look.h"
#include "paint/figures/heatmap_layout.h"
#include "paint/figures/image_figure.h"
#include "paint/graphs/graph_figure.h"
#include "scene/figures/compared_sides.h"
#include "scene/scene.h"

namespace headlight {

/// How matrices are drawn that are read from far away, see HeatmapInput.
struct FarLook {
    float stretch = 1;
    TimesRange times = {};
    float graph_times = 1;
};

/// The place of one picture, for the pointer, in coordinates of the whole figure.
struct ComparedPicture {
    ComparedSide side;
    Box box;
    CellGrid grid = {};     // for a matrix of which all is shown; otherwise 0 × 0
    float number_size = 0;  // in the cells of a matrix; 0: there are none
    std::optional<GraphGeometry> graph = {};
    std::optional<ImageFigure> image = {};
};

struct ComparisonPictures {
    Figure figure;
    std::vector<ComparedPicture> pictures;
};

/// The comparison of the chosen tensor: as matrices, for a graph's pattern as graphs, for an
/// image's as images. A and B share one colour scale; their difference has its own. If it cannot be
/// shown, the result says why.
ComparisonPictures comparison_pictures(const Scene& scene, const PictureRoom& room,
                                       const MeasureText& measure, const FarLook& look = {});

/// What B highlights for it: where the two cannot be subtracted place by place, words are those of
/// the same name, and a word that B has not is left out.
Focus focus_in_b(const Scene& scene, const Focus& focus);

}  // namespace headlight
