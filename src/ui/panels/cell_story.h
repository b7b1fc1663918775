// The meaning and the arithmetic of a cell, in words and formulas, at any size.
#pragma once

#include "scene/figures/explanation_view.h"
#include "ui/panel.h"

namespace headlight {

/// Draws the title and the value into the current window, as large as fits, at most `size`.
void draw_cell_title(PanelContext& context, const PointedCell& cell, float size);

/// Draws the arithmetic of all steps.
void draw_arithmetic(PanelContext& context, const std::vector<ArithmeticStep>& steps,
                     const StoryStyle& style);

/// Draws a link back to what was shown before a term was followed; nothing if none was.
void draw_way_back(PanelContext& context);

}  // namespace headlight
