// Changes to many cells at once: fill, scale, transpose, redraw.
//
// Goals: every change is a name in one list, and a function from values to values.
// Not goals: sets of cells that are not a rectangle.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/matrix.h"
#include "core/trace.h"
#include "model/document.h"

namespace headlight {

enum class CellChange {
    Fill,
    Shift,
    Scale,
    Zero,
    Negate,
    Identity,   // ones from the range's first cell down its diagonal, else zeros
    Transpose,  // of a square range
    Random,
    Normalise,  // each row of the range, or the edges of each node, sums to 1
};

enum class Operand { None, Number, Seed };

struct NamedChange {
    CellChange change;
    const char* name;  // "scale by"
    Operand operand;
    const char* what;  // its effect, in a few words
};
std::span<const NamedChange> cell_changes();

/// A change and what it needs: a number or a seed.
struct Change {
    CellChange kind = CellChange::Zero;
    Scalar number = 0;
    std::uint64_t seed = 1;
};

/// Writes "Scale W_Q[1–2, 0–3] by 0.5"; `cells` names the cells.
std::string change_label(const Change& change, const std::string& cells);

/// Returns the range's values after the change. Random draws from a normal distribution with mean 0
/// and the deviation that the matrix has without edits (1 if that is 0); for probabilities it takes
/// absolute values and normalises them. The tensor must have a value. Throws Error if the range
/// must be square and is not, a row cannot be normalised, or a cell cannot have a result.
Matrix changed_cells(const Tensor& tensor, const CellRange& range, const Change& change);

/// Sets the range, whose rows count from the tensor's first_row. The rest of rows of
/// probabilities is scaled, unless the tensor was changed before or whole rows are set. Throws
/// Error if the shape differs, the range is not inside the tensor, or a value is NaN.
void set_cells(Document& document, const Tensor& tensor, const CellRange& range,
               const Matrix& values);

/// Undoes what was set by hand in the range.
void reset_cells(Document& document, const Tensor& tensor, const CellRange& range);

}  // namespace headlight
