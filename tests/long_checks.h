// Whether a case tries everything that it can, however long it takes.
#pragma once

#include <cstdlib>

namespace headlight {

/// True if the environment variable HEADLIGHT_LONG_CHECKS is set, as `./run check-all` does. A case
/// that takes long tries a part otherwise: a few of its seeds, the narrowest of its screens.
inline bool is_long_check() {
    return std::getenv("HEADLIGHT_LONG_CHECKS") != nullptr;
}

}  // namespace headlight
