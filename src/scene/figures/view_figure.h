// A view of the window as a figure of its own, for files, for the clipboard and for previews.
//
// Goals: the window and the command line make the same figure of the same scene. Not goals: formats
// of files (io/exporters.h).
#pragma once

#include <string>

#include "paint/figure_look.h"
#include "scene/scene.h"
#include "scene/views.h"

namespace headlight {

/// Returns the view that stands large in the window.
ViewId shown_view(const Scene& scene);
/// Returns the view that is exported unless another one is chosen: for logits with a sweep below
/// them, the sweep; for a training, whose curves stand above its heads, the heads.
ViewId exported_view(const Scene& scene);

struct ViewFigure {
    Figure figure;
    Color background{};  // the background that goes with it
    FigureLook look{};   // with the type of its labels
    std::string note{};  // says what there was no room for; "": nothing
};

/// Returns the line below the figure: where its weights come from, what is set by hand, and for all
/// heads what their colours stand for, where this is not the usual.
std::string view_origin(const Scene& scene, ViewId view);

/// Makes the figure of any view except the window itself, in the look's theme, room, type and
/// heading. What is held is marked as on the screen; nothing is hovered. Throws Error if the scene
/// has nothing for the view.
ViewFigure view_figure(const Scene& scene, ViewId view, const FigureLook& look,
                       const MeasureText& measure);

}  // namespace headlight
