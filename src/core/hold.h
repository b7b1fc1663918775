// Hold: values that the user has set by hand in one tensor.
//
// On a leaf a hold is an edit. On a computed tensor it is a pin (an intervention): the held cells
// keep their value while everything before them changes.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/edges.h"
#include "core/matrix.h"

namespace headlight {

struct HeldCell {
    Index row = 0, column = 0;
    Scalar value = 0;

    bool operator==(const HeldCell&) const = default;
};

/// What happens to the cells of a row that are not held.
enum class RowRule {
    Keep,         // they keep their computed values; the row's sum changes
    Renormalise,  // they are scaled together, so that the row sums to 1
};

/// Shared by all copies until one of them is changed: the documents of a history have most of
/// their cells in common.
class HeldCells {
  public:
    HeldCells() = default;
    HeldCells(std::vector<HeldCell> cells)
        : cells_(std::make_shared<std::vector<HeldCell>>(std::move(cells))) {}
    HeldCells(std::initializer_list<HeldCell> cells) : HeldCells(std::vector<HeldCell>(cells)) {}

    operator const std::vector<HeldCell>&() const { return get(); }
    auto begin() const { return get().begin(); }
    auto end() const { return get().end(); }
    std::size_t size() const { return get().size(); }
    bool empty() const { return get().empty(); }
    const HeldCell& operator[](std::size_t k) const { return get()[k]; }

    /// To change, no longer shared.
    std::vector<HeldCell>& edit();

    bool shares_with(const HeldCells& other) const { return cells_ == other.cells_; }
    bool operator==(const HeldCells& other) const {
        return shares_with(other) || get() == other.get();
    }

  private:
    const std::vector<HeldCell>& get() const;

    std::shared_ptr<std::vector<HeldCell>> cells_;  // null: none
};

struct Hold {
    HeldCells cells;  // sorted by row, then column; one entry a cell
    RowRule rows = RowRule::Keep;
    bool is_on = true;  // switched off, the cells are kept and have no effect

    const HeldCell* find(Index row, Index column) const;
    void set(Index row, Index column, Scalar value);  // throws Error if NaN
    void reset(Index row, Index column);

    bool operator==(const Hold&) const = default;
};

/// Holds by tensor path. Paths and cells that the study does not have now are dormant: they wait.
using Holds = std::map<std::string, Hold>;

/// A hold of every cell.
Hold hold_all(const Matrix& values);

/// The computed matrix with the held cells in place. Cells outside the matrix are ignored.
/// `edges` is given for a tensor with one row an edge: there the edges of a node are one row.
/// Renormalise, in each row with a held cell, P their sum and F the sum of the free cells:
///     free a ↦ a (1 − P) / F;   if P ≥ 1 or F = 0: free a ↦ 0, held p ↦ p / P (unchanged if P = 0)
Matrix apply_hold(const Hold& hold, const Matrix& computed, const Edges* edges = nullptr);
/// The same in place, in rows of the matrix that begin at `first_row`. With edges: in all rows.
void hold_rows(const Hold& hold, View computed, Index first_row, const Edges* edges = nullptr);

/// Gradient with respect to the computed matrix, given that with respect to the result.
Matrix pull_hold(const Hold& hold, const Matrix& computed, const Matrix& gradient,
                 const Edges* edges = nullptr);

}  // namespace headlight
