// Segment: tensors of equally many rows, computed together, one block of rows after another.
//
// Goals: what nobody keeps never exists as a whole; blocks can run at once. How a tensor is cut
// depends on what is computed with it, its bits do not: operations give the same for any block.
#pragma once

#include "core/numeric/parallel.h"
#include "core/trace.h"

namespace headlight {

/// A rough count of the multiply-adds of one tensor, from shapes alone.
double estimate_work(const Plan& plan, const PlannedTensor& tensor);

/// True if the tensor can be computed by blocks of rows. (What is held in a row of edges reaches
/// over several rows of the matrix.)
bool is_cut(const Tensor& tensor);

/// The inputs that the tensor's value depends on: all; but of a sum with a mask that is open
/// everywhere the first.
std::span<const TensorId> read_inputs(const Trace& trace, const Tensor& tensor);

/// Computes the tensors `ids` (ascending). Either they have the same rows, can be cut, and read
/// each other by row, or there is one. Those `stored` are left in the trace as computed and value;
/// the others only exist block by block. Inputs from outside must have values. Who follows
/// `for_each` is told of every block, and throws from there what ends the work.
void run_segment(Trace& trace, std::span<const TensorId> ids, const std::vector<bool>& stored,
                 const ForEach& for_each);

/// The computed matrix with what is held in place; the same one where nothing is.
MatrixPtr held_value(const Tensor& tensor, const MatrixPtr& computed);

/// The whole result of one tensor, before the hold, bit for bit as in a segment.
Matrix compute_alone(const Tensor& tensor, const Call& whole);

}  // namespace headlight
