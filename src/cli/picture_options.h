// How matrices are coloured and which part of one is seen, as options of a command.
#pragma once

#include "cli/command.h"
#include "paint/picture_scales.h"
#include "paint/picture_view.h"

namespace headlight {

/// Both must live as long as the command.
void add_picture_options(Command& command, PictureSettings& settings, PictureView& view);

}  // namespace headlight
