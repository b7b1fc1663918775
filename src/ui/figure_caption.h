// What a figure shows and how it was made, as text: the command that makes it again, the study.
#pragma once

#include <string>
#include <vector>

#include "ui/film_figures.h"

namespace headlight {

/// What of a scene `headlight export` has to be told to make the same figure, but for the study and
/// the output: "--tensor", "blocks.0…", "--dpi", "300".
std::vector<std::string> export_arguments(const Scene& scene, FigureOf view,
                                          const FigureLook& look);

/// In quotes where a shell would read it otherwise.
std::string shell_word(const std::string& word);

struct CaptionFiles {
    std::string study;   // as it is called; "" while it has no file
    std::string output;  // the figure
    FilmChoice film = {};
};

/// The caption file: title, equation and shape, version, command, and the study as it is, since a
/// file may change.
std::string figure_caption(const Scene& scene, FigureOf view, const FigureLook& look,
                           const CaptionFiles& files);

}  // namespace headlight
