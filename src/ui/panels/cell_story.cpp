#include "ui/panels/cell_story.h"

#include <imgui.h>

#include "ui/widgets/widgets.h"

namespace headlight {

void draw_cell_title(PanelContext& context, const PointedCell& cell, float size) {
    widgets::place_figure(
        context, cell_title_figure(context.scene, cell, size, ImGui::GetContentRegionAvail().x,
                                   context.painter.measure()));
}

void draw_arithmetic(PanelContext& context, const std::vector<ArithmeticStep>& steps,
                     const StoryStyle& style) {
    widgets::place_figure(
        context, story_figure(context.scene, steps, style, ImGui::GetContentRegionAvail().x,
                              context.painter.measure()));
}

void draw_way_back(PanelContext& context) {
    if (!context.selection.can_go_back()) return;
    if (widgets::button(context, "← Back", "Back to the previous cell (Alt+←)"))
        context.selection.go_back(*context.trace, context.components);
}

}  // namespace headlight
