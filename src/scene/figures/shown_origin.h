// Where the shown tensors' weights come from, in words.
#pragma once

#include <string>

#include "scene/scene.h"

namespace headlight {

/// How many matrices are set by hand.
enum class ByHand { Said, LeftOut };

/// weight_origin of the study, what is set by hand, and asked_row_note of the tensor.
std::string shown_origin(const Scene& scene, const Tensor& tensor, ByHand by_hand = ByHand::Said);
/// Of the chosen tensor, and of the study that it is compared with where its weights are others.
std::string shown_origin(const Scene& scene, ByHand by_hand = ByHand::Said);

/// How much higher a figure becomes that says it in a line of its own.
inline constexpr float kOriginLine = 16;
void add_origin(Figure& figure, const std::string& origin, const Theme& theme,
                const MeasureText& measure);

}  // namespace headlight
