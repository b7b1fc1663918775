// Where a study's weights come from, in words shown beside what was computed with them.
#pragma once

#include <string>

#include "core/trace.h"
#include "model/document.h"

namespace headlight {

/// Whether every cell of the matrix is set by hand.
bool is_set_by_hand(const Document& document, const PlannedTensor& tensor);

/// "untrained: weights drawn from seed 1", "weights set by hand, embeddings drawn from seed 1",
/// "imported from bert.safetensors; 2 of 14 weights drawn from seed 1", "recorded in
/// attention.npz". Empty where nothing is
/// learned. The plan is the document's.
std::string weight_origin(const Document& document, const Plan& plan);

}  // namespace headlight
