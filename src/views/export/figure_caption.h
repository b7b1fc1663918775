// Describes, as text, what a figure shows and how it was made: the command that makes it again, the
// study.
#pragma once

#include <string>

#include "views/export/export_work.h"
#include "views/view_figure.h"

namespace headlight {

/// Returns the caption file: what is shown, a note on what had no room there, version, command, and
/// the study itself, since its file may change.
std::string figure_caption(const Scene& scene, const ExportChoice& choice,
                           const std::string& note = "");

/// Returns the name of the view and a description of its content: for matrices their titles,
/// equations and shapes, for analyses what they are.
std::string view_caption(const Scene& scene, ViewId view);

// ---- of single views: what each draws ----

std::string pattern_caption(const Scene& scene);  // of the shown attention's
std::string words_caption(const Scene& scene);
std::string compared_caption(const Scene& scene);
std::string panels_caption(const Scene& scene);
std::string heads_caption(const Scene& scene);
std::string logits_caption(const Scene& scene);
std::string flow_caption(const Scene& scene);
std::string layer_caption(const Scene& scene);
std::string row_caption(const Scene& scene);
std::string plane_caption(const Scene& scene);
std::string weighted_caption(const Scene& scene);
std::string explanation_caption(const Scene& scene);

}  // namespace headlight
