// What a figure shows and how it was made, as text: the command that makes it again, the study.
#pragma once

#include <string>

#include "scene/export/export_choice.h"

namespace headlight {

/// The caption file: what is shown, version, command, and the study itself, since its file may
/// change.
std::string figure_caption(const Scene& scene, const ExportChoice& choice);

}  // namespace headlight
