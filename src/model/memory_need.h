// The memory that an evaluation needs, estimated before it begins.
#pragma once

#include "core/compute.h"

namespace headlight {

/// The memory of this machine. A process that exceeds it is killed without a message.
double memory_bytes();

/// What all matrices of the plan take together, though a trace keeps only some of them.
double count_bytes(const Plan& plan);

/// Throws Error, naming the largest matrix, if what the trace keeps takes more than `most_bytes`.
void check_memory_need(const Plan& plan, const Watched& watched, double most_bytes);

/// "its largest matrix, blocks.0.attn.heads.0.scores, is 4096 × 4096"
std::string largest_matrix(const Plan& plan);

}  // namespace headlight
