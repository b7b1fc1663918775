// Films show the steps of a part one after the other, or a view while one number moves. All that
// the work refers to must outlive it.
#pragma once

#include <string>
#include <vector>

#include "core/pieces.h"
#include "core/progress.h"
#include "model/evaluate.h"
#include "views/export/export_work.h"

namespace headlight {

struct FilmFigures {
    std::vector<Figure> figures;  // all of one size
    Color background;
    FigureLook look;   // with the type of the first one, which all have
    std::string note;  // says what the figures have no room for
};

/// Makes the film that the choice asks for, from the scene's study and selection. Evaluates what it
/// needs. Throws Error if the motion cannot be understood or the study has no such number, and
/// Cancelled.
Pieces<FilmFigures> film_figures(const Scene& scene, const ExportChoice& choice,
                                 const ForEach& for_each, Progress& progress);

/// Throws Error if a film cannot be written into such a file.
void check_is_film(const std::string& file);

/// Makes the film as one file, .png (animated) or .gif; with {frame} in the name, which is the
/// frame's number from 1, as many files of any format of pictures. Throws Error if the format is
/// none.
struct FilmFile {
    std::string name, bytes;
    std::string note{};  // of the first frame: what the figures have no room for
};
Pieces<std::vector<FilmFile>> film_files(const Scene& scene, const ExportChoice& choice,
                                         const ForEach& for_each, Progress& progress);

}  // namespace headlight
