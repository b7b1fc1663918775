// The parts of the window around a lecture that is written.
#pragma once

#include <imgui.h>

#include "ui/widgets/style.h"
#include "ui/window/window_parts.h"

namespace headlight {

enum class Scrolls { No, Yes };

/// Begins an ImGui window for a part; it lasts until ImGui::End.
inline void begin_lecture_part(const char* id, Box box, Color background, Scrolls scrolls) {
    const ImGuiWindowFlags bar =
        scrolls == Scrolls::Yes ? 0
                                : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, im_vec(background));
    ImGui::Begin(id, nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     bar);
    ImGui::PopStyleColor();
}

}  // namespace headlight
