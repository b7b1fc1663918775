#include "scene/held_steps.h"

#include <algorithm>
#include <utility>

namespace headlight {

void step_held(Selection& selection, const Trace& trace, ArrowSteps steps) {
    const Pointed held = selection.held();
    const bool looks = held.focus.query.has_value();
    const bool is_item = looks || held.focus.key.has_value();
    const auto n_items = [&] {
        const int list = looks ? held.focus.query_list : held.focus.key_list;
        return static_cast<Index>(trace.items(list).size());
    };
    if (steps.hold == ArrowSteps::Hold::Extend && is_item && !held.focus.edge) {
        const Tensor* tensor = held.cell ? trace.find(held.cell->path) : nullptr;
        return selection.extend(steps.down, tensor ? tensor->rows().size : n_items());
    }
    if (held.cell) {
        const Tensor& tensor = trace.at(held.cell->path);
        const Index row = std::clamp<Index>(held.cell->row + steps.down, 0, tensor.rows().size - 1);
        const Index column =
            std::clamp<Index>(held.cell->column + steps.right, 0, tensor.columns().size - 1);
        return selection.keep_held(point_at(trace, tensor, row, column));
    }
    if (!looks || held.focus.key) return;
    const Index item =
        std::clamp<Index>(*held.focus.query + steps.down + steps.right, 0, n_items() - 1);
    selection.keep_held(point_at_item(item, held.focus.query_list));
}

void carry_held_cell(Selection& selection, const Trace& trace) {
    const auto cell = selection.held().cell;
    if (!cell || cell->path == selection.chosen) return;
    const Tensor& before = trace.at(cell->path);
    const Tensor& now = trace.at(selection.chosen);
    if (!(before.rows() == now.rows() && before.columns() == now.columns())) return;
    Pointed pointed = point_at(trace, now, cell->row, cell->column);
    pointed.focus.also = selection.held().focus.also;
    selection.keep_held(std::move(pointed));
}

void show_tensor(Selection& selection, const Trace& trace, const Components& components,
                 const std::string& path) {
    selection.choose_tensor(trace, components, path);
    carry_held_cell(selection, trace);
    const auto& cell = selection.held().cell;
    if (cell && cell->path != selection.chosen) selection.release();
}

}  // namespace headlight
