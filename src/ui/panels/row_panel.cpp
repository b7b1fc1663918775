// The row of the cell as bars: the words that the word reads, or the nodes; or several rows as one.
#include <algorithm>
#include <array>
#include <imgui.h>

#include "core/components.h"
#include "figure/bars_figure.h"
#include "figure/color_scale.h"
#include "text/strings.h"
#include "ui/panels/panels.h"
#include "ui/pictures/comparison_canvas.h"
#include "ui/widgets/widgets.h"
#include "views/held.h"

namespace headlight {
namespace {

/// A row of a matrix, the edges of a node, or several of these as one.
struct BarRow {
    std::string title;
    struct Bar {
        std::string label;
        Scalar value = 0;
        Pick pick;
        Index item = 0;  // of what is joined: which of the joined values
    };
    std::vector<Bar> bars;
    std::vector<Index> also;  // held beside each of them: very many nodes may be
    bool is_joined = false;

    void add(const Trace& trace, const Tensor& tensor, CellIndex cell, std::string label) {
        bars.push_back({std::move(label), (*tensor.value)(cell.row, cell.column),
                        pick_at(trace, tensor, cell.row, cell.column)});
    }
};

BarRow make_bar_row(const Trace& trace, const Tensor& tensor, const CellPlace& cell) {
    BarRow row;
    if (tensor.rows().kind == AxisKind::Edge) {
        const Edges& edges = *trace.edges();
        const auto node = static_cast<std::size_t>(edges.row[static_cast<std::size_t>(cell.row)]);
        row.title = "Neighbours of " + trace.shown_items().at(node);
        for (Index e = edges.offsets[node]; e < edges.offsets[node + 1]; ++e) {
            const Index neighbour = edges.neighbour[static_cast<std::size_t>(e)];
            row.add(trace, tensor, {e, 0},
                    trace.shown_items().at(static_cast<std::size_t>(neighbour)));
        }
        return row;
    }
    if (tensor.columns().kind == AxisKind::Single) {
        row.title = "Column";
        for (Index i = 0; i < tensor.rows().size; ++i)
            row.add(trace, tensor, {i, 0}, shown_label(trace, tensor.rows(), i));
        return row;
    }
    row.title = "Row " + quoted_word(shown_label(trace, tensor.rows(), cell.row));
    for (Index j = 0; j < tensor.columns().size; ++j)
        row.add(trace, tensor, {cell.row, j}, shown_label(trace, tensor.columns(), j));
    return row;
}

/// Returns what the held items read from each key; or, if none of them is a query, what each query
/// reads from them. Rows, a node's edges or columns are combined into one. `values` has the shape
/// of the tensor.
std::vector<Scalar> joined_values(const Trace& trace, const Tensor& tensor, const Matrix& values,
                                  const AxisIndices& indices, RowsAs as) {
    const std::vector<Index> queries = indices.queries();
    if (tensor.rows().kind == AxisKind::Edge)
        return joined_rows(values, *trace.edges(), queries, as);
    if (!queries.empty()) return joined_rows(values, queries, as);
    const std::vector<Index> keys = indices.keys();
    std::vector<Scalar> joined(static_cast<std::size_t>(values.rows()));
    for (Index i = 0; i < values.rows(); ++i) {
        Scalar& sum = joined[static_cast<std::size_t>(i)];
        for (const Index key : keys)
            if (key < values.cols()) sum += values(i, key);
        if (as == RowsAs::Mean) sum /= static_cast<Scalar>(keys.size());
    }
    return joined;
}

BarRow joined_row(const Trace& trace, const Tensor& tensor, const AxisIndices& indices, RowsAs as) {
    const std::vector<Index> queries = indices.queries();
    BarRow row;
    row.is_joined = true;
    row.also = indices.also;
    row.title = joined_title(trace.shown_items(indices.query_list), queries, as);
    const std::vector<Scalar> values = joined_values(trace, tensor, *tensor.value, indices, as);
    for (Index j = 0; j < tensor.columns().size; ++j) {
        Pick pick = pick_at(trace, tensor, queries[0], j);
        row.bars.push_back({shown_label(trace, tensor.columns(), j),
                            values[static_cast<std::size_t>(j)], std::move(pick), j});
    }
    return row;
}

/// Returns a row of all nodes that one of the nodes has an edge to.
BarRow joined_neighbours(const Trace& trace, const Tensor& tensor, const AxisIndices& indices,
                         RowsAs as) {
    const std::vector<Index> queries = indices.queries();
    const Edges& edges = *trace.edges();
    BarRow row;
    row.is_joined = queries.size() > 1;
    row.also = indices.also;
    AxisIndices first = indices;
    first.also.clear();
    row.title = row.is_joined ? joined_title(trace.shown_items(), queries, as)
                              : "Neighbours of " + trace.shown_items().at(std::size_t(queries[0]));
    std::vector<bool> is_read(static_cast<std::size_t>(edges.n_nodes));
    for (const Index i : queries)
        for (Index e = edges.offsets[std::size_t(i)]; e < edges.offsets[std::size_t(i) + 1]; ++e)
            is_read[static_cast<std::size_t>(edges.neighbour[std::size_t(e)])] = true;
    const std::vector<Scalar> values = joined_values(trace, tensor, *tensor.value, indices, as);
    for (std::size_t j = 0; j < is_read.size(); ++j) {
        if (!is_read[j]) continue;
        Pick pick = {first, std::nullopt};
        pick.indices.key = static_cast<Index>(j);
        row.bars.push_back(
            {trace.shown_items()[j], values[j], std::move(pick), static_cast<Index>(j)});
    }
    return row;
}

/// Returns the weights with which each query reads the held items, if none of them is a query:
/// columns of a pattern.
BarRow readers_row(const Trace& trace, const Tensor& pattern, const AxisIndices& indices,
                   RowsAs as) {
    BarRow row;
    std::vector<Index> keys = indices.keys();
    std::erase_if(keys, [&](Index key) { return key >= pattern.columns().size; });
    if (keys.empty()) return row;
    row.is_joined = keys.size() > 1;
    row.title = joined_title(trace.shown_items(indices.key_list), keys, as);
    if (!row.is_joined) row.title = "Readers of " + row.title;
    const std::vector<Scalar> values = joined_values(trace, pattern, *pattern.value, indices, as);
    for (Index i = 0; i < pattern.rows().size; ++i) {
        Pick pick = {indices, std::nullopt};
        pick.indices.query = i;
        pick.indices.query_list = pattern.rows().list;
        pick.indices.also.clear();
        row.bars.push_back({shown_label(trace, pattern.rows(), i),
                            values[static_cast<std::size_t>(i)], std::move(pick), i});
    }
    return row;
}

class RowPanel final : public Panel {
  public:
    const char* title() const override { return "Row"; }
    bool has_own_heading() const override { return true; }
    const char* help() const override {
        return "The values of the cell's row; in a comparison, the thin bars below are B's. For a "
               "word of the source, the bars show which words read it. Point at a bar. For several "
               "held words, nodes or rows (Shift-click, or Shift with an arrow key), they show the "
               "sum or the mean.";
    }

    void draw(PanelContext& context) override {
        if (!context.trace) return;
        const Trace& trace = *context.trace;
        const auto& current = context.selection.current_cell();
        const Tensor* tensor = current
                                   ? &trace.at(current->path)
                                   : shown_pattern(trace, context.components, context.selection);
        if (!tensor || !tensor->value) return;
        const BarRow row = shown_row(context, *tensor);
        if (row.bars.empty()) return;
        widgets::heading(context, row.title, help());
        if (tensor->path() != context.selection.chosen)
            widgets::hint(context, "of " + tensor->path());
        if (row.is_joined) draw_rows_as(context);
        const BarsFigure bars = bars_figure(bars_input(context, *tensor, row), context.theme,
                                            context.painter.measure());
        const Point origin = widgets::place_figure(context, bars.figure);
        const auto item = bars.item_at(widgets::pointer_in(origin));
        if (!item) return;
        Pick pick = row.bars[static_cast<std::size_t>(*item)].pick;
        if (!row.also.empty()) pick.indices.also = row.also;
        // Only the indices are hovered: the inspector would show the cell, and its bars would move
        // under the pointer.
        context.selection.hover({pick.indices, std::nullopt});
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) context.selection.keep_held(pick);
    }

  private:
    /// Returns the row that the inspector shows: that of a cell, or of the held items.
    static BarRow shown_row(const PanelContext& context, const Tensor& tensor) {
        const Selection& selection = context.selection;
        const Trace& trace = *context.trace;
        const AxisIndices& held = selection.held().indices;
        const auto& cell = selection.current_cell();
        const bool is_held = !selection.hovered().cell;
        const bool is_several = is_held && !held.also.empty();
        if (is_held && held.query && tensor.rows().kind == AxisKind::Edge && (is_several || !cell))
            return joined_neighbours(trace, tensor, held, selection.looks.rows_as);
        if (is_several && has_item_rows(tensor, held.query_list))
            return joined_row(trace, tensor, held, selection.looks.rows_as);
        if (cell) return make_bar_row(trace, tensor, *cell);
        if (!held.query && held.key && tensor.columns().kind == AxisKind::Key &&
            tensor.columns().list == held.key_list)
            return readers_row(trace, tensor, held, selection.looks.rows_as);
        const bool is_row = held.query && has_item_rows(tensor, held.query_list) &&
                            *held.query < tensor.rows().size;
        return is_row ? make_bar_row(trace, tensor, {tensor.path(), *held.query, 0}) : BarRow{};
    }

    static void draw_rows_as(PanelContext& context) {
        static constexpr std::array kChoices = {"sum", "mean"};
        int chosen = static_cast<int>(context.selection.looks.rows_as);
        if (widgets::choice_setting(context, {"Together", "How the held rows are combined"}, chosen,
                                    kChoices))
            context.selection.looks.rows_as = static_cast<RowsAs>(chosen);
    }

    static BarsInput bars_input(const PanelContext& context, const Tensor& tensor,
                                const BarRow& row) {
        const bool is_probability = tensor.quantity() == Quantity::Probability;
        const int head = std::max(0, tensor.identity().head);
        // The bars leave room for the panels below.
        const float most_bars = std::clamp((ImGui::GetIO().DisplaySize.y - 690) / 22, 5.0f, 14.0f);
        BarsInput input{
            .labels = {},
            .values = {},
            .order = BarsInput::Order::AsGiven,
            .max_rows = static_cast<int>(most_bars),
            .color = is_probability ? head_color(context.theme, head) : context.theme.positive,
            .negative_color = context.theme.negative,
            .other_color = context.theme.muted,
            .selected = {},
            .hovered = {},
            .width = ImGui::GetContentRegionAvail().x};
        const MatrixPtr b = subtracted_in_b(context, tensor.path());
        std::vector<Scalar> joined_b;
        if (b && row.is_joined)
            joined_b = joined_values(*context.trace, tensor, *b, context.selection.held().indices,
                                     context.selection.looks.rows_as);
        AxisIndices hovered = context.selection.hovered().indices;
        const bool is_of_row = row.also.empty() || hovered.also == row.also;
        if (!row.also.empty()) hovered.also.clear();
        for (const BarRow::Bar& bar : row.bars) {
            const auto item = static_cast<Index>(input.values.size());
            if (bar.pick.cell && bar.pick.cell == context.selection.current_cell())
                input.selected = item;
            if (is_of_row && bar.pick.indices == hovered) input.hovered = item;
            input.labels.push_back(bar.label);
            input.values.push_back(bar.value);
            if (!joined_b.empty())
                input.others.push_back(joined_b[static_cast<std::size_t>(bar.item)]);
            else if (b && bar.pick.cell)
                input.others.push_back((*b)(bar.pick.cell->row, bar.pick.cell->column));
        }
        return input;
    }
};

}  // namespace

std::unique_ptr<Panel> make_row_panel() {
    return std::make_unique<RowPanel>();
}

}  // namespace headlight
