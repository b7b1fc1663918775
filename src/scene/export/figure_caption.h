// What a figure shows and how it was made, as text: the command that makes it again, the study.
#pragma once

#include <string>

#include "scene/export/export_choice.h"

namespace headlight {

/// The caption file: title, equation and shape, version, command, and the study as it is, since a
/// file may change.
std::string figure_caption(const Scene& scene, const ExportChoice& choice);

}  // namespace headlight
