#include "ui/widgets/style.h"

namespace headlight {
namespace {

void set_shape(ImGuiStyle& style) {
    style = ImGuiStyle();
    style.WindowPadding = {14, 12};
    style.FramePadding = {9, 5};
    style.ItemSpacing = {8, 7};
    style.ItemInnerSpacing = {6, 4};
    style.ScrollbarSize = 9;
    style.ScrollbarRounding = 5;
    style.GrabMinSize = 8;
    style.WindowBorderSize = 0;
    style.ChildBorderSize = 0;
    style.PopupBorderSize = 1;
    style.FrameBorderSize = 1;
    style.WindowRounding = 0;
    style.ChildRounding = 6;
    style.FrameRounding = 6;
    style.PopupRounding = 8;
    style.GrabRounding = 5;
}

Color with_alpha(Color color, int alpha) {
    color.a = static_cast<std::uint8_t>(alpha);
    return color;
}

}  // namespace

void apply_style(const Theme& theme) {
    ImGuiStyle& style = ImGui::GetStyle();
    set_shape(style);
    const auto set = [&](ImGuiCol slot, Color color) { style.Colors[slot] = im_vec(color); };
    set(ImGuiCol_Text, theme.text);
    set(ImGuiCol_TextDisabled, theme.muted);
    set(ImGuiCol_WindowBg, theme.panel);
    set(ImGuiCol_ChildBg, with_alpha(theme.panel, 0));
    set(ImGuiCol_PopupBg, theme.card);
    set(ImGuiCol_Border, theme.border);
    set(ImGuiCol_FrameBg, theme.field);
    set(ImGuiCol_FrameBgHovered, theme.accent_soft);
    set(ImGuiCol_FrameBgActive, theme.accent_soft);
    set(ImGuiCol_Button, theme.card);
    set(ImGuiCol_ButtonHovered, theme.accent_soft);
    set(ImGuiCol_ButtonActive, theme.accent_soft);
    set(ImGuiCol_Header, theme.accent_soft);
    set(ImGuiCol_HeaderHovered, theme.accent_soft);
    set(ImGuiCol_HeaderActive, theme.accent_soft);
    set(ImGuiCol_CheckMark, theme.accent);
    set(ImGuiCol_SliderGrab, theme.accent);
    set(ImGuiCol_SliderGrabActive, theme.accent);
    set(ImGuiCol_ScrollbarBg, with_alpha(theme.panel, 0));
    set(ImGuiCol_ScrollbarGrab, theme.border);
    set(ImGuiCol_ScrollbarGrabHovered, theme.muted);
    set(ImGuiCol_ScrollbarGrabActive, theme.muted);
    set(ImGuiCol_Separator, theme.border);
    set(ImGuiCol_TextSelectedBg, with_alpha(theme.accent, 70));
    set(ImGuiCol_NavHighlight, theme.accent);
    set(ImGuiCol_ModalWindowDimBg, {0, 0, 0, 80});
    set(ImGuiCol_TableHeaderBg, theme.window);
    for (const ImGuiCol line : {ImGuiCol_TableBorderStrong, ImGuiCol_TableBorderLight})
        set(line, theme.border);
    for (const ImGuiCol row : {ImGuiCol_TableRowBg, ImGuiCol_TableRowBgAlt})
        set(row, with_alpha(theme.card, 0));
    for (const ImGuiCol title : {ImGuiCol_TitleBg, ImGuiCol_TitleBgActive})
        set(title, theme.window);
}

}  // namespace headlight
