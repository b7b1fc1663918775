// The cells of a matrix in the room that its labels leave.
#pragma once

#include <string>
#include <vector>

#include "paint/cell_grid.h"

namespace headlight {

inline constexpr float kThinnest = 18;  // of a matrix with one row

struct HeatmapRoom {  // what is left for row labels, column labels and cells
    float x = 0, y = 0, width = 0, height = 0;
};

/// The widest label. Measured bold, so that nothing moves when one is selected; of very many
/// labels, a sample is enough because the longer ones are shortened anyway.
float widest_label(const std::vector<std::string>& labels, float size, const MeasureText& measure);

struct CellLimits {
    float stretch = 1;  // the largest ratio of a cell's sides
    float largest = 96;
};

/// Cells that fill the room, square or stretched; a matrix with few rows or columns is made thick
/// enough to see.
CellGrid fitted_cells(Index rows, Index columns, HeatmapRoom room, CellLimits limits);

}  // namespace headlight
