#include "paint/figures/line_figure.h"

namespace headlight {

WordLinesFigure line_figure(const WordLinesInput& input, const Theme& theme,
                            const MeasureText& measure) {
    return input.texts == WordLinesInput::Texts::One ? arcs_figure(input, theme, measure)
                                                     : two_lines_figure(input, theme, measure);
}

}  // namespace headlight
