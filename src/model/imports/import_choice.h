// ImportChoice: what of a file goes where, and what does not: guesses, and what a user says
// instead.
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

/// The guesses, with what was said in their places: a mapping replaces the guess for its tensor,
/// and those for any number that it takes itself; one without a path takes numbers nowhere. Throws
/// Error if two that were said go to one tensor.
ImportChoice choose_mappings(const GuessedMappings& guessed, std::span<const TensorMapping> said,
                             const std::vector<ArrayShape>& arrays);

/// The arrays that the mappings leave out, or take a part of, with the reason where it is known.
/// What a mapping without a path takes is not missed.
std::vector<UnusedArray> unused_arrays(std::span<const TensorMapping> mappings,
                                       const std::vector<UnusedArray>& reasons,
                                       const std::vector<ArrayShape>& arrays);

/// The paths of what is learned in the study and neither mapped to nor set by hand: drawn from its
/// seed, or the constant that biases and gains start as. `weights` are those of both that are not
/// embeddings.
struct WeightsLeft {
    std::vector<std::string> drawn, constant, weights;
};
WeightsLeft weights_left(const Document& document, const Plan& plan,
                         std::span<const TensorMapping> mappings);

/// "embed, blocks.*.attn.heads.*.W_V (4)": paths that differ by numbers alone are one.
std::string list_of_paths(const std::vector<std::string>& paths);

/// What an import does, a sentence a line: what is set, what stays drawn, what is not used.
std::vector<std::string> import_summary(const ImportChoice& choice, const WeightsLeft& left,
                                        std::uint64_t seed);

}  // namespace headlight
