#include "scene/figures/matrix_part.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace headlight {
namespace {

using Kept = std::vector<Index>;

Kept kept_or_all(const Kept& chosen, Index n) {
    Kept kept = chosen;
    if (kept.empty()) {
        kept.resize(static_cast<std::size_t>(n));
        std::iota(kept.begin(), kept.end(), Index{0});
    }
    return kept;
}

/// Where an index stands among those that are kept.
std::optional<Index> place_among(const Kept& kept, Index at) {
    const auto found = std::ranges::find(kept, at);
    if (found == kept.end()) return std::nullopt;
    return static_cast<Index>(found - kept.begin());
}

Kept places_among(const Kept& kept, const Kept& all) {
    Kept places;
    for (const Index at : all)
        if (const auto place = place_among(kept, at)) places.push_back(*place);
    return places;
}

void keep_labels(std::vector<std::string>& labels, const Kept& kept) {
    std::vector<std::string> left;
    for (const Index at : kept)
        left.push_back(at < std::ssize(labels) ? labels[static_cast<std::size_t>(at)] : "");
    if (!labels.empty()) labels = std::move(left);
}

void keep_picked(CellPick& pick, const Kept& rows, const Kept& columns) {
    pick.rows = places_among(rows, pick.rows);
    if (pick.column) pick.column = place_among(columns, *pick.column);
    pick.also_columns = places_among(columns, pick.also_columns);
}

MatrixPtr kept_cells(const MatrixPtr& values, const Kept& rows, const Kept& columns) {
    if (!values) return values;
    auto part = std::make_shared<Matrix>(std::ssize(rows), std::ssize(columns));
    for (Index i = 0; i < part->rows(); ++i)
        for (Index j = 0; j < part->cols(); ++j)
            (*part)(i, j) =
                (*values)(rows[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)]);
    return part;
}

std::string count_kept(const Kept& chosen, Index n, const char* noun) {
    if (chosen.empty()) return {};
    return fmt::format(" · {} of {} {}", chosen.size(), n, noun);
}

}  // namespace

bool is_shown_in_part(const Scene& scene, const Tensor& tensor) {
    const MatrixLook& look = scene.selection.looks.matrix;
    const auto fits = [](const Kept& kept, Index n) {
        return std::ranges::all_of(kept, [n](Index at) { return at < n; });
    };
    return look.part_of == tensor.path() && !(look.rows.empty() && look.columns.empty()) &&
           fits(look.rows, tensor.rows().size) && fits(look.columns, tensor.columns().size);
}

void show_part(HeatmapInput& input, const MatrixLook& look) {
    if (!input.values) return;
    const Index n_rows = input.values->rows(), n_columns = input.values->cols();
    const Kept rows = kept_or_all(look.rows, n_rows);
    const Kept columns = kept_or_all(look.columns, n_columns);
    input.values = kept_cells(input.values, rows, columns);
    input.colored = kept_cells(input.colored, rows, columns);
    keep_labels(input.row_labels, rows);
    keep_labels(input.column_labels, columns);
    keep_picked(input.selected, rows, columns);
    keep_picked(input.hovered, rows, columns);
    std::vector<CellIndex> pinned;
    for (const CellIndex& cell : input.pinned) {
        const auto row = place_among(rows, cell.row), column = place_among(columns, cell.column);
        if (row && column) pinned.push_back({*row, *column});
    }
    input.pinned = std::move(pinned);
    input.view = {};
    input.title +=
        count_kept(look.rows, n_rows, "rows") + count_kept(look.columns, n_columns, "columns");
}

}  // namespace headlight
