// The sentence's canvas: the flow of matrices and the chosen one, large.
#include <imgui.h>

#include "ui/flow_canvas.h"
#include "ui/panels.h"
#include "ui/part_strip.h"

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
        draw_part_strip(context, ImGui::GetContentRegionAvail().x);
        const ImVec2 size = ImGui::GetContentRegionAvail();
        // Two matrices beside each other take the whole width.
        const auto arrangement =
            context.beside ? FlowArrangement::Row : FlowArrangement::AroundMain;
        const FlowCanvas::Drawn drawn = canvas_.draw_cards(context, arrangement, {size.x, size.y});
        Box box = drawn.flow.main;
        if (context.beside) {
            Box other = box;
            box.width = (box.width - 12) / 2;
            other.x = box.right() + 12;
            other.width = box.width;
            draw_beside(context, other, drawn.origin);
        }
        canvas_.draw_chosen(context, box, drawn.origin);
    }

  private:
    /// The same tensor of the other sentence, to be looked at and pointed into.
    void draw_beside(PanelContext& context, Box box, Point origin) {
        PanelContext other{context.document, context.beside,  context.whole,     nullptr,
                           context.parts,    context.problem, context.selection, context.edits,
                           context.theme,    context.painter, context.regions,   context.codes};
        beside_.draw_chosen(other, box, origin);
    }

    FlowCanvas canvas_, beside_;
};

}  // namespace

std::unique_ptr<Panel> make_flow_panel() {
    return std::make_unique<FlowPanel>();
}

}  // namespace headlight
