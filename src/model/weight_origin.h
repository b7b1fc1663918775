// The origin of a study's weights, in words shown beside the results computed with them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/trace.h"
#include "model/document.h"

namespace headlight {

/// True if every cell of the matrix is set by hand.
bool is_set_by_hand(const Document& document, const PlannedTensor& tensor);

/// Returns "untrained: weights drawn from seed 1", "weights set by hand, embeddings drawn from seed
/// 1", "imported from bert.safetensors; 2 of 14 weights drawn from seed 1", "recorded in
/// attention.npz". Empty where nothing is learned. A test's result is left out unless the tested
/// weights are all there and there are no others. The plan is the document's.
std::string weight_origin(const Document& document, const Plan& plan);

/// Returns the matrices that have cells set by hand, or are ablated. Learned ones are left out if
/// the origin already says that they are set by hand. The plan is the document's.
std::vector<std::string> matrices_set_by_hand(const Document& document, const Plan& plan);
/// Writes "2 matrices are set by hand"; "" for none.
std::string set_by_hand_text(std::size_t n_matrices);

/// Returns the origin without a test's result: ", 99.8 % of held-out nodes right".
std::string without_accuracy(const std::string& origin);

/// The number of weights of the plan, and how many of them come from a file; the others were drawn.
struct StoredWeights {
    int n_stored = 0, n_all = 0;
};
StoredWeights count_stored(const Plan& plan);

}  // namespace headlight
