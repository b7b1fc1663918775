// The word that a study asks about: what does "it" stand for?
#pragma once

#include <optional>
#include <string>

#include "core/components.h"

namespace headlight {

/// Its row among those of the page; nothing if the study asks about no word.
std::optional<Index> asked_row(const Trace& page);

/// "only row “it” reaches the answer": of a tensor of the last attention with one row a query,
/// where the study asks about a word. "" of all others.
std::string asked_row_note(const Trace& page, const Components& components, const Tensor& tensor);

}  // namespace headlight
