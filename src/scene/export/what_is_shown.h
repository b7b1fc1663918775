// What a picture shows, in words: the first lines of its caption.
#pragma once

#include <string>

#include "scene/figures/view_figure.h"

namespace headlight {

/// The name of the view, and what it draws: of matrices their titles, equations and shapes, of
/// analyses what they are.
std::string what_is_shown(const Scene& scene, FigureOf view);

}  // namespace headlight
