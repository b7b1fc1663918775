// The sentence's canvas: the flow of matrices and the chosen one, large.
#include <imgui.h>

#include "ui/panels/component_strip.h"
#include "ui/panels/panels.h"
#include "ui/pictures/comparison_canvas.h"
#include "ui/pictures/flow_canvas.h"

namespace headlight {
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
        if (context.comparison.is_on()) return draw_comparison(context, {size.x, size.y});
        const FlowCanvas::Drawn drawn =
            canvas_.draw_cards(context, FlowArrangement::AroundMain, {size.x, size.y});
        canvas_.draw_chosen(context, drawn.flow.main, drawn.origin);
    }

  private:
    /// What is compared takes the whole width.
    void draw_comparison(PanelContext& context, Point size) {
        const FlowCanvas::PicturePlace place = canvas_.draw_cards_below(context, size);
        comparison_.draw(context, place.box, place.origin);
    }

    FlowCanvas canvas_;
    ComparisonCanvas comparison_;
};

}  // namespace

std::unique_ptr<Panel> make_flow_panel() {
    return std::make_unique<FlowPanel>();
}

}  // namespace headlight
