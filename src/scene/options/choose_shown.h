// Applies the options of a view to the selection and the comparison.
#pragma once

#include <functional>
#include <string>

#include "core/analyses/difference.h"
#include "core/components.h"
#include "scene/options/item_names.h"
#include "scene/options/shown.h"
#include "scene/selection.h"

namespace headlight {

/// Part and head, before a matrix is chosen. Throws Error if there is no such part.
void open_shown(Selection& selection, const Trace& trace, const Components& components,
                const ShownOptions& shown);

/// The matrix large, in its colours, with its held rows and the heads that stand over it. Throws
/// Error if there is no such row or head.
void choose_shown(Selection& selection, const TensorIn& tensor, const Components& components,
                  const ShownOptions& shown, const TakeNote& note);

/// Opens a study by what a view calls it. Throws Error if there is none.
using OpenStudy = std::function<Document(const std::string& name)>;

/// The B of the comparison. `whole` has all sentences. Throws Error if A cannot be compared with
/// it.
Other other_shown(const Document& a, const Trace& whole, const ShownOptions& shown,
                  const OpenStudy& open);

}  // namespace headlight
