// Tensors and cells as people name them: paths with *, words, nodes, edges.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/trace.h"

namespace headlight {

/// Takes a sentence for the user.
using TakeNote = std::function<void(const std::string& note)>;

/// Returns the tensor's place in the plan. Throws Error, naming a near path, if there is none.
TensorId tensor_named(const Plan& plan, const std::string& path);

/// Returns the tensors that match one of the globs, in the order of the plan; every tensor if there
/// is no glob. Throws Error, naming near paths, if a glob matches nothing.
std::vector<TensorId> tensors_matching(const Plan& plan, const std::vector<std::string>& globs);

/// A row or a column of a tensor.
struct AxisPlace {
    const PlannedTensor& tensor;
    const Axis& axis;
    const char* noun;     // "row", "column"
    const char* command;  // the command that asks
};

/// Splits "it#2" into "it" and 2; without a number, it is 1.
struct NumberedItem {
    std::string name;
    std::size_t occurrence = 1;
};
NumberedItem split_numbered(const std::string& text);

/// A whole number is an index, counted from 0; anything else the name of a word, a node, or an edge
/// ("9<-33" or "33->9": 9 reads 33). "it#2" is the second "it"; without a number the first of
/// several that are called so is taken, with a note.
/// Throws Error if there is no such index or name.
Index index_named(const Plan& plan, const AxisPlace& place, const std::string& text,
                  const TakeNote& note);

}  // namespace headlight
