// ImportChoice: the targets of a file's arrays, by guesses and by the user's corrections.
//
// Not goals: guessing (known_names.h), reading files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/document.h"
#include "model/imports/known_names.h"

namespace headlight {

struct ImportChoice {
    std::vector<TensorMapping> mappings;
    std::vector<UnusedArray> unused;  // arrays that go nowhere, or not as a whole
};

/// Returns the guesses, corrected by the user's mappings. A user's mapping replaces the guess for
/// its tensor, and guesses for any of the numbers that it takes. A mapping without a path leaves
/// its numbers out. Throws Error if two of the user's mappings go to one tensor.
ImportChoice choose_mappings(const GuessedMappings& guessed, std::span<const TensorMapping> said,
                             const std::vector<ArrayShape>& arrays);

/// Returns the arrays that are not used, or only in part, with the reason if it is known. An array
/// that a mapping without a path takes is not listed.
std::vector<UnusedArray> unused_arrays(std::span<const TensorMapping> mappings,
                                       const std::vector<UnusedArray>& reasons,
                                       const std::vector<ArrayShape>& arrays);

/// The learned tensors of the study that are neither mapped to nor set by hand. They are drawn from
/// the seed, or have the constant that biases and gains start with. `weights` counts both, without
/// embeddings.
struct WeightsLeft {
    std::vector<std::string> drawn, constant, weights;
};
WeightsLeft weights_left(const Document& document, const Plan& plan,
                         std::span<const TensorMapping> mappings);

/// Lists paths as "embed, blocks.*.attn.heads.*.W_V (4)": paths that differ only by numbers are
/// one.
std::string list_of_paths(const std::vector<std::string>& paths);

/// Describes the import, one sentence per line: matrices that are set, that stay drawn, that are
/// not used.
std::vector<std::string> import_summary(const ImportChoice& choice, const WeightsLeft& left,
                                        std::uint64_t seed);

}  // namespace headlight
