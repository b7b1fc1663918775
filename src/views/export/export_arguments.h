// Writes the arguments of `headlight export`, or of a sweep of `headlight sweep`, that make a
// figure of a scene again.
//
// Goals: everything that a hand can choose in the window and that a figure shows is an option, so
// that the command gives the same bytes. Not goals: reading them (views/view_state.h).
#pragma once

#include <string>
#include <vector>

#include "io/studies/study.h"
#include "views/export/export_work.h"

namespace headlight {

/// Describes what the scene shows in words of a view: what, tensor, sentence, and every choice made
/// for it. The held place is among them even where the view marks none.
ViewWords export_words(const Scene& scene, const ExportChoice& choice);

/// Returns the arguments without the study and the output: "--tensor", "blocks.0…", "--dpi", "300".
/// Only options that change something are listed.
std::vector<std::string> export_arguments(const Scene& scene, const ExportChoice& choice);

/// Returns the whole command, for a shell.
std::string export_command(const Scene& scene, const ExportChoice& choice);

/// Returns the file for the study that a figure is compared with.
std::filesystem::path other_study_file(const std::filesystem::path& figure);

}  // namespace headlight
