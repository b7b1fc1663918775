// The row of the cell as bars: what the word reads, what the node reads.
#include <algorithm>
#include <imgui.h>

#include "core/parts.h"
#include "paint/bars_figure.h"
#include "paint/tensor_scale.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace headlight {
namespace {

/// As many bars as leave room for the panels below.
int most_bars() {
    return static_cast<int>(std::clamp((ImGui::GetIO().DisplaySize.y - 600) / 22, 5.0f, 14.0f));
}

/// The cells that are shown as bars: a row of a matrix, or the edges of a node.
struct BarRow {
    std::string title;
    std::vector<PointedCell> cells;
};

BarRow row_of(const Trace& trace, const Tensor& tensor, const PointedCell& cell) {
    BarRow row;
    if (tensor.rows.kind == AxisKind::Edge) {
        const Edges& edges = *trace.edges;
        const auto node = static_cast<std::size_t>(edges.row[static_cast<std::size_t>(cell.row)]);
        row.title = "Neighbours of " + trace.items().at(node);
        for (Index e = edges.offsets[node]; e < edges.offsets[node + 1]; ++e)
            row.cells.push_back({cell.path, e, 0});
        return row;
    }
    if (tensor.columns.kind == AxisKind::Single) {
        row.title = "Column";
        for (Index i = 0; i < tensor.rows.size; ++i) row.cells.push_back({cell.path, i, 0});
        return row;
    }
    row.title = "Row “" + axis_label(trace, tensor.rows, cell.row) + "”";
    for (Index j = 0; j < tensor.columns.size; ++j) row.cells.push_back({cell.path, cell.row, j});
    return row;
}

std::string bar_label(const Trace& trace, const Tensor& tensor, const PointedCell& cell) {
    if (tensor.rows.kind == AxisKind::Edge)
        return trace.items().at(
            static_cast<std::size_t>(trace.edges->neighbour[static_cast<std::size_t>(cell.row)]));
    if (tensor.columns.kind == AxisKind::Single) return axis_label(trace, tensor.rows, cell.row);
    return axis_label(trace, tensor.columns, cell.column);
}

class RowPanel final : public Panel {
  public:
    const char* title() const override { return "Row"; }
    const char* help() const override { return "The values of the cell's row. Point at a bar."; }

    void draw(PanelContext& context) override {
        const auto& current = context.selection.current_cell();
        if (!context.trace || !current) return;
        const Trace& trace = *context.trace;
        const Tensor& tensor = trace.at(current->path);
        if (!tensor.value) return;
        const BarRow row = row_of(trace, tensor, *current);
        widgets::heading(context, row.title, help());
        const BarsFigure bars = bars_figure(bars_input(context, tensor, row, *current),
                                            context.theme, context.painter.measure());
        const Point origin = widgets::place_figure(context, bars.figure);
        const auto item = bars.item_at(widgets::pointer_in(origin));
        if (!item) return;
        const PointedCell& cell = row.cells[static_cast<std::size_t>(*item)];
        const Pointed pointed = point_at(trace, tensor, cell.row, cell.column);
        // Not the cell: the inspector would show it, and its bars would move under the pointer.
        context.selection.hover({pointed.focus, std::nullopt});
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) context.selection.keep_held(pointed);
    }

  private:
    static BarsInput bars_input(const PanelContext& context, const Tensor& tensor,
                                const BarRow& row, const PointedCell& current) {
        const bool is_probability = tensor.quantity == Quantity::Probability;
        const int head = std::max(0, head_of(tensor.path));
        BarsInput input{
            .labels = {},
            .values = {},
            .order = BarsInput::Order::AsGiven,
            .max_rows = most_bars(),
            .color = is_probability ? head_color(context.theme, head) : context.theme.positive,
            .negative_color = context.theme.negative,
            .selected = {},
            .hovered = {},
            .width = ImGui::GetContentRegionAvail().x};
        for (const PointedCell& cell : row.cells) {
            const auto item = static_cast<Index>(input.values.size());
            const Focus focus = focus_of(*context.trace, tensor, cell.row, cell.column);
            if (cell == current) input.selected = item;
            if (focus == context.selection.hovered().focus) input.hovered = item;
            input.labels.push_back(bar_label(*context.trace, tensor, cell));
            input.values.push_back((*tensor.value)(cell.row, cell.column));
        }
        return input;
    }
};

}  // namespace

std::unique_ptr<Panel> make_row_panel() {
    return std::make_unique<RowPanel>();
}

}  // namespace headlight
