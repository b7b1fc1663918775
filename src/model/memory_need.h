// The memory and the work that an evaluation needs, estimated before it begins.
#pragma once

#include "core/compute.h"

namespace headlight {

/// Returns the memory of this machine. A process that exceeds it is killed without a message.
double memory_bytes();

/// Returns the memory that all matrices of the plan take together, though a trace keeps only some
/// of them.
double count_bytes(const Plan& plan);

/// Throws Error, naming the largest matrix, if the matrices that the trace keeps take more than
/// `most_bytes`.
void check_memory_need(const Plan& plan, const Watched& watched, double most_bytes);

/// The most that a study may need.
struct StudyBounds {
    double work = 0;   // multiply-adds of an evaluation of everything
    double bytes = 0;  // of all matrices together
};
/// Returns the bounds for a study that comes from an unreviewed change: a slider that is dragged
/// before an audience, an answer that somebody sent. They are about a second and some memory, or
/// twice the need of the study as it is written.
StudyBounds bounds_of_changes(const Plan& written);
/// Throws Error, naming the largest matrix, if the plan needs more.
void check_bounds(const Plan& plan, const StudyBounds& bounds);

/// Writes "its largest matrix, blocks.0.attn.heads.0.scores, is 4096 × 4096".
std::string largest_matrix(const Plan& plan);

}  // namespace headlight
