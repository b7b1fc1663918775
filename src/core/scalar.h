// The number type of the whole program. The kernels, which are compiled once for every instruction
// set, include this and nothing else.
#pragma once

#include <cstddef>

namespace headlight {

/// float; the derivative tests build the same sources with double.
#ifdef HEADLIGHT_DOUBLE
using Scalar = double;
#else
using Scalar = float;
#endif

using Index = std::ptrdiff_t;

}  // namespace headlight
