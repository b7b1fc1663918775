// Whether a network has its weights from files, all of them, and reads all that are there.
#pragma once

#include <string>
#include <vector>

#include "model/evaluate.h"

namespace headlight {

/// The names of stored weights that no tensor reads, and the paths of learned tensors that have
/// none.
inline std::vector<std::string> unmatched_weights(const Document& document) {
    const auto made = plan(document);
    std::vector<std::string> unmatched = dormant_weights(*made, *document.weights);
    for (const PlannedTensor& tensor : made->tensors()) {
        const bool is_learned =
            can_be_stored(tensor) && tensor.identity.component != ComponentKind::Analyses;
        const bool has_weights = tensor.settings.stored || tensor.settings.source;
        if (is_learned && !has_weights) unmatched.push_back(tensor.path);
    }
    return unmatched;
}

}  // namespace headlight
