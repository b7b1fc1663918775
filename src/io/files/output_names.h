// The names of the files that several matrices are written to.
#pragma once

#include <string>
#include <vector>

#include "core/trace.h"

namespace headlight {

/// Returns one name a tensor: `pattern` with {path}, {layer}, {head} and {name} (the last segment
/// of the path) as the tensor has them; "-" where it has none. Throws Error if two tensors have the
/// same name, or if a brace holds anything else.
std::vector<std::string> output_names(const std::string& pattern,
                                      const std::vector<const Tensor*>& tensors);

}  // namespace headlight
