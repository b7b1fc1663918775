#include "core/intervention.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace headlight {
namespace {

const std::vector<CellValue> kNoCells;

bool before(const CellValue& cell, std::pair<Index, Index> place) {
    return std::pair(cell.row, cell.column) < place;
}

using CellRow = Eigen::Map<Eigen::Array<Scalar, 1, Eigen::Dynamic>>;
using ConstRow = Eigen::Map<const Eigen::Array<Scalar, 1, Eigen::Dynamic>>;

/// A row with cells set by hand: its place in the matrix's memory, and those cells.
struct ChangedRow {
    Index begin = 0, size = 0;
    std::vector<CellValue> cells;  // column counts from `begin`

    CellRow of(View matrix) const { return {matrix.data() + begin, size}; }
    ConstRow of(ConstView matrix) const { return {matrix.data() + begin, size}; }
};

ChangedRow row_around(const CellValue& cell, ConstView computed, const Edges* edges) {
    if (!edges) return {cell.row * computed.cols(), computed.cols(), {}};
    const auto node = static_cast<std::size_t>(edges->row[static_cast<std::size_t>(cell.row)]);
    return {edges->offsets[node], edges->offsets[node + 1] - edges->offsets[node], {}};
}

/// `computed` begins with row `first_row` of the tensor.
std::vector<ChangedRow> changed_rows(const Intervention& intervention, ConstView computed,
                                     Index first_row, const Edges* edges) {
    std::vector<ChangedRow> rows;
    auto it = std::lower_bound(intervention.cells.begin(), intervention.cells.end(),
                               std::pair(first_row, Index(0)), before);
    for (; it != intervention.cells.end() && it->row < first_row + computed.rows(); ++it) {
        if (it->column >= computed.cols()) continue;
        const CellValue cell{it->row - first_row, it->column, it->value};
        const Index place = cell.row * computed.cols() + cell.column;
        if (rows.empty() || place >= rows.back().begin + rows.back().size)
            rows.push_back(row_around(cell, computed, edges));
        rows.back().cells.push_back({cell.row, place - rows.back().begin, cell.value});
    }
    return rows;
}

/// The sums that renormalising a row needs.
struct RowMass {
    Scalar set = 0, free = 0;

    bool has_room() const { return set < 1 && free > 0; }
    Scalar factor() const { return (1 - set) / free; }
};

RowMass row_mass(const ChangedRow& row, ConstView computed) {
    RowMass mass;
    CellRow::PlainObject free = row.of(computed);
    for (const CellValue& cell : row.cells) {
        mass.set += cell.value;
        free(cell.column) = 0;
    }
    mass.free = free.sum();
    return mass;
}

void renormalise_row(View values, const ChangedRow& row) {
    const RowMass mass = row_mass(row, read_only(values));
    const bool has_room = mass.has_room();
    row.of(values) *= has_room ? mass.factor() : Scalar(0);
    const Scalar divisor = has_room || mass.set == 0 ? Scalar(1) : mass.set;
    for (const CellValue& cell : row.cells) row.of(values)(cell.column) = cell.value / divisor;
}

void pull_renormalised_row(View pulled, ConstView computed, const ChangedRow& row) {
    const RowMass mass = row_mass(row, computed);
    CellRow g = row.of(pulled);
    for (const CellValue& cell : row.cells) g(cell.column) = 0;
    if (!mass.has_room()) {
        g.setZero();
        return;
    }
    // free aⱼ ↦ aⱼ (1 − P) / F:  ∂/∂aₖ = (1 − P)/F · (gₖ − Σⱼ gⱼ aⱼ / F), sums over free cells
    const Scalar mean = (g * row.of(computed)).sum() / mass.free;
    g = (g - mean) * mass.factor();
    for (const CellValue& cell : row.cells) g(cell.column) = 0;
}

}  // namespace

const std::vector<CellValue>& CellValues::get() const {
    return cells_ ? *cells_ : kNoCells;
}

std::vector<CellValue>& CellValues::edit() {
    const bool is_shared = cells_.use_count() > 1;
    if (is_shared || !cells_) cells_ = std::make_shared<std::vector<CellValue>>(get());
    return *cells_;
}

const CellValue* Intervention::find(Index row, Index column) const {
    const auto it = std::lower_bound(cells.begin(), cells.end(), std::pair(row, column), before);
    return it != cells.end() && it->row == row && it->column == column ? &*it : nullptr;
}

void Intervention::set(Index row, Index column, Scalar value) {
    if (std::isnan(value))
        throw Error("edit", "a cell cannot be set to NaN; enter a number, or −inf to mask");
    std::vector<CellValue>& own = cells.edit();
    const auto it = std::lower_bound(own.begin(), own.end(), std::pair(row, column), before);
    if (it != own.end() && it->row == row && it->column == column)
        it->value = value;
    else
        own.insert(it, {row, column, value});
}

void Intervention::reset(Index row, Index column) {
    std::erase_if(cells.edit(),
                  [&](const CellValue& cell) { return cell.row == row && cell.column == column; });
}

Intervention intervene_on_all(const Matrix& values) {
    std::vector<CellValue> cells;
    cells.reserve(static_cast<std::size_t>(values.size()));
    for (Index i = 0; i < values.rows(); ++i)
        for (Index j = 0; j < values.cols(); ++j) cells.push_back({i, j, values(i, j)});
    return {.cells = std::move(cells)};
}

Matrix apply_intervention(const Intervention& intervention, const Matrix& computed,
                          const Edges* edges) {
    Matrix result = computed;
    intervene_on_rows(intervention, view(result), 0, edges);
    return result;
}

void intervene_on_rows(const Intervention& intervention, View computed, Index first_row,
                       const Edges* edges) {
    for (const ChangedRow& row :
         changed_rows(intervention, read_only(computed), first_row, edges)) {
        if (intervention.rows == RowRule::Renormalise) {
            renormalise_row(computed, row);
            continue;
        }
        for (const CellValue& cell : row.cells) row.of(computed)(cell.column) = cell.value;
    }
}

namespace {

template <typename Do>
Index for_each_counted(const CountedRows& counted, Index n_rows, Do with) {
    if (!counted) {
        for (Index i = 0; i < n_rows; ++i) with(i);
        return n_rows;
    }
    for (const Index i : *counted) with(i);
    return std::ssize(*counted);
}

}  // namespace

void ablate_rows(Ablation ablation, View values, const CountedRows& counted) {
    if (ablation == Ablation::None) return;
    if (ablation == Ablation::Zero) return static_cast<void>(values.setZero());
    Matrix mean = Matrix::Zero(1, values.cols());
    const Index m =
        for_each_counted(counted, values.rows(), [&](Index i) { mean.row(0) += values.row(i); });
    if (m > 0) mean /= static_cast<Scalar>(m);
    values.rowwise() = mean.row(0);
}

void change_every_row(const Intervention& intervention, View values, const CountedRows& counted) {
    ablate_rows(intervention.ablation, values, counted);
    const std::vector<Scalar>& added = intervention.added;
    if (added.empty() || std::ssize(added) != values.cols()) return;
    values.rowwise() +=
        Eigen::Map<const Eigen::Matrix<Scalar, 1, Eigen::Dynamic>>(added.data(), values.cols());
}

Matrix pull_ablation(Ablation ablation, Matrix gradient, const CountedRows& counted) {
    if (ablation == Ablation::None) return gradient;
    Matrix pulled = Matrix::Zero(gradient.rows(), gradient.cols());
    if (ablation == Ablation::Zero) return pulled;
    const Matrix sum = gradient.colwise().sum();
    const Index m =
        for_each_counted(counted, pulled.rows(), [&](Index k) { pulled.row(k) = sum.row(0); });
    if (m > 0) pulled /= static_cast<Scalar>(m);
    return pulled;
}

Matrix pull_intervention(const Intervention& intervention, const Matrix& computed,
                         const Matrix& gradient, const Edges* edges) {
    Matrix pulled = gradient;
    for (const ChangedRow& row : changed_rows(intervention, view(computed), 0, edges)) {
        if (intervention.rows == RowRule::Renormalise) {
            pull_renormalised_row(view(pulled), view(computed), row);
            continue;
        }
        for (const CellValue& cell : row.cells) row.of(view(pulled))(cell.column) = 0;
    }
    return pulled;
}

}  // namespace headlight
