// A view of the window as a figure of its own, for files, for the clipboard and for previews.
//
// Goals: the window and the command line make the same figure of the same scene. Not goals: formats
// of files (io/exporters.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "paint/figure_look.h"
#include "scene/scene.h"

namespace headlight {

enum class FigureOf {
    Matrix,
    Graph,
    Image,
    Words,
    Compared,
    Panels,
    Heads,
    Readout,
    NextWords,
    Lens,
    Attribution,
    Sweep,
    Composition,
    Flow,
    Layer,
    Step,
    Row,
    Plane,
    Explanation,
    Training,
    Window
};

struct NamedFigure {
    FigureOf view;
    const char *word, *name;  // "heads", "All heads"
};
std::span<const NamedFigure> named_views();

/// True if the scene has content for the view.
bool is_shown(const Scene& scene, FigureOf view);
/// Throws Error, saying why, if it has none.
void check_is_shown(const Scene& scene, FigureOf view);
/// The views that the scene has content for, in the order of named_views.
std::vector<NamedFigure> list_views(const Scene& scene);

/// True of views of a logit that is asked for, which is that of the held word.
bool shows_logits(FigureOf view);
/// True of views of what is held: it is held whether a look marks it or not.
bool needs_held(FigureOf view);
/// True of views that show what A is compared with.
bool shows_sides(FigureOf view);

/// The view that stands large in the window.
FigureOf shown_view(const Scene& scene);
/// What is exported of it unless another view is chosen: of logits with a sweep below them, the
/// sweep; of a training, whose curves stand above its heads, the heads.
FigureOf exported_view(const Scene& scene);

struct ViewFigure {
    Figure figure;
    Color background{};  // the background that goes with it
    FigureLook look{};   // with the type of its labels
    std::string note{};  // says what there was no room for; "": nothing
};

/// The line below the figure: where its weights come from, what is set by hand, and of all heads
/// what their colours stand for, where this is not the usual.
std::string view_origin(const Scene& scene, FigureOf view);

/// Makes the figure of any view except the window itself, in the look's theme, room, type and
/// heading. What is held is marked as on the screen; nothing is hovered. Throws Error if the scene
/// has nothing for the view.
ViewFigure view_figure(const Scene& scene, FigureOf view, const FigureLook& look,
                       const MeasureText& measure);

}  // namespace headlight
