// The arguments of `headlight export` that make a figure of a scene again.
//
// Goals: everything that a hand can choose in the window and that a figure shows is an option, so
// that the command gives the same bytes. Not goals: reading them (cli/options/shown_options.h).
#pragma once

#include <string>
#include <vector>

#include "scene/figures/view_figure.h"

namespace headlight {

struct FigureOrigin {
    const Scene& scene;
    FigureOf view = FigureOf::Matrix;
    const FigureLook& look;
    std::string other = {};  // where another study that it is compared with lies
};

/// But for the study and the output: "--tensor", "blocks.0…", "--dpi", "300". Only what is not as
/// it is without the option.
std::vector<std::string> export_arguments(const FigureOrigin& figure);

/// "2.0" in a command is 2.
std::string option_number(float number);

/// In quotes where a shell would read it otherwise.
std::string shell_word(const std::string& word);

}  // namespace headlight
