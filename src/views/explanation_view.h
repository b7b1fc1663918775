// The arithmetic of one cell: its meaning, the formulas with its real numbers, and every term.
//
// Goals: the inspector, the large explanation and a figure of it tell the same. Not goals: what the
// pointer does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/figure_look.h"
#include "figure/words/arithmetic.h"
#include "views/scene.h"

namespace headlight {

/// Returns the held cell, or else the largest number of the held row; nothing if neither has a
/// value.
std::optional<CellPlace> explained_cell(const Trace& trace, const Selection& selection);

/// Returns "it → cat" for a reading, or else the name of the cell.
std::string cell_title(const Trace& trace, const Tensor& tensor, const CellPlace& cell);
/// Draws the title and the value, as large as fits in the width, at most `size`.
Figure cell_title_figure(const Scene& scene, const CellPlace& cell, float size, float width,
                         const MeasureText& measure);

/// Draws the arithmetic of all steps on a background of its own, one line for each, with as many
/// written terms as fit; it shrinks to `smallest` where it must.
struct StoryStyle {
    float size = 14, smallest = 10;
    std::size_t most_terms = 2;
    float height = 0;  // smaller type keeps all lines within it; 0: as high as they need
};
Figure story_figure(const Scene& scene, const std::vector<ArithmeticStep>& steps,
                    const StoryStyle& style, float width, const MeasureText& measure);

/// Returns the step whose terms are listed: the one that the selection names, or else the last one
/// that has several; null if none has.
const ArithmeticStep* listed_step(const Scene& scene, const std::vector<ArithmeticStep>& steps);

/// True if the explained cell has the step that the selection names.
bool has_named_step(const Scene& scene);

/// Draws the whole explanation in the look's room. Throws Error if no cell is held, or if an option
/// named a step that the cell does not have.
Figure explanation_figure(const Scene& scene, const FigureLook& look, const MeasureText& measure);

}  // namespace headlight
