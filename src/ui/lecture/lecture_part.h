// The parts of the window around a lecture that is written.
#pragma once

#include <imgui.h>
#include <string>

#include "ui/lecture/lecture_view.h"
#include "ui/widgets/style.h"
#include "ui/window/window_parts.h"

namespace headlight {

enum class Scrolls { No, Yes };

/// Begins an ImGui window for a part; it lasts until ImGui::End. One that lies over others has an
/// id of its own.
inline void begin_lecture_part(const char* id, Box box, Color background, Scrolls scrolls,
                               Lies lies = Lies::Beside) {
    const ImGuiWindowFlags bar =
        (scrolls == Scrolls::Yes
             ? 0
             : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse) |
        (lies == Lies::Beside ? ImGuiWindowFlags_NoBringToFrontOnFocus : 0);
    const std::string name = std::string(id) + (lies == Lies::Over ? " drawer" : "");
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, im_vec(background));
    ImGui::Begin(name.c_str(), nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | bar);
    ImGui::PopStyleColor();
}

}  // namespace headlight
