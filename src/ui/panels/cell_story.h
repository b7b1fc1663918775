// The meaning and the arithmetic of a cell, in words and formulas, at any size.
#pragma once

#include "paint/words/arithmetic.h"
#include "ui/panel.h"

namespace headlight {

/// "it → cat" for a reading, else the name of the cell.
std::string cell_title(const Trace& trace, const Tensor& tensor, const PointedCell& cell);

/// The title and the value, as large as fits, at most `size`; in the current window.
void draw_cell_title(PanelContext& context, const PointedCell& cell, float size);

/// The arithmetic of all steps on a background of its own, a line each, as many written terms as
/// fit; shrunk to `smallest` where it must be.
struct StoryStyle {
    float size = 14, smallest = 10;
    std::size_t most_terms = 2;
    float height = 0;  // smaller type keeps all lines within it; 0: as high as they need
};
void draw_arithmetic(PanelContext& context, const std::vector<ArithmeticStep>& steps,
                     const StoryStyle& style);

/// A link back to what was shown before a term was followed; nothing if none was.
void draw_way_back(PanelContext& context);

}  // namespace headlight
