#include "figure/focus.h"

#include <unordered_set>

namespace headlight {
namespace {

void set_index(Focus& focus, const Trace& trace, const Axis& axis, Index index) {
    switch (axis.kind) {
        case AxisKind::Item:
        case AxisKind::Query:
            focus.query = index;
            focus.query_list = axis.list;
            break;
        case AxisKind::Key:
            focus.key = index;
            focus.key_list = axis.list;
            break;
        case AxisKind::Edge:
            focus.edge = index;
            focus.query = trace.edges()->row[static_cast<std::size_t>(index)];
            focus.key = trace.edges()->neighbour[static_cast<std::size_t>(index)];
            break;
        case AxisKind::Model:
            focus.model = index;
            break;
        case AxisKind::HeadKey:
            focus.head_key = index;
            break;
        case AxisKind::HeadValue:
            focus.head_value = index;
            break;
        case AxisKind::Concat:
            focus.concat = index;
            break;
        default:
            break;
    }
}

std::vector<Index> indices_on(const Axis& axis, const Focus& focus) {
    std::vector<Index> indices;
    std::unordered_set<Index> known;
    const auto add = [&](const std::optional<Index>& index) {
        if (index && *index < axis.size && known.insert(*index).second) indices.push_back(*index);
    };
    const auto add_queries = [&] {
        if (axis.list != focus.query_list) return;
        for (const Index query : focus.queries()) add(query);
    };
    const auto add_keys = [&] {
        if (axis.list != focus.key_list) return;
        for (const Index key : focus.keys()) add(key);
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
            add(focus.edge);
            break;
        case AxisKind::Model:
            add(focus.model);
            break;
        case AxisKind::HeadKey:
            add(focus.head_key);
            break;
        case AxisKind::HeadValue:
            add(focus.head_value);
            break;
        case AxisKind::Concat:
            add(focus.concat);
            break;
        default:
            break;
    }
    return indices;
}

}  // namespace

std::vector<Index> Focus::queries() const {
    if (!query) return {};
    std::vector<Index> all{*query};
    all.insert(all.end(), also.begin(), also.end());
    return all;
}

std::vector<Index> Focus::keys() const {
    if (!key) return {};
    std::vector<Index> all{*key};
    if (!query) all.insert(all.end(), also.begin(), also.end());
    return all;
}

Focus cell_focus(const Trace& trace, const Tensor& tensor, Index row, Index column) {
    Focus focus;
    set_index(focus, trace, tensor.rows(), row);
    set_index(focus, trace, tensor.columns(), column);
    return focus;
}

CellPick cell_pick(const Tensor& tensor, const Focus& focus) {
    CellPick pick{.rows = indices_on(tensor.rows(), focus), .column = {}, .also_columns = {}};
    std::vector<Index> columns = indices_on(tensor.columns(), focus);
    if (columns.empty()) return pick;
    pick.column = columns.front();
    pick.also_columns.assign(columns.begin() + 1, columns.end());
    return pick;
}

}  // namespace headlight
