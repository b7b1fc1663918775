// Matrices by name, as archives hold them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/matrix.h"

namespace headlight {

/// Matrices in the order of the file. Names are labels, never paths to open.
using NamedMatrices = std::vector<std::pair<std::string, Matrix>>;

}  // namespace headlight
