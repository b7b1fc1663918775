// Several held words, nodes or patches as one row: their sum or their mean, and its name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/pattern_rows.h"
#include "scene/selection.h"

namespace headlight {

/// True if the rows of the tensor are items of that list, so that several can be joined.
bool has_item_rows(const Tensor& tensor, int list);

/// What the querying items read from each key, according to a pattern with a value (in a graph,
/// from each node). No weights if none of the items is a row of it.
struct ReadWeights {
    std::vector<Index> queries;
    std::vector<Scalar> weights;
    Scalar most = 1;  // the largest possible weight: for a sum, the number of its rows
};
ReadWeights read_weights(const Trace& trace, const Tensor& pattern, const Selection& selection);

/// The largest number of the held row of a matrix; nothing if no row of it is held, or several.
std::optional<PointedCell> largest_of_held_row(const Trace& trace, const Selection& selection);

/// “it”; sum of “it”, “tired”; mean of “it”, “tired”, “was” and 2 more
std::string joined_name(const std::vector<std::string>& items, const std::vector<Index>& queries,
                        RowsAs as);
/// The same as a heading: Sum of “it”, “tired”
std::string joined_title(const std::vector<std::string>& items, const std::vector<Index>& queries,
                         RowsAs as);

}  // namespace headlight
