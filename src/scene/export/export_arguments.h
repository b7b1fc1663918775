// The arguments of `headlight export` that make a figure of a scene again.
//
// Goals: everything that a hand can choose in the window and that a figure shows is an option, so
// that the command gives the same bytes. Not goals: reading them (cli/options/shown_options.h).
#pragma once

#include <string>
#include <vector>

#include "scene/export/export_choice.h"

namespace headlight {

/// But for the study and the output: "--tensor", "blocks.0…", "--dpi", "300". Only what is not as
/// it is without the option.
std::vector<std::string> export_arguments(const Scene& scene, const ExportChoice& choice);

/// All of the command, for a shell.
std::string export_command(const Scene& scene, const ExportChoice& choice);

/// Where the study is written that the one in a figure is compared with.
std::filesystem::path other_study_file(const std::filesystem::path& figure);

}  // namespace headlight
