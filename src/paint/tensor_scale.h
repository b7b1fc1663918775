// How the values of a tensor are coloured, the same in every picture of it.
#pragma once

#include "core/trace.h"
#include "paint/color_scale.h"

namespace headlight {

/// Probabilities: 0 to 1 in the colour of the tensor's head. Ranks: that colour is the first.
/// Signed values: symmetric about 0.
/// `values` may be the tensor's matrix or one made from it.
ColorScale scale_of(const Tensor& tensor, const Matrix& values, const Theme& theme);

/// The legend's words: "probability, linear", "signed, linear".
std::string scale_name(const Tensor& tensor);

}  // namespace headlight
