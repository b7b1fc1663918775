// The title and the formula over a heatmap, on as many lines as they need.
#pragma once

#include <string>
#include <vector>

#include "paint/figures/heatmap_layout.h"

namespace headlight {

struct HeatmapHeader {
    std::vector<std::string> title_lines, formula_lines;
    float formula_size = 0;
};

/// A title without scripts goes on below; what is read from far away has one line. A formula is a
/// little smaller where that is enough for one line, or where it stands beside the title.
HeatmapHeader break_header(const HeatmapInput& input, bool is_formula_beside,
                           const MeasureText& measure);

}  // namespace headlight
