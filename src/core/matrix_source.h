// MatrixSource: matrices that stay elsewhere, such as in a file, and are read when needed.
#pragma once

#include <functional>

#include "core/matrix.h"

namespace headlight {

struct MatrixSource {
    /// Fills `rows` with the rows of matrix number `matrix` from `first_row` on. May be called from
    /// several threads. Throws Error if they cannot be read.
    std::function<void(Index matrix, Index first_row, View rows)> read;
};

}  // namespace headlight
