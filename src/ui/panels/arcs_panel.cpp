// The lines between the words, small: on one line, or on two, source and target.
#include <imgui.h>

#include "scene/figures/word_lines_view.h"
#include "ui/panels/panels.h"
#include "ui/pictures/word_lines_pointer.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

class ArcsPanel final : public Panel {
  public:
    const char* title() const override { return "Arcs"; }
    const char* help() const override {
        return "The patterns of the shown heads as arcs between the words, or as curves from the "
               "target to the source, as wide as the weights. Wide ones show what the chosen words "
               "read, thinner ones which words read them. “Words” above the matrices shows them "
               "large.";
    }

    void draw(PanelContext& context) override {
        const Scene& scene = context.scene;
        WordLinesInput input = word_lines_input(scene, WordLinesInput::Detail::Small, memory_);
        const ImVec2 size = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
        input.width = size.x;
        input.height = size.y;
        const MeasureText& measure = context.painter.measure();
        const WordLinesFigure lines = word_lines_figure(scene, input, measure);
        const Point origin = widgets::place_figure(context, lines.figure);
        point_at_lines(context, lines, origin, "arc");
        context.painter.draw(
            notes_figure(word_lines_notes(scene, input), size.x, context.theme, measure),
            {at.x, at.y - 4});
    }

  private:
    WordLinesMemory memory_;
};

}  // namespace

std::unique_ptr<Panel> make_arcs_panel() {
    return std::make_unique<ArcsPanel>();
}

}  // namespace headlight
