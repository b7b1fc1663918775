#include "paint/figures/heatmap_cells.h"

#include <algorithm>

namespace headlight {
namespace {

float cell_extent(float square, Index count, float room) {
    const float least = std::min({room, 2.7f * kThinnest, count * kThinnest});
    return std::max(square * count, least);
}

}  // namespace

float widest_label(const std::vector<std::string>& labels, float size, const MeasureText& measure) {
    const std::size_t step = std::max<std::size_t>(1, labels.size() / 256);
    float width = 0;
    for (std::size_t k = 0; k < labels.size(); k += step)
        width = std::max(width, measure(labels[k], size, Font::Bold));
    return width;
}

CellGrid fitted_cells(Index rows, Index columns, HeatmapRoom room, CellLimits limits) {
    CellGrid grid{{room.x, room.y, 0, 0}, rows, columns};
    const float width = std::max(room.width, 1.0f), height = std::max(room.height, 1.0f);
    const float widest = std::min(width / columns, limits.largest),
                tallest = std::min(height / rows, limits.largest);
    grid.cells.width = cell_extent(std::min(widest, tallest * limits.stretch), columns, width);
    grid.cells.height = cell_extent(std::min(tallest, widest * limits.stretch), rows, height);
    return grid;
}

}  // namespace headlight
