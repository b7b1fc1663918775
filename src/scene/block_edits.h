// Edits of the chosen cells, named for the undo menu: the held cell, or the block around it.
//
// Goals: a button, a key and a found command do the same. An edit that is refused throws when it is
// applied, so panels may ask for any edit.
#pragma once

#include <optional>
#include <string>

#include "io/text/numbers_text.h"
#include "model/cell_changes.h"
#include "model/edits.h"
#include "scene/selection.h"

namespace headlight {

struct ChosenCells {
    const Tensor& tensor;  // has a value
    CellRange range;

    bool is_matrix() const { return range.size() == tensor.value->size(); }
};

/// Nothing if no cell is held, or its matrix is not held in memory.
std::optional<ChosenCells> chosen_cells(const Trace& trace, const Selection& selection);
/// The same; throws Error, saying how to hold a cell, if none is held.
ChosenCells need_chosen_cells(const Trace& trace, const Selection& selection);

/// "W_Q[3, 2]", "W_Q[2–4, 0–3]", "W_Q" for all of it.
std::string cells_label(const Trace& trace, const ChosenCells& cells);
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
