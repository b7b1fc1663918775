// The rows and columns that alone are shown of a large matrix.
#pragma once

#include "paint/figures/heatmap_layout.h"
#include "scene/scene.h"

namespace headlight {

/// True if of this tensor some rows or columns are left out.
bool is_shown_in_part(const Scene& scene, const Tensor& tensor);

/// Leaves the others out of the picture; its title says how many there are. Colours stay those of
/// the whole matrix. The picks of `input` are those of the whole matrix.
void show_part(HeatmapInput& input, const MatrixLook& look);

}  // namespace headlight
