// How pictures look, as options of a command.
#pragma once

#include "cli/command.h"
#include "paint/figure_look.h"

namespace headlight {

/// "85mm", "1200px", "240pt"; nothing if it is none or no width that a picture can have.
std::optional<FigureWidth> width_from(std::string_view text);

/// `look` must live as long as the command.
void add_look_options(Command& command, FigureLook& look);

}  // namespace headlight
