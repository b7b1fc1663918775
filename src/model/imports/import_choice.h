// ImportChoice: the targets of a file's arrays, by guesses and by the user's corrections; and the
// layout of rotary pairs in the model that the arrays come from.
//
// Not goals: guessing (known_names.h), reading files.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/document.h"
#include "model/imports/known_names.h"
#include "model/imports/tensor_mapping.h"

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

// ---- the pairs of columns that rotary positions turn: a model that was trained with one layout
// gives other scores under the other one ----

/// A model whose arrays have telling names, and its layout.
struct RotarySource {
    const char* model;  // "Hugging Face's LLaMA"
    RotaryPairs pairs;
};

/// Returns null if the names say nothing.
const RotarySource* rotary_source(const std::vector<ArrayShape>& arrays);

/// Returns the study's layout; absent where nothing is turned.
std::optional<RotaryPairs> rotary_pairs(const Document& document);
/// Sets the layout; has no effect where nothing is turned.
void set_rotary_pairs(Document& document, RotaryPairs pairs);

/// Returns the layout that a study gets with these arrays: `asked`, else that of the source, else
/// its own; absent where nothing is turned.
std::optional<RotaryPairs> rotary_pairs_for(const Document& document,
                                            const std::vector<ArrayShape>& arrays,
                                            std::optional<RotaryPairs> asked = {});
/// Gives the reason for the layout as a sentence for the user: "rotary pairs: halves, as …".
std::string rotary_reason(RotaryPairs pairs, const std::vector<ArrayShape>& arrays);

}  // namespace headlight
