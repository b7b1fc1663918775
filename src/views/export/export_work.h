// One export: its choices, and the work that is done outside the window.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/matrix.h"
#include "core/pieces.h"
#include "core/progress.h"
#include "figure/figure.h"
#include "figure/figure_look.h"
#include "io/exporters.h"
#include "views/scene.h"
#include "views/view_figure.h"

namespace headlight {

struct FilmChoice {
    /// "walk" shows the steps of the open part as slides. "layer.attention.temperature=0.2:4" moves
    /// a setting of the study, or a cell ("blocks.0.attn.heads.0.W_Q[3,2]=-1:1"), from one value to
    /// the other and back.
    std::string motion;                  // empty: no film
    int n_frames = 24;                   // of a number's motion from one value to the other
    float frame_secs = 0;                // 0: what suits the motion
    std::optional<Index> sentence = {};  // one of several, from 0; absent: all

    bool is_on() const { return !motion.empty(); }
    bool is_walk() const { return motion == "walk"; }
    float secs() const { return frame_secs > 0 ? frame_secs : is_walk() ? 2.0f : 0.08f; }
};

struct ExportChoice {
    ViewId view = ViewId::Matrix;
    std::vector<std::string> matrices;  // globs, for numbers; none: the chosen matrix
    FigureLook look;
    FilmChoice film;
    std::filesystem::path file;   // with {path} in its name one for each matrix
    std::filesystem::path study;  // the study's file; empty: it has none
    /// The file of the study that it is compared with; empty: it is written beside the figure.
    std::filesystem::path other = {};
    /// The changes of the study that came first, as options of the command.
    std::vector<std::string> changes = {};
    bool has_caption = false;
    /// The command in the caption names files by the paths as given, or else only by their names,
    /// for readers who find them together.
    bool has_paths_as_given = false;

    bool is_picture() const;  // by the file's extension
};

/// Returns globs of the tensors that must be computed to export the choice.
std::vector<std::string> watched_for(const Scene& scene, const ExportChoice& choice);

/// Everything that is written, apart from the window's world.
struct ExportWork {
    struct File {
        std::filesystem::path path;
        std::vector<Tensor> tensors;
    };
    ExportChoice choice;
    const Exporter* exporter = nullptr;
    std::shared_ptr<const Trace> trace;
    std::vector<File> files;
    std::optional<Table> table;                 // instead of tensors
    std::vector<std::filesystem::path> inputs;  // nothing is written over them
    Figure figure;
    std::optional<Pixels> window;  // instead of the figure
    FigureSheet sheet;
    FigureLook look;          // with the type that the figure has
    std::string note;         // says what the figure has no room for; "": nothing
    std::string caption;      // "": none is written
    std::string other_study;  // B, which the caption's command reads from a file; "": none
    Document document;        // for a film …
    Selection selection;      // … and what is selected in it
};

/// The window as a picture, and its size in its own points.
struct WindowPixels {
    Pixels pixels;
    Point size;
};

/// `window` is the picture of the window itself. Throws Error if the choice cannot be exported.
ExportWork make_work(const Scene& scene, const ExportChoice& choice,
                     const std::optional<WindowPixels>& window = std::nullopt);

/// Names D as files of numbers do: "blocks.0.attn.heads.0.pattern.difference".
Tensor named_difference(const Tensor& difference);

/// Returns the first file that is there already and that the export would overwrite. For a film its
/// first frame decides.
std::optional<std::filesystem::path> overwritten_file(const Scene& scene,
                                                      const ExportChoice& choice);

/// A message, "Exported to a.png", which names the study that was written beside it, and notes on
/// what the figures had no room for.
struct ExportDone {
    std::string text, note;
};
/// Returns the bytes of one of the files.
std::string bytes_of(const ExportWork& work, const ExportWork::File& file, const Steps& steps);

/// Writes the files, whole ones only. Throws Error, and Cancelled between two files. A file, or a
/// frame of a film, is a piece. What it refers to must outlive it.
Pieces<ExportDone> do_work(const ExportWork& work, Progress& progress);

}  // namespace headlight
