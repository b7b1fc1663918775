// Names the rows and columns of a tensor: words, nodes, edges.
#pragma once

#include <string>
#include <vector>

#include "core/plan.h"

namespace headlight {

/// True if the indices of the axis have names of their own.
bool has_names(const Axis& axis);

/// True if the indices are words, nodes or patches: the items that the study is about.
bool is_of_items(const Axis& axis);

/// Returns the tensor's columns as one of its rows has them: where sentences are stacked, the
/// columns of a row are the words of the row's own sentence.
Axis columns_of_row(const Plan& plan, const PlannedTensor& tensor, Index row);

/// Returns a column's name for all rows; "key 2" where each of several sentences has another word
/// there.
std::string column_head(const Plan& plan, const PlannedTensor& tensor, Index column);
std::string shown_column_head(const Plan& plan, const PlannedTensor& tensor, Index column);

/// Returns all names of an index; the last one is easy to type. If 9 reads 33 along an edge, its
/// names are "9 ← 33", "33->9" and "9<-33".
std::vector<std::string> names_on_axis(const Plan& plan, const Axis& axis, Index index);

/// Returns all indices with that name, ascending.
std::vector<Index> find_on_axis(const Plan& plan, const Axis& axis, const std::string& name);

/// Returns the name as a formula writes it: \_ is a letter, where _ begins an index.
std::string name_in_formula(const std::string& name);

}  // namespace headlight
