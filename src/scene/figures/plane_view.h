// The rows of a matrix of two columns as arrows; of two held ones the angle and the projection.
#pragma once

#include "paint/figure_look.h"
#include "paint/plots/plane_figure.h"
#include "scene/scene.h"

namespace headlight {

/// Whether there are rows, of two numbers.
bool has_two_columns(const Tensor& tensor);
/// The same, of a matrix that is computed.
bool is_plane(const Tensor& tensor);

/// Of the chosen matrix, and of the one that it stands against. Held rows: two of the chosen
/// matrix, or one of each. Throws Error if the other matrix has not two columns or is not there.
/// The caller sets the size.
PlaneInput plane_input(const Scene& scene);

/// The view: the arrows, as large as the look says.
Figure plane_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);

}  // namespace headlight
