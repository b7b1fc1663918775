// The pointer over words that lines are drawn between: hover, and hold with a click.
#pragma once

#include "paint/figures/word_lines.h"
#include "ui/panel.h"

namespace headlight {

/// Called after the figure was drawn at `origin`. Its words are the regions "<name> reader 3" and
/// "<name> read 5", as far as they can be seen.
void point_at_lines(PanelContext& context, const WordLinesFigure& lines, Point origin,
                    const std::string& name);

}  // namespace headlight
