// Which cells of a heatmap a picture holds: those that are seen, and not more than it has room for.
#pragma once

#include "core/steps.h"
#include "paint/figure.h"

namespace headlight {

/// The mark with those of its cells only that are seen; it must have cells.
HeatmapMark seen_cells(const HeatmapMark& mark);

/// At most so many rows and columns. Where several cells become one it is the one of the largest
/// magnitude (NaN before all numbers, masked cells last), or the mean of the numbers.
MatrixPtr pooled(const MatrixPtr& values, Index most_rows, Index most_columns, FarOut far_out,
                 const Steps& steps = {});

}  // namespace headlight
