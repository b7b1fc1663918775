// How the chosen matrix is shown by the views that show a part of it: view state.
#pragma once

#include <string>
#include <vector>

#include "core/scalar.h"

namespace headlight {

inline constexpr int kMostBars = 60;

struct MatrixLook {
    int n_bars = 8;       // of the view of one row
    std::string against;  // path of the matrix whose rows stand in the same plane; empty: none
    std::string part_of;  // path of the matrix of which only these are shown …
    std::vector<Index> rows = {}, columns = {};  // … in this order; empty: all
};

}  // namespace headlight
