// The chosen matrix as a view, by itself and in the flow of its part: the rows and columns that are
// shown, and their order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/figure_look.h"
#include "figure/heatmap_layout.h"
#include "views/scene.h"

namespace headlight {

/// Empty lists stand for all rows or columns, in their order.
struct MatrixPart {
    std::vector<Index> rows = {}, columns = {};
    std::string note = {};  // says how they are sorted; "": they are not
};

/// Returns the part of the tensor that is shown, if that is not all of it in its own order. Only
/// what is shown is sorted: rows with similar numbers stand beside each other, and columns; where
/// both are the same words or nodes, they have one order.
std::optional<MatrixPart> shown_part(const Scene& scene, const Tensor& tensor);

/// Sorts the whole tensor by similarity. It must have a value.
MatrixPart sorted_part(const Tensor& tensor);

/// Leaves the other rows and columns out of the picture; its title says how many there are. Colours
/// stay those of the whole matrix. The picks of `input` are those of the whole matrix.
void show_part(HeatmapInput& input, const MatrixPart& part);

/// Draws the view: the shown part of the matrix, as large as the look says.
Figure matrix_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);
/// The cards of the open part, and the chosen matrix large, as they stand in the window.
Figure flow_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);
/// The parts of the open one's layer below each other, each under its name.
Figure layer_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);

}  // namespace headlight
