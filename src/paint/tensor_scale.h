// The default colours of a tensor's values.
#pragma once

#include "core/trace.h"
#include "paint/color_scale.h"

namespace headlight {

/// Probabilities: 0 to 1 in the colour of the tensor's head. Ranks: that colour is the first.
/// Amounts: 0 to `limit`, signed values symmetric about 0: the symmetric_limit() of the values.
ColorScale standard_scale(const Tensor& tensor, Scalar limit, const Theme& theme);

/// The legend's words: "probability, linear", "signed, linear".
std::string scale_name(const Tensor& tensor);

/// Whether such values may be negative, and so have diverging colours.
bool is_signed(Quantity quantity);

}  // namespace headlight
