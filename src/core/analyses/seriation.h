// Seriation: an order in which similar rows of a matrix stand beside each other.
#pragma once

#include <vector>

#include "core/matrix.h"

namespace headlight {

/// The largest number of rows that are put in order: the time grows with its third power.
inline constexpr Index kMostSeriated = 128;

/// Returns an order of the n rows of X by the Fiedler vector of their similarities [Atkins, Boman
/// and Hendrickson 1998, "A spectral algorithm for seriation and the consecutive ones problem"]:
/// rows are as similar as exp(−d² / mean d²), where d is the distance of two rows scaled to length
/// 1. Of the two directions it is the one in which the first row of X is nearer to the beginning;
/// rows that are equal keep their order. A value that is not finite counts as the lowest finite
/// value. More than kMostSeriated rows, or fewer than three, keep their order.
std::vector<Index> seriation_order(const Matrix& X);

/// Returns one order for the rows and the columns of a square matrix whose rows and columns are the
/// same things: two are similar if both their rows and their columns are.
std::vector<Index> common_seriation_order(const Matrix& X);

}  // namespace headlight
