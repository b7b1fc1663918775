// The pairs of columns that rotary positions turn, as the names in a file reveal by its origin.
//
// A model that was trained with one layout gives other scores under the other one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/document.h"
#include "model/imports/tensor_mapping.h"

namespace headlight {

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
