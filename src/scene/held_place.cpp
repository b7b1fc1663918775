#include "scene/held_place.h"

#include "scene/held_rows.h"

namespace headlight {
namespace {

/// The word alone, the key alone, or the cell of `tensor` that the focus is of.
std::optional<HeldPlace> place_in(const Trace& trace, const Tensor& tensor, const Focus& focus) {
    Focus query;
    query.query = focus.query;
    query.query_list = focus.query_list;
    if (focus == query && has_item_rows(tensor, focus.query_list) &&
        *focus.query < tensor.rows().size)
        return HeldPlace{tensor.path(), {*focus.query}};
    Focus key;
    key.key = focus.key;
    key.key_list = focus.key_list;
    const bool has_key = tensor.columns().kind == AxisKind::Key && focus.key &&
                         tensor.columns().list == focus.key_list;
    if (focus == key && has_key) return HeldPlace{tensor.path(), {}, {*focus.key}};
    const CellPick pick = cell_pick(tensor, focus);
    if (pick.rows.empty()) return std::nullopt;
    const Index column = pick.column.value_or(0);
    if (cell_focus(trace, tensor, pick.rows.front(), column) != focus) return std::nullopt;
    return HeldPlace{tensor.path(), {pick.rows.front()}, {column}};
}

}  // namespace

HeldPlace held_place(const Scene& scene, const Tensor& chosen) {
    const Pointed& held = scene.selection.held();
    if (held.is_empty()) return {};
    const auto with_more = [&](HeldPlace place) {
        const std::vector<Index>& also = held.focus.also;
        std::vector<Index>& items = held.focus.query ? place.rows : place.columns;
        items.insert(items.end(), also.begin(), also.end());
        return place;
    };
    if (held.cell) return with_more({held.cell->path, {held.cell->row}, {held.cell->column}});
    Focus focus = held.focus;
    focus.also.clear();
    if (const auto place = place_in(scene.trace, chosen, focus)) return with_more(*place);
    for (const Tensor& tensor : scene.trace.tensors())
        if (const auto place = place_in(scene.trace, tensor, focus)) return with_more(*place);
    return {};
}

}  // namespace headlight
