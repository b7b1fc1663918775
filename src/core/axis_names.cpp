#include "core/axis_names.h"

#include <algorithm>
#include <fmt/format.h>

namespace headlight {

bool has_names(const Axis& axis) {
    return is_of_items(axis) || axis.kind == AxisKind::Named || axis.kind == AxisKind::Edge;
}

std::string name_in_formula(const std::string& name) {
    std::string text;
    for (const char c : name) {
        if (std::string_view("_^{}\\").find(c) != std::string_view::npos) text += '\\';
        text += c;
    }
    return text;
}

bool is_of_items(const Axis& axis) {
    return axis.kind == AxisKind::Query || axis.kind == AxisKind::Key ||
           axis.kind == AxisKind::Item;
}

namespace {

/// True if each of the stacked sentences has its own words along the columns.
bool has_columns_by_sentence(const Plan& plan, const PlannedTensor& tensor) {
    const Axis& columns = tensor.columns;
    if (!is_of_items(columns) || tensor.rows.groups <= 1 || columns.groups > 1) return false;
    const auto& names = plan.lists[static_cast<std::size_t>(columns.list)].names;
    return names && static_cast<Index>(names->size()) == tensor.rows.groups * columns.size;
}

}  // namespace

Axis columns_of_row(const Plan& plan, const PlannedTensor& tensor, Index row) {
    Axis columns = tensor.columns;
    if (has_columns_by_sentence(plan, tensor))
        columns.first += row / (tensor.rows.size / tensor.rows.groups) * columns.size;
    return columns;
}

std::string column_head(const Plan& plan, const PlannedTensor& tensor, Index column) {
    if (!has_columns_by_sentence(plan, tensor)) return axis_label(plan, tensor.columns, column);
    return fmt::format("{} {}", axis_name(plan, tensor.columns), column);
}

std::string shown_column_head(const Plan& plan, const PlannedTensor& tensor, Index column) {
    if (!has_columns_by_sentence(plan, tensor)) return shown_label(plan, tensor.columns, column);
    return fmt::format("{} {}", axis_name(plan, tensor.columns), column);
}

std::vector<std::string> names_on_axis(const Plan& plan, const Axis& axis, Index index) {
    std::vector<std::string> names{axis_label(plan, axis, index)};
    if (axis.kind != AxisKind::Edge) return names;
    const auto at = static_cast<std::size_t>(index);
    const Axis items{AxisKind::Item, plan.edges->n_nodes};
    const std::string reader = axis_label(plan, items, plan.edges->row[at]);
    const std::string read = axis_label(plan, items, plan.edges->neighbour[at]);
    names.push_back(fmt::format("{}->{}", read, reader));
    names.push_back(fmt::format("{}<-{}", reader, read));
    return names;
}

std::vector<Index> find_on_axis(const Plan& plan, const Axis& axis, const std::string& name) {
    std::vector<Index> places;
    if (!has_names(axis)) return places;
    for (Index k = 0; k < axis.size; ++k)
        if (std::ranges::count(names_on_axis(plan, axis, k), name) > 0) places.push_back(k);
    return places;
}

}  // namespace headlight
