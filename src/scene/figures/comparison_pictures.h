// The pictures of a comparison: A, B and A − B beside each other, the same in the window and in an
// exported file.
#pragma once

#include "paint/figure_look.h"
#include "paint/figures/graph_figure.h"
#include "paint/figures/image_figure.h"
#include "scene/scene.h"

namespace headlight {

enum class ComparedSide { A, B, Difference };

/// "A", "B", "A − B"
const char* side_text(ComparedSide side);

/// Where one of them is, for the pointer; places are those of the whole figure.
struct ComparedPicture {
    ComparedSide side;
    Box box;
    CellGrid grid = {};  // of a matrix; else 0 × 0
    std::optional<GraphGeometry> graph = {};
    std::optional<ImageFigure> image = {};
};

struct ComparisonPictures {
    Figure figure;
    std::vector<ComparedPicture> pictures;
};

/// What the scene's comparison shows of the chosen tensor: matrices; for a pattern of a graph the
/// graph, of an image the image. A and B have one scale of colours, their difference has its own.
/// What cannot be shown says why.
ComparisonPictures comparison_pictures(const Scene& scene, const PictureRoom& room,
                                       const MeasureText& measure);

}  // namespace headlight
