// What a figure shows and how it was made, as text: the command that makes it again, the study.
#pragma once

#include <string>

#include "scene/export/export_work.h"
#include "scene/figures/view_figure.h"

namespace headlight {

/// The caption file: what is shown, a note on what had no room there, version, command, and the
/// study itself, since its file may change.
std::string figure_caption(const Scene& scene, const ExportChoice& choice,
                           const std::string& note = "");

/// The name of the view, and what it draws: of matrices their titles, equations and shapes, of
/// analyses what they are.
std::string what_is_shown(const Scene& scene, ViewId view);

}  // namespace headlight
