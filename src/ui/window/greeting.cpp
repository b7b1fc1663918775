#include "ui/window/greeting.h"

#include <imgui.h>

#include "ui/widgets/style.h"

namespace headlight {
namespace {

/// What was recorded cannot be changed, and a graph or a picture has no words.
const char* things_to_try(const Document& document) {
    if (document.recorded()) return "Point at a cell  ·  Choose another head";
    if (!document.sentence() && !document.alignment()) return "Point at a cell  ·  Drag a number";
    return "Change a word  ·  Point at a cell  ·  Drag a number";
}

}  // namespace

float Greeting::draw(PanelContext& context, Box box) const {
    // What it says to try is done on matrices; in other views it would only be in the way.
    if (!is_shown_ || context.selection.view != MiddleView::Component) return 0;
    constexpr float kGreeting = 48;
    ImGui::PushStyleColor(ImGuiCol_WindowBg, im_vec(context.theme.accent));
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(context.theme.on_accent));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 17);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {18, 8});
    ImGui::SetNextWindowPos({box.x + box.width / 2, box.bottom() - 7}, ImGuiCond_Always, {0.5f, 1});
    ImGui::Begin("greeting", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoFocusOnAppearing);
    context.painter.push_font(Font::Bold, 14);
    ImGui::TextUnformatted(things_to_try(context.document));
    context.painter.pop_font();
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    context.regions.add("greeting", {at.x, at.y, size.x, size.y});
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(2);
    return kGreeting;
}

}  // namespace headlight
