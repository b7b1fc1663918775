// Finds the tensors of a study that the arrays of other libraries become, by their names.
//
// Goals: a library is a few rows of one table. Not goals: reading files; names with a vocabulary of
// their own (word embeddings), which belong to a model, not to a study.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/imports/tensor_mapping.h"

namespace headlight {

/// "layers.2.q" is "layers.#.q" with 2. Names compare by their texts, then by their numbers.
struct NumberedName {
    std::string text;
    std::vector<long> numbers;

    auto operator<=>(const NumberedName&) const = default;
};
NumberedName numbered(std::string_view name);

/// Returns the name without the parts that PyTorch's wrappers of modules add: "_orig_mod."
/// (torch.compile), "module." before all (DataParallel), "_fsdp_wrapped_module.",
/// "_checkpoint_wrapped_module.".
std::string without_wrappers(std::string name);

/// An array that goes nowhere, or not as a whole.
struct UnusedArray {
    std::string name, why;  // "the study has too few layers; of this shape: …"

    bool operator==(const UnusedArray&) const = default;
};

struct GuessedMappings {
    std::vector<TensorMapping> mappings;  // those that fit, in the order of the arrays
    std::vector<UnusedArray> problems;    // the other arrays
};

/// Guesses the tensors that arrays become. Known are: paths of the study; TransformerLens;
/// PyTorch's nn.MultiheadAttention, nn.TransformerEncoderLayer and decoder layer, and the norm
/// after the last one; the projections of Hugging Face's models (GPT-2, BERT, LLaMA); PyTorch
/// Geometric's GATConv and GATv2Conv. An array of all heads is cut into them; one that multiplies
/// from the left there (x Wᵀ) is transposed. Where names count layers, the first is the study's
/// first. Names count without_wrappers, unless two are then the same.
GuessedMappings guess_mappings(const std::vector<ArrayShape>& arrays, const Plan& plan);

/// "in_proj_weight (24 × 8)"
std::string described(const ArrayShape& array);

}  // namespace headlight
