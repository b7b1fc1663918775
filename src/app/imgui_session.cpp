#include "app/imgui_session.h"

#include <backends/imgui_impl_opengl3.h>

#include "ui/compat.h"

namespace headlight {

ImGuiSession::ImGuiSession(ImFontAtlas& atlas) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext(&atlas);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    io.ConfigDragClickToInputText = true;   // one click on a number types it
    io.ConfigInputTextCursorBlink = false;  // a blinking caret would never let the loop rest
    compat::set_up_keys(io);
    ImGui_ImplOpenGL3_Init("#version 330 core");
}

ImGuiSession::~ImGuiSession() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
}

CursorShape wanted_cursor() {
    switch (ImGui::GetMouseCursor()) {
        case ImGuiMouseCursor_TextInput:
            return CursorShape::Text;
        case ImGuiMouseCursor_Hand:
            return CursorShape::Hand;
        case ImGuiMouseCursor_ResizeEW:
            return CursorShape::ResizeHorizontal;
        case ImGuiMouseCursor_ResizeNS:
            return CursorShape::ResizeVertical;
        case ImGuiMouseCursor_ResizeAll:
        case ImGuiMouseCursor_ResizeNESW:
        case ImGuiMouseCursor_ResizeNWSE:
            return CursorShape::Cross;
        default:
            return CursorShape::Arrow;
    }
}

}  // namespace headlight
