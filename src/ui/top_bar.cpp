#include "ui/top_bar.h"

#include <imgui.h>

#include "ui/style.h"
#include "ui/widgets.h"

namespace headlight {
namespace {

void draw_brand(PanelContext& context) {
    context.painter.push_font(Font::Bold, 16);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Head");
    ImGui::SameLine(0, 0);
    ImGui::TextColored(im_vec(context.theme.accent), "light");
    context.painter.pop_font();
}

constexpr std::pair<const char*, Command> kTabs[] = {{"Sentence", Command::ShowSentence},
                                                     {"Alignment", Command::ShowAlignment},
                                                     {"Graph", Command::ShowGraph},
                                                     {"Image", Command::ShowImage}};
constexpr float kTabPadding = 14, kSmallPadding = 5, kTabGap = 6, kBrand = 90;

float tabs_width(float padding) {
    float width = 0;
    for (const auto& [name, command] : kTabs)
        width += ImGui::CalcTextSize(name).x + 2 * padding + kTabGap;
    return width;
}

bool draw_tab(PanelContext& context, const char* name, bool is_chosen, float padding) {
    ImGui::SameLine(0, kTabGap);
    const Color ground = is_chosen ? context.theme.accent_soft : context.theme.window;
    ImGui::PushStyleColor(ImGuiCol_Button, im_vec(ground));
    ImGui::PushStyleColor(ImGuiCol_Text,
                          im_vec(is_chosen ? context.theme.accent : context.theme.text));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {padding, 6});
    context.painter.push_font(is_chosen ? Font::Bold : Font::Regular, 13);
    const bool is_pressed = ImGui::Button(name);
    widgets::name_item(context, std::string("tab ") + name);
    context.painter.pop_font();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(2);
    return is_pressed;
}

const char* theme_label(ThemeName name) {
    return name == ThemeName::Light ? "Light" : name == ThemeName::Dark ? "Dark" : "Contrast";
}

struct BarButton {
    const char* label;
    Command command;
    std::string hint;
    bool is_enabled = true;
};

std::vector<BarButton> bar_buttons(const TopBarState& state) {
    return {
        {"↶", Command::Undo,
         state.undo_label.empty() ? "Nothing to undo" : "Undo: " + state.undo_label + "  (Ctrl+Z)",
         !state.undo_label.empty()},
        {"↷", Command::Redo,
         state.redo_label.empty() ? "Nothing to redo" : "Redo: " + state.redo_label + "  (Ctrl+Y)",
         !state.redo_label.empty()},
        {"Find…", Command::Find, "Find a command, a study, a part or a matrix by name  (Ctrl+K)"},
        {"Compare…", Command::Compare,
         "Compare with another head, sentence, state or study  (Ctrl+B)"},
        {"Open…", Command::Open, "Open a study or an edge list  (Ctrl+O)"},
        {"Save", Command::Save, "Save the study  (Ctrl+S)"},
        {"Export…", Command::Export, "Save what the window shows, or its numbers  (Ctrl+E)"},
        {"Present", Command::Present, "One step after another, on the whole screen  (F5)"},
        {"A−", Command::SmallerText, "Smaller  (Ctrl+−)"},
        {"A+", Command::LargerText, "Larger  (Ctrl++)"},
        {theme_label(theme_after(state.theme).name), Command::ToggleTheme,
         "Change the theme: light, dark, high contrast"}};
}

float width_of(const std::vector<BarButton>& buttons) {
    float width = 0;
    for (const BarButton& button : buttons)
        width += ImGui::CalcTextSize(button.label).x + 2 * ImGui::GetStyle().FramePadding.x +
                 ImGui::GetStyle().ItemSpacing.x;
    return width - ImGui::GetStyle().ItemSpacing.x;
}

void draw_study_name(PanelContext& context, const TopBarState& state, float right) {
    ImGui::SameLine(0, 22);
    const std::string name = state.study_name + (state.is_changed ? "  ·  edited" : "");
    if (ImGui::GetCursorPosX() + ImGui::CalcTextSize(name.c_str()).x > right - 16) return;
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(im_vec(context.theme.muted), "%s", name.c_str());
}

}  // namespace

ThemeWord theme_after(ThemeName name) {
    const auto words = theme_words();
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i].name == name) return words[(i + 1) % words.size()];
    return words[0];
}

Commands draw_top_bar(PanelContext& context, const TopBarState& state) {
    Commands commands;
    const std::vector<BarButton> buttons = bar_buttons(state);
    const float left = widgets::right_edge() - width_of(buttons);
    // A narrow window has no room for the name and wide tabs.
    const bool is_narrow = kBrand + tabs_width(kTabPadding) > left;
    if (!is_narrow) {
        draw_brand(context);
        ImGui::SameLine(0, 14 - kTabGap);
    }
    for (std::size_t i = 0; i < std::size(kTabs); ++i)
        if (draw_tab(context, kTabs[i].first, state.shown == i,
                     is_narrow ? kSmallPadding : kTabPadding))
            commands.push_back(kTabs[i].second);
    draw_study_name(context, state, left);
    ImGui::SameLine(left);
    for (const BarButton& button : buttons) {
        const auto enabled = button.is_enabled ? widgets::Enabled::Yes : widgets::Enabled::No;
        if (widgets::button(context, button.label, button.hint.c_str(), enabled))
            commands.push_back(button.command);
        ImGui::SameLine();
    }
    ImGui::NewLine();
    return commands;
}

Commands pressed_shortcuts() {
    const ImGuiIO& io = ImGui::GetIO();
    const auto pressed = [](Key key) { return compat::is_key_pressed(key); };
    const auto repeated = [](Key key) { return compat::is_key_pressed(key, compat::Repeat::Yes); };
    Commands commands;
    if (pressed(Key::Escape)) commands.push_back(Command::Release);
    if (pressed(Key::F1) || (!io.WantTextInput && pressed(Key::Question)))
        commands.push_back(Command::Help);
    if (!io.WantTextInput && !io.KeyCtrl && pressed(Key::I)) commands.push_back(Command::Explain);
    if (!io.WantTextInput && io.KeyAlt && pressed(Key::Left)) commands.push_back(Command::Back);
    if (!io.WantTextInput && pressed(Key::Space)) commands.push_back(Command::Play);
    if (!io.KeyCtrl && !io.WantTextInput) {
        if (pressed(Key::Home)) commands.push_back(Command::WholeMatrix);
        if (repeated(Key::Plus)) commands.push_back(Command::ZoomIn);
        if (repeated(Key::Minus)) commands.push_back(Command::ZoomOut);
    }
    if (pressed(Key::F5)) commands.push_back(Command::Present);
    if (!io.WantTextInput && !io.KeyCtrl && pressed(Key::L)) commands.push_back(Command::Laser);
    if (!io.WantTextInput && !io.KeyCtrl && pressed(Key::Z)) commands.push_back(Command::Magnify);
    if (!io.KeyCtrl) return commands;
    if (!io.WantTextInput && pressed(Key::Z))
        commands.push_back(io.KeyShift ? Command::Redo : Command::Undo);
    if (!io.WantTextInput && pressed(Key::Y)) commands.push_back(Command::Redo);
    const bool types = io.WantTextInput;
    if (!types && pressed(Key::C))
        commands.push_back(io.KeyShift ? Command::CopyPicture : Command::Copy);
    if (!types && pressed(Key::V)) commands.push_back(Command::Paste);
    if (pressed(Key::B)) commands.push_back(io.KeyShift ? Command::HoldAsB : Command::Compare);
    if (pressed(Key::K)) commands.push_back(Command::Find);
    if (pressed(Key::O)) commands.push_back(Command::Open);
    if (pressed(Key::S)) commands.push_back(io.KeyShift ? Command::SaveAs : Command::Save);
    if (pressed(Key::E)) commands.push_back(io.KeyShift ? Command::ExportAgain : Command::Export);
    if (pressed(Key::Plus)) commands.push_back(Command::LargerText);
    if (pressed(Key::Minus)) commands.push_back(Command::SmallerText);
    if (pressed(Key::Zero)) commands.push_back(Command::NormalText);
    return commands;
}

}  // namespace headlight
