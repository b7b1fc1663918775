#include "figure/axis_indices.h"

#include <unordered_set>

namespace headlight {
namespace {

void set_index(AxisIndices& indices, const Trace& trace, const Axis& axis, Index index) {
    switch (axis.kind) {
        case AxisKind::Item:
        case AxisKind::Query:
            indices.query = index;
            indices.query_list = axis.list;
            break;
        case AxisKind::Key:
            indices.key = index;
            indices.key_list = axis.list;
            break;
        case AxisKind::Edge:
            indices.edge = index;
            indices.query = trace.edges()->row[static_cast<std::size_t>(index)];
            indices.key = trace.edges()->neighbour[static_cast<std::size_t>(index)];
            break;
        case AxisKind::Model:
            indices.model = index;
            break;
        case AxisKind::HeadKey:
            indices.head_key = index;
            break;
        case AxisKind::HeadValue:
            indices.head_value = index;
            break;
        case AxisKind::Concat:
            indices.concat = index;
            break;
        default:
            break;
    }
}

std::vector<Index> indices_on(const Axis& axis, const AxisIndices& indices) {
    std::vector<Index> found;
    std::unordered_set<Index> known;
    const auto add = [&](const std::optional<Index>& index) {
        if (index && *index < axis.size && known.insert(*index).second) found.push_back(*index);
    };
    const auto add_queries = [&] {
        if (axis.list != indices.query_list) return;
        for (const Index query : indices.queries()) add(query);
    };
    const auto add_keys = [&] {
        if (axis.list != indices.key_list) return;
        for (const Index key : indices.keys()) add(key);
    };
    switch (axis.kind) {
        case AxisKind::Item:
            add_queries();
            add_keys();
            break;
        case AxisKind::Query:
            add_queries();
            break;
        case AxisKind::Key:
            add_keys();
            break;
        case AxisKind::Edge:
            add(indices.edge);
            break;
        case AxisKind::Model:
            add(indices.model);
            break;
        case AxisKind::HeadKey:
            add(indices.head_key);
            break;
        case AxisKind::HeadValue:
            add(indices.head_value);
            break;
        case AxisKind::Concat:
            add(indices.concat);
            break;
        default:
            break;
    }
    return found;
}

}  // namespace

std::vector<Index> AxisIndices::queries() const {
    if (!query) return {};
    std::vector<Index> all{*query};
    all.insert(all.end(), also.begin(), also.end());
    return all;
}

std::vector<Index> AxisIndices::keys() const {
    if (!key) return {};
    std::vector<Index> all{*key};
    if (!query) all.insert(all.end(), also.begin(), also.end());
    return all;
}

AxisIndices axis_indices(const Trace& trace, const Tensor& tensor, Index row, Index column) {
    AxisIndices indices;
    set_index(indices, trace, tensor.rows(), row);
    set_index(indices, trace, tensor.columns(), column);
    return indices;
}

CellPick cell_pick(const Tensor& tensor, const AxisIndices& indices) {
    CellPick pick{.rows = indices_on(tensor.rows(), indices), .column = {}, .also_columns = {}};
    std::vector<Index> columns = indices_on(tensor.columns(), indices);
    if (columns.empty()) return pick;
    pick.column = columns.front();
    pick.also_columns.assign(columns.begin() + 1, columns.end());
    return pick;
}

}  // namespace headlight
