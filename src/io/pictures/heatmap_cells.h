// The cells of a heatmap that a picture contains: only visible ones, and no more than it has room
// for.
#pragma once

#include "core/progress.h"
#include "paint/figure.h"

namespace headlight {

/// Returns the mark reduced to its visible cells; it must have cells.
HeatmapMark seen_cells(const HeatmapMark& mark);

/// Returns values pooled to at most `most_rows` × `most_columns`. Where several cells become one,
/// it takes the value of the largest magnitude (NaN before all numbers, masked cells last), or the
/// mean.
MatrixPtr pooled(const MatrixPtr& values, Index most_rows, Index most_columns, FarOut far_out,
                 const Steps& steps = {});

}  // namespace headlight
