// What a figure shows and how it was made, as text: the command that makes it again, the study.
#pragma once

#include <string>

#include "scene/export/export_choice.h"

namespace headlight {

/// The caption file: what is shown, a note on what had no room there, version, command, and the
/// study itself, since its file may change.
std::string figure_caption(const Scene& scene, const ExportChoice& choice,
                           const std::string& note = "");

}  // namespace headlight
