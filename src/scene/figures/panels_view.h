// Chosen matrices as panels of one figure: those of several heads, and of A, B and A − B.
//
// Goals: one colour bar for all values of one kind, over the range of all of them. Not goals:
// places (paint/panels).
#pragma once

#include <string>
#include <vector>

#include "paint/figure_look.h"
#include "paint/panels/panels_figure.h"
#include "scene/figures/compared_sides.h"
#include "scene/scene.h"

namespace headlight {

/// A matrix in the colours of no head: one bar is of the matrices of several heads.
Tensor of_no_head(const Tensor& tensor, MatrixPtr values);

/// The paths of the matrices that the panels show, in order.
std::vector<std::string> panel_paths(const Scene& scene);

struct ShownPanels {
    PanelsInput input;    // but for its room
    std::string problem;  // why there is no figure; then the rest is empty
};
/// The panels with their colours, names and titles. `look` says whether titles are shown.
ShownPanels list_panels(const Scene& scene, FigureLook::Heading heading);

/// Where the weights come from, with what is to be said of any of the panels.
std::string panels_origin(const Scene& scene);

/// In the look's room and type. Throws Error if the matrices cannot stand beside each other, or
/// have no room.
Figure panels_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);

/// The same of other matrices than the chosen ones, and of A only.
Figure picture_of_panels(const Scene& scene, std::vector<std::string> paths, const FigureLook& look,
                         const MeasureText& measure);

/// The height of a page in points of the figure, where it has a width and a type on paper; else far
/// more than any figure has.
float tallest_on_page(const FigureLook& look);

}  // namespace headlight
