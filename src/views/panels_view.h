// Chosen matrices as panels of one figure: those of several heads, and of A, B and A − B.
//
// Goals: one colour bar for all values of one kind, over the range of all of them. Not goals:
// places (figure/panels).
#pragma once

#include <string>
#include <vector>

#include "figure/figure_look.h"
#include "figure/panels/panels_figure.h"
#include "views/compared_sides.h"
#include "views/scene.h"

namespace headlight {

/// Returns the matrix as one of no head, so that it has no head's colours: one bar is for the
/// matrices of several heads.
Tensor of_no_head(const Tensor& tensor, MatrixPtr values);

/// Returns the paths of the matrices that the panels show, in order.
std::vector<std::string> panel_paths(const Scene& scene);
/// Returns the matrix whose colours stand for those of the view: the first panel's, or the chosen
/// one's; null if there are no panels.
const Tensor* leading_matrix(const Scene& scene, ViewId view);

struct ShownPanels {
    PanelsInput input;    // but for its room
    std::string problem;  // why there is no figure; then the rest is empty
};
/// Makes the panels with their colours, names and titles. `heading` says whether titles are shown.
ShownPanels list_panels(const Scene& scene, FigureLook::Heading heading);

/// Says where the weights come from, with every note on any of the panels.
std::string panels_origin(const Scene& scene);

/// Draws the panels in the look's room and type. Throws Error if the matrices cannot stand beside
/// each other, or have no room.
Figure panels_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);

/// Draws panels of A only, with other matrices than the chosen ones.
Figure picture_of_panels(const Scene& scene, std::vector<std::string> paths, const FigureLook& look,
                         const MeasureText& measure);

/// Returns the height of a page in points of the figure, where it has a width and a type on paper;
/// otherwise far more than any figure has.
float tallest_on_page(const FigureLook& look);

}  // namespace headlight
