// Where a study's weights come from, in words shown beside what was computed with them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/trace.h"
#include "model/document.h"

namespace headlight {

/// Whether every cell of the matrix is set by hand.
bool is_set_by_hand(const Document& document, const PlannedTensor& tensor);

/// "untrained: weights drawn from seed 1", "weights set by hand, embeddings drawn from seed 1",
/// "imported from bert.safetensors; 2 of 14 weights drawn from seed 1", "recorded in
/// attention.npz". Empty where nothing is learned. What a test has said of the weights is left out
/// where they are not all there, or not alone. The plan is the document's.
std::string weight_origin(const Document& document, const Plan& plan);

/// The matrices that have cells set by hand, or are ablated. Learned ones are left out if the
/// origin says of them that they are set by hand. The plan is the document's.
std::vector<std::string> matrices_set_by_hand(const Document& document, const Plan& plan);
/// "2 matrices are set by hand"; "" for none.
std::string set_by_hand_text(std::size_t n_matrices);

/// The origin without what a test has said of the weights: ", 99.8 % of held-out nodes
/// right".
std::string without_accuracy(const std::string& origin);

/// How many weights the plan has, and how many of them come from a file; the others were drawn.
struct StoredWeights {
    int n_stored = 0, n_all = 0;
};
StoredWeights count_stored(const Plan& plan);

}  // namespace headlight
