// What is held, as rows and a column of a matrix.
#pragma once

#include "scene/scene.h"

namespace headlight {

struct HeldPlace {
    std::string path;                 // of the matrix; "": nothing is held
    std::vector<Index> rows = {};     // more than one: items that look, as Focus::also
    std::vector<Index> columns = {};  // more than one, without rows: items that are looked at
};

/// A row or a cell that stands for what the scene's selection holds: of `chosen` if it has one,
/// else of any matrix.
HeldPlace held_place(const Scene& scene, const Tensor& chosen);

}  // namespace headlight
