// Films: the steps of a part one after the other, or a view while one number moves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "model/evaluate.h"
#include "scene/figures/view_figure.h"

namespace headlight {

struct FilmChoice {
    /// "walk": the steps of the open part as slides. "layer.attention.temperature=0.2:4": a setting
    /// of the study, or a cell ("blocks.0.attn.heads.0.W_Q[3,2]=-1:1"), from one value to the other
    /// and back.
    std::string motion;    // empty: no film
    int n_frames = 24;     // of a number, from one value to the other
    float frame_secs = 0;  // 0: what suits the motion

    bool is_on() const { return !motion.empty(); }
    bool is_walk() const { return motion == "walk"; }
    float secs() const { return frame_secs > 0 ? frame_secs : is_walk() ? 2.0f : 0.08f; }
};

/// What is filmed, with nothing of the window's in it.
struct Filmed {
    Document document;
    Selection selection;
    std::optional<Index> sentence;  // of several, from 0; absent: all
    FigureOf view = FigureOf::Matrix;
    FigureLook look;
    FilmChoice film;
};

struct FilmFigures {
    std::vector<Figure> figures;  // of one size
    Color ground;
    FigureLook look;   // with the type of the first one, which all have
    std::string note;  // what that has no room for
};

/// Evaluates what it needs. Throws Error if the motion cannot be understood or the study has no
/// such number, and Cancelled.
FilmFigures film_figures(const Filmed& filmed, const ForEach& for_each, Progress& progress);

/// The film as one file, .png (animated) or .gif; with {frame} in the name, which is the frame's
/// number from 1, as many files of any format of pictures. Throws Error if the format is none.
struct FilmFile {
    std::string name, bytes;
    std::string note{};  // of the first: what the figures have no room for
};
std::vector<FilmFile> film_files(const Filmed& filmed, const std::string& file,
                                 const ForEach& for_each, Progress& progress);

}  // namespace headlight
