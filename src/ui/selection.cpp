#include "ui/selection.h"

#include <algorithm>
#include <utility>

#include "paint/tensor_scale.h"

namespace headlight {
namespace {

std::string pattern_path(const Trace& trace, int layer, int head) {
    return head_path(trace, layer, head) + ".pattern";
}

/// The same tensor of another layer and head: what follows the head, or the layer, stays.
std::string moved_path(const Trace& trace, const std::string& path, int layer, int head) {
    const std::string heads = "heads.";
    const std::size_t at = path.find(heads);
    if (at != std::string::npos) {
        const std::size_t rest = path.find('.', at + heads.size());
        return head_path(trace, layer, head) + (rest == std::string::npos ? "" : path.substr(rest));
    }
    if (path.starts_with("blocks."))
        return layer_path(trace, layer) +
               path.substr(path.find('.', std::string("blocks.").size()));
    return path;
}

bool has_cell(const Trace& trace, const PointedCell& cell) {
    const Tensor* tensor = trace.find(cell.path);
    return tensor && cell.row < tensor->rows.size && cell.column < tensor->columns.size;
}

bool is_inside(const Trace& trace, const Focus& focus) {
    const auto n_items = static_cast<Index>(trace.items->size());
    const Index n_edges = trace.edges ? trace.edges->size() : 0;
    return focus.query.value_or(0) < n_items && focus.key.value_or(0) < n_items &&
           (!focus.edge || *focus.edge < n_edges);
}

}  // namespace

bool Selection::advance() {
    const bool is_new = !(next_hovered_ == hovered_);
    hovered_ = std::exchange(next_hovered_, {});
    return is_new;
}

void Selection::fit(const Trace& trace) {
    layer = std::clamp(layer, 0, count_layers(trace) - 1);
    head = std::clamp(head, 0, count_heads(trace) - 1);
    if (!trace.find(chosen)) chosen = moved_path(trace, chosen, layer, head);
    if (!trace.find(chosen)) chosen = pattern_path(trace, layer, head);
    for (Pointed* pointed : {&hovered_, &held_})
        if (!is_inside(trace, pointed->focus) ||
            (pointed->cell && !has_cell(trace, *pointed->cell)))
            *pointed = {};
}

void Selection::choose_head(const Trace& trace, int new_layer, int new_head) {
    layer = new_layer;
    head = new_head;
    chosen = moved_path(trace, chosen, layer, head);
    if (held_.cell) held_.cell->path = moved_path(trace, held_.cell->path, layer, head);
    fit(trace);
}

std::string layer_path(const Trace& trace, int layer) {
    return (trace.edges ? "gat." : "blocks.") + std::to_string(layer);
}

std::string head_path(const Trace& trace, int layer, int head) {
    return layer_path(trace, layer) + (trace.edges ? ".heads." : ".attn.heads.") +
           std::to_string(head);
}

int count_layers(const Trace& trace) {
    int layers = 1;
    while (trace.find(pattern_path(trace, layers, 0))) ++layers;
    return layers;
}

int count_heads(const Trace& trace) {
    int heads = 1;
    while (trace.find(pattern_path(trace, 0, heads))) ++heads;
    return heads;
}

Pointed point_at_item(Index item) {
    Pointed pointed;
    pointed.focus.query = item;
    return pointed;
}

Pointed point_at(const Trace& trace, const Tensor& tensor, Index row, Index column) {
    return {focus_of(trace, tensor, row, column), PointedCell{tensor.path, row, column}};
}

}  // namespace headlight
