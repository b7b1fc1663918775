// The rows of a matrix of two columns as arrows; for two held ones the angle and the projection.
#pragma once

#include "figure/figure_look.h"
#include "figure/plots/plane_figure.h"
#include "views/scene.h"

namespace headlight {

/// True if there are rows of two numbers.
bool has_two_columns(const Tensor& tensor);
/// True if the matrix has two columns and is computed.
bool is_plane(const Tensor& tensor);

/// Makes the arrows of the chosen matrix, and of the one that it stands against. The held rows are
/// two of the chosen matrix, or one of each. Throws Error if the other matrix does not have two
/// columns or is not there. The caller sets the size.
PlaneInput plane_input(const Scene& scene);

/// Draws the view: the arrows, as large as the look says.
Figure plane_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);

}  // namespace headlight
