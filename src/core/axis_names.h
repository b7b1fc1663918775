// What the rows and columns of a tensor are called: words, nodes, edges.
#pragma once

#include <string>
#include <vector>

#include "core/plan.h"

namespace headlight {

/// True if the indices of the axis have names of their own.
bool has_names(const Axis& axis);

/// What an index may be called; the last one is easy to type. Of an edge along which 9 reads 33:
/// "9 ← 33", "33->9", "9<-33".
std::vector<std::string> names_on_axis(const Plan& plan, const Axis& axis, Index index);

/// All indices that are called so, ascending.
std::vector<Index> find_on_axis(const Plan& plan, const Axis& axis, const std::string& name);

}  // namespace headlight
