// A view of the window as a figure of its own, for files, for the clipboard and for previews, and
// the line below it: the origin of the shown weights, in words.
//
// Goals: the window and the command line make the same figure of the same scene. Not goals: formats
// of files (io/exporters.h).
#pragma once

#include <string>
#include <vector>

#include "figure/figure_look.h"
#include "views/scene.h"
#include "views/views.h"

namespace headlight {

struct OriginParts {
    bool has_edits = true;  // the text names how many matrices are set by hand
};

/// Returns weight_origin of the study, and what is set by hand. The plan is the document's.
std::string study_origin(const Document& document, const Plan& plan, OriginParts parts = {});
/// Returns study_origin, and asked_row_note of the tensor.
std::string shown_origin(const Scene& scene, const Tensor& tensor, OriginParts parts = {});
/// Describes the origin of the chosen tensor, and that of the study that it is compared with where
/// its weights are others.
std::string shown_origin(const Scene& scene, OriginParts parts = {});
/// Describes only the origin of the study and of B, for pictures of no one tensor.
std::string whole_origin(const Scene& scene);

/// Shortens the origin to one line: where it is wider, the share of right answers gives way first,
/// so that what is said of the picture itself stays. It may still be too wide.
std::string origin_in_line(std::string origin, float size, float width, const MeasureText& measure);

/// Breaks the origin into lines that a figure of that width has room for, at most three; the rest
/// is cut.
std::vector<std::string> origin_lines(const std::string& origin, float width,
                                      const MeasureText& measure);
/// Returns the height that so many lines add to a figure.
float origin_height(std::size_t n_lines);
void add_origin(Figure& figure, const std::string& origin, const Theme& theme,
                const MeasureText& measure);

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
