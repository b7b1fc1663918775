// The choice of a colour map, each with its colours and a mark if everybody can read them.
#pragma once

#include <string>

#include "ui/panel.h"

namespace headlight {

inline constexpr const char* kColorMapHelp =
    "Colours with a tick are safe: readers without red, green or blue cones see the order of the "
    "values, and of signed ones the sign, too. Simulated after Machado et al. 2009.";

/// Draws the maps that matrices like this one can have, as wide as the next item is set to be.
/// Returns true and changes the map's name if another one was chosen; "" stands for the usual one.
bool color_map_field(PanelContext& context, const char* name, const Tensor& tensor,
                     std::string& map);

}  // namespace headlight
