// Edits of one cell, named for the undo menu.
#pragma once

#include "model/edits.h"
#include "scene/selection.h"

namespace headlight {

/// "W_Q[3, 2]", "pattern[it, cat]"
std::string cell_label(const Trace& trace, const PointedCell& cell);

/// An edit of a leaf, a pin of a computed tensor. The rest of a row of probabilities is
/// renormalised until the user says otherwise.
Edit set_cell_edit(const Trace& trace, const PointedCell& cell, Scalar value,
                   const std::string& gesture = {});
/// The change alone. `cell` is one of the trace's page.
std::function<void(Document&)> set_cell_change(const Trace& trace, const PointedCell& cell,
                                               Scalar value);

/// The mask that the shown pattern is made with; null if it has none.
const Tensor* shown_mask(const Trace& trace, const Components& components,
                         const Selection& selection);

/// Whether a query may read a key.
enum class Pairs { Open, Closed };
Pairs pairs_at(const Tensor& mask, CellIndex cell);

/// Cells of a mask that are opened or closed together; of a longer stroke the newest ones.
struct MaskStroke {
    std::vector<CellIndex> cells = {};
    Pairs pairs = Pairs::Closed;
    Index n_painted = 1;  // in the whole stroke
    std::string gesture = {};
};
Edit mask_edit(const Trace& trace, const Tensor& mask, const MaskStroke& stroke);

/// The value of a cell now; 0 if its tensor is not held in memory.
Scalar value_at(const Trace& trace, const PointedCell& cell);

/// What one pixel of a drag changes, and what typed values are rounded to while dragging.
Scalar drag_step(const Tensor& tensor);
/// What a key or a notch of the wheel changes.
Scalar cell_step(const Tensor& tensor);
/// The nearest multiple of a unit; of a power of ten below 1 the one with the fewest digits.
Scalar rounded_to(Scalar value, Scalar unit);

}  // namespace headlight
