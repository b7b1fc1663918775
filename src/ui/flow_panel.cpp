// The sentence's canvas: the flow of matrices and the chosen one, large.
#include <imgui.h>

#include "ui/flow_canvas.h"
#include "ui/panels.h"

namespace headlight {
namespace {

class FlowPanel final : public Panel {
  public:
    const char* title() const override { return "Flow"; }
    const char* help() const override {
        return "How the sentence becomes the output: X, the projections Q, K and V, the scores S, "
               "the "
               "pattern A = softmax(S + M), Z = A V and the sum. Click a card to make it large; "
               "drag a "
               "cell up or down to change its value.";
    }

    void draw(PanelContext& context) override {
        const ImVec2 size = ImGui::GetContentRegionAvail();
        const FlowCanvas::Drawn drawn =
            canvas_.draw_cards(context, FlowArrangement::AroundMain, {size.x, size.y});
        canvas_.draw_chosen(context, drawn.flow.main, drawn.origin);
    }

  private:
    FlowCanvas canvas_;
};

}  // namespace

std::unique_ptr<Panel> make_flow_panel() {
    return std::make_unique<FlowPanel>();
}

}  // namespace headlight
