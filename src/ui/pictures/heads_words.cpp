#include "ui/pictures/heads_words.h"

#include <imgui.h>
#include <string>

#include "ui/widgets/widgets.h"

namespace headlight {

void draw_heads_scale(PanelContext& context, const std::vector<ListedHead>& heads, float margin) {
    if (const std::string unmeasured = unmeasured_heads_text(heads); !unmeasured.empty()) {
        ImGui::SetCursorPosX(margin);
        widgets::hint(context, unmeasured);
    }
    const std::string blank = blank_heads_text(context.scene, heads);
    const std::string text = blank.empty() ? colors_of_heads(context.scene) : blank;
    if (text.empty() || heads.empty()) return;
    PictureSettings& settings = context.selection.scales.of(heads.front().pattern->quantity());
    ImGui::SetCursorPosX(margin);
    if (!blank.empty()) {
        if (widgets::button(context, "Log scale", "Equal ratios look equally different"))
            settings.scale = PictureSettings::Scale::Log;
    } else if (widgets::button(context, "0 to 1", "The usual scale, the same for all heads")) {
        settings.scale = PictureSettings::Scale::Linear;
        settings.range = PictureSettings::Range::Standard;
    }
    ImGui::SameLine(0, 10);
    ImGui::AlignTextToFramePadding();
    widgets::hint(context, text);
    ImGui::Dummy({0, 4});
}

void hint_in(PanelContext& context, Box box, const std::string& text) {
    ImGui::SetCursorScreenPos({box.x, box.y + 8});
    compat::begin_child("hint", {box.width, box.height}, compat::Border::No);
    widgets::hint(context, text);
    ImGui::EndChild();
}

}  // namespace headlight
