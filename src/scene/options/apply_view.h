// Makes the choices of a view in a selection and a comparison: names become places of one trace.
#pragma once

#include <functional>

#include "core/components.h"
#include "scene/comparison.h"
#include "scene/options/item_names.h"
#include "scene/options/view_state.h"
#include "scene/selection.h"

namespace headlight {

/// Opens the part and chooses the head, before a matrix is chosen. Throws Error if there is no such
/// part.
void open_part(Selection& selection, const Trace& trace, const Components& components,
               const ViewState& state);

/// Shows the matrix large, in its colours, with its held rows and the heads that stand over it.
/// Throws Error if there is no such row or head.
void apply_view(Selection& selection, const TensorIn& tensor, const Components& components,
                const ViewState& state, const TakeNote& note);

/// Opens a study by what a view calls it. Throws Error if there is none.
using OpenStudy = std::function<Document(const std::string& name)>;

/// Returns the B that the state names. `whole` has all sentences. Throws Error if A cannot be
/// compared with it.
Other named_other(const Document& a, const Trace& whole, const ViewState& state,
                  const OpenStudy& open);

}  // namespace headlight
