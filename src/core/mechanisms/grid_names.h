// How the cells and channels of images are called.
#pragma once

#include <string>
#include <vector>

#include "core/scalar.h"

namespace headlight {

/// "0,0", "0,1" …: row and column, row by row.
std::vector<std::string> grid_names(Index rows, Index columns);

/// "red", "green", "blue" of three, else numbers.
std::vector<std::string> channel_names(Index n_channels);

}  // namespace headlight
