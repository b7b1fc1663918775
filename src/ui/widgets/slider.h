// A slim slider: a line with a knob, for a number between two others.
#pragma once

#include <string>

#include "ui/panel.h"

namespace headlight::widgets {

struct SliderRange {
    double from = 0, to = 1;  // `from` at the left; may be the larger one
};

/// In the next item's place, `width` wide; registers "slider <name>". True while it is dragged to
/// another `value`; then `value` is changed.
bool slider(PanelContext& context, const std::string& name, double& value, SliderRange range,
            float width);

/// A small triangle that starts something; registers "play <name>". True when it was pressed.
bool play_mark(PanelContext& context, const std::string& name, float width);

}  // namespace headlight::widgets
