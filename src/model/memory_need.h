// What an evaluation takes of the memory, before it begins.
#pragma once

#include "core/compute.h"

namespace headlight {

/// Of this machine. More than that, and the system ends the program without a word.
double memory_bytes();

/// Throws Error, naming the largest matrix, if what the trace keeps takes more than `most_bytes`.
void check_memory_need(const Plan& plan, const Watched& watched, double most_bytes);

/// "its largest matrix, blocks.0.attn.heads.0.scores, is 4096 × 4096"
std::string largest_matrix(const Plan& plan);

}  // namespace headlight
