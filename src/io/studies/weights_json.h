// Weights as they stand in a study: inside of it, or the name of their file.
#pragma once

#include "io/text/json_view.h"
#include "model/weights.h"

namespace headlight {

/// Those of a file are not opened yet: they have a problem until open_weights() has read them.
SharedWeights read_weights_json(const JsonView& object);

}  // namespace headlight
