// MatrixSource: matrices that are elsewhere (in a file, say) and read where they are looked at.
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
