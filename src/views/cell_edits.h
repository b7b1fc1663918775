// Edits of one cell, named for the undo menu.
#pragma once

#include <optional>
#include <string>

#include "io/text/numbers_text.h"
#include "model/cell_changes.h"
#include "model/changes.h"
#include "views/selection.h"

namespace headlight {

/// "W_Q[3, 2]", "pattern[it, cat]"
std::string cell_label(const Trace& trace, const CellPlace& cell);

/// Edits a leaf, or pins a computed tensor. The rest of a row of probabilities is renormalised
/// until the user says otherwise.
Edit set_cell_edit(const Trace& trace, const CellPlace& cell, Scalar value,
                   const std::string& gesture = {});
/// Returns only the change, without a name. `cell` is one of the trace's page.
std::function<void(Document&)> set_cell_change(const Trace& trace, const CellPlace& cell,
                                               Scalar value);

/// Returns the mask that the shown pattern is made with; null if it has none.
const Tensor* shown_mask(const Trace& trace, const Components& components,
                         const Selection& selection);

/// True if the query may read the key.
bool is_open_pair(const Tensor& mask, CellIndex cell);

/// The cells of a mask that are opened or closed together. A longer stroke keeps only its newest
/// ones.
struct MaskStroke {
    std::vector<CellIndex> cells = {};
    bool opens = false;
    Index n_painted = 1;  // in the whole stroke
    std::string gesture = {};
};
Edit mask_edit(const Trace& trace, const Tensor& mask, const MaskStroke& stroke);

/// Returns the present value of a cell; 0 if its tensor is not held in memory.
Scalar value_at(const Trace& trace, const CellPlace& cell);

/// Returns the change for one pixel of a drag. Values typed during a drag are rounded to it.
Scalar drag_step(const Tensor& tensor);
/// Returns the change for one key press or one notch of the wheel.
Scalar cell_step(const Tensor& tensor);
/// Returns the nearest multiple of a unit; for a power of ten below 1, the one with the fewest
/// digits.
Scalar rounded_to(Scalar value, Scalar unit);

// Edits of the chosen cells, named for the undo menu: the held cell, or the block around it.
//
// Goals: a button, a key and a found command do the same. An edit that is refused throws when it is
// applied, so panels may ask for any edit.

struct ChosenCells {
    const Tensor& tensor;  // has a value
    CellRange range;

    bool is_matrix() const { return range.size() == tensor.value->size(); }
};

/// Returns nothing if no cell is held, or its matrix is not held in memory.
std::optional<ChosenCells> chosen_cells(const Trace& trace, const Selection& selection);
/// Returns the chosen cells; throws Error, saying how to hold a cell, if none is held.
ChosenCells need_chosen_cells(const Trace& trace, const Selection& selection);

/// "W_Q, rows 2–4, columns 0–3, 12 cells"
std::string cells_in_words(const ChosenCells& cells);

Edit change_edit(const Trace& trace, const ChosenCells& cells, const Change& change);
/// Pins the cells at the values that they have.
Edit pin_edit(const Trace& trace, const ChosenCells& cells);
Edit reset_edit(const Trace& trace, const ChosenCells& cells);
/// Adds `by` steps to every cell. Probabilities stay between 0 and 1.
Edit step_edit(const Trace& trace, const ChosenCells& cells, Scalar by);

/// Pastes numbers from the clipboard, starting at the first chosen cell; one number fills all
/// chosen cells. The pasted cells become the chosen ones. The selection must outlive the edit.
Edit paste_edit(const Trace& trace, const ChosenCells& cells, Selection& selection,
                const std::string& text);
std::string copied_text(const ChosenCells& cells, NumbersFormat format);

}  // namespace headlight
