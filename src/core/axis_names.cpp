#include "core/axis_names.h"

#include <algorithm>

namespace headlight {

bool has_names(const Axis& axis) {
    return axis.kind == AxisKind::Query || axis.kind == AxisKind::Key ||
           axis.kind == AxisKind::Item || axis.kind == AxisKind::Named ||
           axis.kind == AxisKind::Edge;
}

std::vector<std::string> names_on_axis(const Plan& plan, const Axis& axis, Index index) {
    std::vector<std::string> names{axis_label(plan, axis, index)};
    if (axis.kind != AxisKind::Edge) return names;
    const auto at = static_cast<std::size_t>(index);
    const Axis items{AxisKind::Item, plan.edges->n_nodes};
    const std::string reader = axis_label(plan, items, plan.edges->row[at]);
    const std::string read = axis_label(plan, items, plan.edges->neighbour[at]);
    names.push_back(read + "->" + reader);
    names.push_back(reader + "<-" + read);
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
