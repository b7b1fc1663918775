// One export: what was chosen, and what is written of it beside the window.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "io/exporters.h"
#include "paint/pixels.h"
#include "scene/export/film_figures.h"

namespace headlight {

struct ExportChoice {
    FigureOf view = FigureOf::Matrix;
    std::string matrices;  // a glob, for numbers; empty: the chosen matrix
    FigureLook look;
    FilmChoice film;
    std::filesystem::path file;
    bool has_caption = false;

    bool is_picture() const;  // by the file's extension
};

/// What must be computed to export the choice: globs.
std::vector<std::string> watched_for(const Scene& scene, const ExportChoice& choice);

/// Everything that is written, apart from the window's world.
struct ExportWork {
    struct File {
        std::filesystem::path path;
        std::vector<Tensor> tensors;
    };
    const Exporter* exporter = nullptr;
    std::shared_ptr<const Trace> trace;
    std::vector<File> files;
    Figure figure;
    std::optional<Pixels> window;  // instead of the figure
    FigureSheet sheet;
    FigureLook look;          // with the type that the figure has
    std::string note;         // what the figure has no room for; "": nothing
    std::string caption;      // "": none is written
    std::string other_study;  // that the caption names; "": none
    std::optional<Filmed> filmed;
};

/// What is exported, as the window has it.
struct ExportedScene {
    Scene scene;
    std::shared_ptr<const Trace> trace;  // the scene's
    std::filesystem::path study;         // its file; "" while it has none
    std::string motion;                  // of the number that is animated; "" while none is
    Point window = {};                   // its size, in its points
};

/// How large a pixel of the window is on paper, and its theme: a point of the window is a point.
FigureLook look_of_window(const ExportedScene& exported, const Pixels& window);

/// The window itself is `window`. Throws Error if the choice cannot be exported.
ExportWork make_work(const ExportedScene& exported, const ExportChoice& choice,
                     const std::optional<Pixels>& window = std::nullopt);

/// Writes the files, whole ones only. Returns what was done: "Exported to a.png". Throws Error, and
/// Cancelled between two files.
std::string do_work(const ExportWork& work, Progress& progress);

}  // namespace headlight
