// ImGui's context and its renderer, as long as this lives.
#pragma once

#include <imgui.h>

#include "app/window_backend.h"

namespace headlight {

class ImGuiSession {
  public:
    explicit ImGuiSession(ImFontAtlas& atlas);
    ImGuiSession(const ImGuiSession&) = delete;
    ImGuiSession& operator=(const ImGuiSession&) = delete;
    ~ImGuiSession();
};

/// The shape of the pointer that ImGui asks for.
CursorShape wanted_cursor();

}  // namespace headlight
