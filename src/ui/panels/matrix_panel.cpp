// Statistics of the tensor of the current cell, or of the chosen one.
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>

#include "core/numeric/statistics.h"
#include "figure/number_format.h"
#include "ui/panels/component_strip.h"
#include "ui/panels/panels.h"
#include "ui/pictures/comparison_canvas.h"
#include "ui/pictures/flow_canvas.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

class MatrixPanel final : public Panel {
  public:
    const char* title() const override { return "Matrix"; }
    const char* help() const override {
        return "Entropy of a row: −Σ p log₂ p, from 0 bits (reads one key) to log₂ n bits (reads "
               "all equally). The deviation is over the finite cells.";
    }

    void draw(PanelContext& context) override {
        if (!context.trace) return;
        const auto& cell = context.selection.current_cell();
        const Tensor& tensor = context.trace->at(cell ? cell->path : context.selection.chosen);
        if (!tensor.value) return;
        widgets::formula(context, tensor.equation());
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8, 4});
        const Trace& trace = *context.trace;
        const std::string columns = axis_name(trace, tensor.columns());
        widgets::fact(context, "Shape", shape_text(tensor.rows().size, tensor.columns().size));
        widgets::fact(context, "Axes",
                      axis_name(trace, tensor.rows()) + (columns.empty() ? "" : " × " + columns));
        draw_summary(context, tensor);
        if (cell) draw_row(context, tensor, *cell);
        ImGui::PopStyleVar();
    }

  private:
    void draw_summary(PanelContext& context, const Tensor& tensor) {
        if (summarised_ != tensor.value) summary_ = summarise(*(summarised_ = tensor.value));
        widgets::fact(
            context, "Range",
            fmt::format("{} … {}", format_value(summary_.low), format_value(summary_.high)));
        widgets::fact(
            context, "Mean ± deviation",
            fmt::format("{} ± {}", format_value(summary_.mean), format_value(summary_.deviation)));
        if (summary_.n_masked > 0)
            widgets::fact(context, "Masked cells", format_count(summary_.n_masked));
        if (summary_.n_nan > 0)
            widgets::fact(context, "Not a number", format_count(summary_.n_nan));
    }

    static void draw_row(PanelContext& context, const Tensor& tensor, const CellPlace& cell) {
        if (tensor.quantity() != Quantity::Probability) return;
        Matrix row = tensor.value->row(cell.row);
        if (const Edges* edges = tensor.row_edges()) {
            const auto node =
                static_cast<std::size_t>(edges->row[static_cast<std::size_t>(cell.row)]);
            const Index begin = edges->offsets[node];
            row = tensor.value->middleRows(begin, edges->offsets[node + 1] - begin).transpose();
            widgets::fact(context, "Neighbours", std::to_string(row.cols()));
        }
        widgets::fact(context, "Sum of row", format_value(row.sum()));
        widgets::fact(context, "Entropy of row",
                      fmt::format("{} of {} bits", format_value(row_entropy_bits(row, 0), 2),
                                  format_value(std::log2(static_cast<Scalar>(row.cols())), 2)));
    }

    MatrixPtr summarised_;
    Summary summary_;
};

}  // namespace

std::unique_ptr<Panel> make_matrix_panel() {
    return std::make_unique<MatrixPanel>();
}

namespace {

class FlowPanel final : public Panel {
  public:
    const char* title() const override { return "Flow"; }
    const char* help() const override {
        return "How the words become the output, part by part: the row of buttons leads to each. "
               "In an attention X, the projections Q, K and V, the scores S, the pattern A = "
               "softmax(S + M), Z = A V and the sum. Click a card to make it large; drag a cell "
               "up or down to change its value.";
    }

    void draw(PanelContext& context) override {
        draw_component_strip(context, ImGui::GetContentRegionAvail().x);
        const ImVec2 size = ImGui::GetContentRegionAvail();
        if (context.comparison.is_on()) {
            const auto place = canvas_.draw_cards_below(context, {size.x, size.y});
            constexpr float kStretch = 2;  // the cards are higher than wide
            comparison_.draw(context, place.box, place.origin, {.stretch = kStretch});
            return;
        }
        const FlowCanvas::Drawn drawn =
            canvas_.draw_cards(context, FlowArrangement::AroundMain, {size.x, size.y});
        canvas_.draw_chosen(context, drawn.flow.main, drawn.origin);
    }

  private:
    FlowCanvas canvas_;
    ComparisonCanvas comparison_;
};

}  // namespace

std::unique_ptr<Panel> make_flow_panel() {
    return std::make_unique<FlowPanel>();
}

}  // namespace headlight
