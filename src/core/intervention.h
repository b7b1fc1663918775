// Intervention: the values that the user has set by hand in one tensor.
//
// One type serves leaves and computed tensors. On a leaf it is an edit by hand. On a computed
// tensor it is an intervention in the strict sense (the window's "pin"): the cells keep their
// values while everything before them changes. Ablation and patching are two of them.
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

struct CellValue {
    Index row = 0, column = 0;
    Scalar value = 0;

    bool operator==(const CellValue&) const = default;
};

/// The treatment of the cells of a row that are not set by hand.
enum class RowRule {
    Keep,         // they keep their computed values; the row's sum changes
    Renormalise,  // they are scaled together, so that the row sums to 1
};

/// The replacement of a head's output: every row of it, however many there are.
enum class Ablation {
    None,
    Zero,
    Mean,  // of the rows that are computed, without padding
};

/// A list of cells, shared by all copies until one of them is changed: the documents of a history
/// have most of their cells in common.
class CellValues {
  public:
    CellValues() = default;
    CellValues(std::vector<CellValue> cells)
        : cells_(std::make_shared<std::vector<CellValue>>(std::move(cells))) {}
    CellValues(std::initializer_list<CellValue> cells)
        : CellValues(std::vector<CellValue>(cells)) {}

    operator const std::vector<CellValue>&() const { return get(); }
    auto begin() const { return get().begin(); }
    auto end() const { return get().end(); }
    std::size_t size() const { return get().size(); }
    bool empty() const { return get().empty(); }
    const CellValue& operator[](std::size_t k) const { return get()[k]; }

    /// Returns the list, no longer shared, to be changed.
    std::vector<CellValue>& edit();

    bool shares_with(const CellValues& other) const { return cells_ == other.cells_; }
    bool operator==(const CellValues& other) const {
        return shares_with(other) || get() == other.get();
    }

  private:
    const std::vector<CellValue>& get() const;

    std::shared_ptr<std::vector<CellValue>> cells_;  // null: none
};

struct Intervention {
    CellValues cells;  // sorted by row, then column; one entry a cell
    RowRule rows = RowRule::Keep;
    Ablation ablation = Ablation::None;  // before the cells are set
    /// Added to every row, between the two: a vector that steers   [Turner 2023]. Empty: nothing.
    std::vector<Scalar> added = {};
    bool is_on = true;  // switched off, the cells are kept and have no effect

    const CellValue* find(Index row, Index column) const;
    void set(Index row, Index column, Scalar value);  // throws Error if NaN
    void reset(Index row, Index column);
    /// True if it changes every row, whatever rows there are.
    bool is_of_all_rows() const { return ablation != Ablation::None || !added.empty(); }
    bool is_empty() const { return cells.empty() && !is_of_all_rows(); }

    bool operator==(const Intervention&) const = default;
};

/// Interventions by tensor path. Those on paths and cells that the study does not have now are
/// dormant: they take effect again when the path or cell comes back.
using Interventions = std::map<std::string, Intervention>;

/// Returns an intervention that sets every cell.
Intervention intervene_on_all(const Matrix& values);

/// Returns the computed matrix with the cells set by hand. Cells outside the matrix are ignored.
/// `edges` is given for a tensor with one row per edge: there the edges of a node form one row.
/// Renormalise changes each row with a set cell; P is the sum of its set cells, F of its free ones:
///     free a ↦ a (1 − P) / F;   if P ≥ 1 or F = 0: free a ↦ 0, set p ↦ p / P (unchanged if P = 0)
Matrix apply_intervention(const Intervention& intervention, const Matrix& computed,
                          const Edges* edges = nullptr);
/// Applies the intervention in place, to a block of the matrix that begins at `first_row`. With
/// edges the block is the whole matrix.
void intervene_on_rows(const Intervention& intervention, View computed, Index first_row,
                       const Edges* edges = nullptr);

/// The rows of the matrix that an ablation takes the mean of; all, if null.
using CountedRows = std::shared_ptr<const std::vector<Index>>;

/// Replaces every row by the value of the ablation. For the mean the matrix must be whole:
///     Z(i,d) ↦ 1/m · Σ_k Z(k,d),   k over the m counted rows; 0 if there are none
void ablate_rows(Ablation ablation, View values, const CountedRows& counted);
/// Does what the intervention does to every row: it ablates them and adds its vector, if that is as
/// long as they are.
void change_every_row(const Intervention& intervention, View values, const CountedRows& counted);

/// Returns the gradient with respect to the computed matrix, given that for the ablated one:
///     ∂/∂Z(k,d) = 1/m · Σ_i g(i,d) for a counted row k, else 0
Matrix pull_ablation(Ablation ablation, Matrix gradient, const CountedRows& counted);

/// Returns the gradient with respect to the computed matrix, given that for the result.
Matrix pull_intervention(const Intervention& intervention, const Matrix& computed,
                         const Matrix& gradient, const Edges* edges = nullptr);

}  // namespace headlight
