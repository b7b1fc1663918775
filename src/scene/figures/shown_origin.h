// Where the shown tensors' weights come from, in words.
#pragma once

#include <string>

#include "scene/scene.h"

namespace headlight {

/// weight_origin of the study, and of the one that it is compared with where that has another.
std::string shown_origin(const Scene& scene);

/// How much higher a figure becomes that says it in a line of its own.
inline constexpr float kOriginLine = 16;
void add_origin(Figure& figure, const std::string& origin, const Theme& theme,
                const MeasureText& measure);

}  // namespace headlight
