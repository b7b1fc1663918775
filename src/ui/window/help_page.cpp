#include "ui/window/help_page.h"

#include <algorithm>
#include <imgui.h>
#include <utility>

#include "ui/widgets/widgets.h"
#include "ui/window/commands.h"

namespace headlight {
namespace {

struct Gesture {
    const char *how, *what;
};
constexpr Gesture kGestures[] = {
    {"Presenting a study",
     "→ ← the steps, Shift+→ the parts, ↑ ↓ the heads; T the text, P predict, R reveal"},
    {"Presenting pages",
     "of a lecture: → ← the next one and the one before; T the text, P predict, R reveal; of a "
     "task 1 to 9 a choice, A types an answer, H a hint, R the answer, Shift+R the solution"},
    {"Point", "at a cell: how it is computed; at a word: what it reads"},
    {"Tab", "moves from control to control, F6 from panel to panel; Enter does what a click would"},
    {"Ctrl+arrows", "the next matrix or the one before, another head; Ctrl+PgDn: another part"},
    {"Click", "holds the thing under the pointer; arrow keys move through the matrix"},
    {"Shift-click", "holds one more word, node or row; so do Shift+↑ and Shift+↓"},
    {"Ctrl-click",
     "on a head adds its lines between words to those of the others; in All heads it becomes a "
     "panel of a figure"},
    {"Drag a cell", "up or down changes its value; a digit or a double-click types it"},
    {"Alt+↑ ↓ or wheel", "steps the held cell, or the one under the pointer"},
    {"Ctrl+drag",
     "holds a block of cells; a Ctrl-click on a label its row or column, Ctrl+A the matrix"},
    {"Ctrl+Shift+arrows", "grow or shrink the block"},
    {"Drag on a mask", "opens or closes what a query may read"},
    {"Turn the wheel", "zooms the large matrix at the pointer"},
    {"Drag with Space", "or with the middle or right button moves it; so does its small overview"},
    {"Drag a setting", "left or right changes it; double-click to type"},
    {"Right-click", "a number: animates it between two values"},
    {"Double-click",
     "on the graph adds a node, on a node types its name; Shift-drag between nodes "
     "adds an edge, of the canvas marks nodes; Del removes what is held"},
    {"Wheel and drag", "on the graph zoom and pan; Home shows all of it, Ctrl+A holds all nodes"}};

/// A key or a gesture, and what it does.
void draw_help_line(PanelContext& context, const char* how, const std::string& what, float width) {
    constexpr float kHow = 126;
    const float left = ImGui::GetCursorPosX();
    context.painter.push_font(Font::Bold, 12);
    ImGui::TextUnformatted(how);
    context.painter.pop_font();
    ImGui::SameLine();
    ImGui::SetCursorPosX(left + kHow);
    ImGui::PushTextWrapPos(left + width);
    ImGui::TextUnformatted(what.c_str());
    ImGui::PopTextWrapPos();
}

}  // namespace

void HelpPage::draw(PanelContext& context) {
    constexpr const char* kTitle = "Keys and gestures";
    if (std::exchange(must_open_, false)) ImGui::OpenPopup(kTitle);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {20, 16});
    const bool is_open = ImGui::BeginPopup(kTitle, ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (!is_open) return;
    context.regions.add("help keys", {0, 0, screen.x, screen.y});
    widgets::heading(context, kTitle);
    context.painter.push_font(Font::Regular, 12);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8, 2});
    const float column = std::min(500.0f, (screen.x - 80) / 2);
    ImGui::BeginGroup();
    for (const Command& command : all_commands())
        if (*command.keys)
            draw_help_line(context, command.keys, std::string(command.name) + ": " + command.what,
                           column);
    ImGui::EndGroup();
    ImGui::SameLine(0, 20);
    ImGui::BeginGroup();
    for (const Gesture& gesture : kGestures)
        draw_help_line(context, gesture.how, gesture.what, column);
    ImGui::EndGroup();
    ImGui::PopStyleVar();
    context.painter.pop_font();
    if (compat::is_key_pressed(Key::Escape)) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
}

}  // namespace headlight
