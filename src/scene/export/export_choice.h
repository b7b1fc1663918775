// One export, as the dialog and the command line describe it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/matrix.h"
#include "paint/figure_look.h"
#include "scene/figures/view_figure.h"

namespace headlight {

struct FilmChoice {
    /// "walk": the steps of the open part as slides. "layer.attention.temperature=0.2:4": a setting
    /// of the study, or a cell ("blocks.0.attn.heads.0.W_Q[3,2]=-1:1"), from one value to the other
    /// and back.
    std::string motion;                  // empty: no film
    int n_frames = 24;                   // of a number's motion from one value to the other
    float frame_secs = 0;                // 0: what suits the motion
    std::optional<Index> sentence = {};  // which one of several, from 0; absent: all

    bool is_on() const { return !motion.empty(); }
    bool is_walk() const { return motion == "walk"; }
    float secs() const { return frame_secs > 0 ? frame_secs : is_walk() ? 2.0f : 0.08f; }
};

struct ExportChoice {
    FigureOf view = FigureOf::Matrix;
    std::vector<std::string> matrices;  // globs, for numbers; none: the chosen matrix
    FigureLook look;
    FilmChoice film;
    std::filesystem::path file;   // with {path} in its name one for each matrix
    std::filesystem::path study;  // the study's file; empty: it has none
    /// The file of the study that it is compared with; empty: it is written beside the figure.
    std::filesystem::path other = {};
    bool has_caption = false;
    /// How the command in the caption names files: by their names alone, for readers who find them
    /// together, or by the paths as given.
    enum class CaptionPaths { Names, AsTheyAre } caption_paths = CaptionPaths::Names;

    bool is_picture() const;  // by the file's extension
};

}  // namespace headlight
