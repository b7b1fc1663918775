// Where the shown tensors' weights come from, in words.
#pragma once

#include <string>

#include "scene/scene.h"

namespace headlight {

/// weight_origin of the study, and asked_row_note of the tensor.
std::string shown_origin(const Scene& scene, const Tensor& tensor);
/// Of the chosen tensor, and of the study that it is compared with where its weights are others.
std::string shown_origin(const Scene& scene);

/// How much higher a figure becomes that says it in a line of its own.
inline constexpr float kOriginLine = 16;
void add_origin(Figure& figure, const std::string& origin, const Theme& theme,
                const MeasureText& measure);

}  // namespace headlight
