// Weights as they stand in a study: inside of it, or the name of their file.
#pragma once

#include "io/text/json_view.h"
#include "model/weights.h"

namespace headlight {

/// Reads weights. Weights in a file of their own are not opened yet: until open_weights() has read
/// them, they have a problem.
SharedWeights read_weights_json(const JsonView& object);

}  // namespace headlight
