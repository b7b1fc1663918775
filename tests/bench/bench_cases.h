// The cases that are measured beside PyTorch; beside_pytorch.py names them and their peers.
#pragma once

#include <functional>
#include <string>

#include "core/progress.h"

namespace headlight {

/// One run of a case, without its preparation.
using BenchCase = std::function<void(const ForEach&)>;

/// Multiply-adds of one run of "fma".
inline constexpr double kFmaCount = 1e6 * 8 * 16;

/// Words with ':' between them:
///     fma, copy, write                    kFmaCount multiply-adds in registers; 2048² numbers
///                                         copied; as many written past the caches
///     attention:N:D:HEADS, causal:N:D:HEADS  a layer again, after its input has changed
///     gpt2:N, minilm:N                    all layers of the model for N words, with all patterns
///     edit:N:D:HEADS                      the same, after one weight of one head has changed
///     memory:N:D:HEADS                    from nothing, with the pattern of one head watched
///     watch:N:D:HEADS                     the pattern of one more head
///     softmax, additive                   2048²; 512 × 512 × 128
///     gat:NODES:EDGES                     8 heads, 64 → 8 × 8, after the features have changed
///     block                               two layers, d = 64, 32 sentences of 16, with gradients
/// Throws Error if there is no such case.
BenchCase make_bench_case(const std::string& name);

}  // namespace headlight
