// The held row or cell, as rows and a column of a matrix.
#pragma once

#include "scene/scene.h"

namespace headlight {

struct HeldPlace {
    std::string path;                 // the matrix's path; "": nothing is held
    std::vector<Index> rows = {};     // more than one: items that look, as Focus::also
    std::vector<Index> columns = {};  // more than one, without rows: items that are looked at
};

/// A row or a cell that represents what the selection holds, in `chosen` if it has one, else in any
/// matrix.
HeldPlace held_place(const Scene& scene, const Tensor& chosen);

}  // namespace headlight
