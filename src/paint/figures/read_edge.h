// One weight of a pattern that is held per edge.
#pragma once

#include "core/matrix.h"

namespace headlight {

/// Node i looks at its neighbour j with weight alpha.
struct ReadEdge {
    int i = 0, j = 0;
    Scalar alpha = 0;
};

}  // namespace headlight
