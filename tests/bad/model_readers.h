// The readers of pretrained models' files as functions from bytes to notes.
#pragma once

#include <string>
#include <string_view>

#include "core/error.h"

namespace headlight::bad {

/// The settings of a network by its config.json. Throws Error in the name of `source`.
std::string model_by_config(std::string_view bytes, const std::string& source);
/// The arrays that an index names, of W in a.safetensors and b in b.safetensors.
std::string arrays_by_index(std::string_view bytes, const std::string& source);

}  // namespace headlight::bad
