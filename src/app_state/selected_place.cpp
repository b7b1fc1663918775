// Selects by numbers, and says by numbers, as another program does.
#include <optional>
#include <string>
#include <vector>

#include "app_state/workspace.h"
#include "core/error.h"
#include "core/plan.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// Returns the attention of that layer, one like the shown attention where there are several.
const Component& attention_in_layer(const Workspace& space, int layer) {
    const Component* shown = shown_attention(space.components, space.selection);
    const Component* found = nullptr;
    for (const Component* attention : all_attentions(space.components)) {
        if (attention->place.layer != layer) continue;
        const bool is_like = shown && attention->place.component == shown->place.component &&
                             attention->place.network == shown->place.network;
        if (is_like) return *attention;
        if (!found) found = attention;
    }
    if (!found) throw Error("select", "there is no attention in a layer {}", layer);
    return *found;
}

void select_head(Workspace& space, int head) {
    const Component* attention = shown_attention(space.components, space.selection);
    const int n = attention ? attention->n_heads : 0;
    if (head < 0 || head >= n)
        throw Error("select", "there is no head {}; there are {}, counted from 0", head,
                    counted(n, "head"));
    space.selection.choose_head(*space.trace, space.components, head);
}

void hold(Workspace& space, const Tensor& tensor, const SelectedPlace& place) {
    const Trace& trace = *space.trace;
    if (!place.row) throw Error("select", "a column needs a row");
    const Index row = *place.row, column = place.column.value_or(0);
    const Index n_rows = tensor.rows().size, n_columns = tensor.columns().size;
    if (row < 0 || row >= n_rows || column < 0 || column >= n_columns)
        throw Error("select", "{} has {} × {} cells, none in row {}, column {}", tensor.path(),
                    n_rows, n_columns, row, column);
    const AxisKind rows = tensor.rows().kind;
    if (place.column)
        space.selection.keep_held(pick_at(trace, tensor, row, column));
    else if (rows == AxisKind::Item || rows == AxisKind::Query)
        space.selection.keep_held(pick_item(row, tensor.rows().list));
    else
        throw Error("select", "a row of {} is no word; give a column as well", tensor.path());
}

void select_layer_and_head(Workspace& space, const SelectedPlace& place) {
    const SelectedPlace now = selected_place(space);
    const bool is_other_layer = place.layer && place.layer != now.layer;
    if (is_other_layer)
        space.selection.choose_component(*space.trace, space.components,
                                         attention_in_layer(space, *place.layer).path);
    if (place.head && (is_other_layer || place.head != now.head)) select_head(space, *place.head);
}

void select_what_differs(Workspace& space, const SelectedPlace& place) {
    Selection& selection = space.selection;
    if (!place.path.empty() && place.path != selected_place(space).path) {
        show_matrix(space, place.path);
        // A cell of another matrix would be what is selected.
        if (selection.held().cell && selection.held().cell->path != selection.chosen)
            selection.release();
    } else {
        select_layer_and_head(space, place);
    }
    if (!place.row && !place.column) return;
    const std::string path = selection.held().cell ? selection.held().cell->path : selection.chosen;
    hold(space, space.trace->at(path), place);
}

}  // namespace

SelectedPlace selected_place(const Workspace& space) {
    SelectedPlace place;
    if (!space.trace || space.components.empty()) return place;
    const Selection& selection = space.selection;
    const Component& part = open_component(space.components, selection);
    if (part.place.layer >= 0) place.layer = part.place.layer;
    if (part.n_heads > 0) place.head = selection.head;
    place.path = selection.chosen;
    if (const std::optional<CellPlace>& cell = selection.held().cell) {
        place.path = cell->path;
        place.row = cell->row;
        place.column = cell->column;
    } else {
        place.row = selection.held().indices.query;
    }
    return place;
}

void select_place(Workspace& space, const SelectedPlace& place) {
    if (!space.trace) throw Error("select", "nothing is computed yet");
    const Selection before = space.selection;
    try {
        select_what_differs(space, place);
        space.selection.fit(*space.trace, space.components);
    } catch (const Error&) {
        space.selection = before;
        throw;
    }
}

}  // namespace headlight
