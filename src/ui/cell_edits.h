// Edits of one cell, named for the undo menu.
#pragma once

#include "ui/panel.h"

namespace headlight {

/// "W_Q[3, 2]", "pattern[it, cat]"
std::string cell_label(const Trace& trace, const PointedCell& cell);

/// An edit of a leaf, a pin of a computed tensor. The rest of a row of probabilities is
/// renormalised until the user says otherwise.
void push_set_cell(PanelContext& context, const PointedCell& cell, Scalar value,
                   const std::string& gesture = {});
/// The change alone. `cell` is one of the trace's page.
std::function<void(Document&)> set_cell_change(const Trace& trace, const PointedCell& cell,
                                               Scalar value);
void push_reset_cell(PanelContext& context, const PointedCell& cell);

/// Closes the pair (query, key) of the mask, or opens it.
/// The mask that the shown pattern is made with; null if it has none.
const Tensor* shown_mask(const PanelContext& context);
void push_toggle_mask(PanelContext& context, Index query, Index key);

/// The value of a cell now; 0 if its tensor is not held in memory.
Scalar value_at(const Trace& trace, const PointedCell& cell);

/// What one pixel of a drag changes, and what typed values are rounded to while dragging.
Scalar drag_step(const Tensor& tensor);

}  // namespace headlight
