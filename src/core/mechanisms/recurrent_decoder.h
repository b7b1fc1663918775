// The decoder: writes the target word by word, and looks at the source before each.
#pragma once

#include "core/mechanisms/recurrent_encoder.h"

namespace headlight {

/// Names everything from decoder.embed to probs; returns decoder.s.
TensorId add_decoder(RecurrentNet& net, const EncodedSource& source);

}  // namespace headlight
