// What a figure shows and how it was made, as text: the command that makes it again, the study.
#pragma once

#include <string>

#include "scene/export/export_arguments.h"
#include "scene/export/film_figures.h"

namespace headlight {

struct CaptionFiles {
    std::string study;   // as it is called; "" while it has no file
    std::string output;  // the figure
    FilmChoice film = {};
};

/// The caption file: title, equation and shape, version, command, and the study as it is, since a
/// file may change.
std::string figure_caption(const FigureOrigin& figure, const CaptionFiles& files);

}  // namespace headlight
