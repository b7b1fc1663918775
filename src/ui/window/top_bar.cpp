#include "ui/window/top_bar.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <span>

#include "figure/labels.h"
#include "ui/compat.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

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

struct Tab {
    WorkspaceKind kind;
    const char* name;
    CommandId command;
};
constexpr Tab kTabs[] = {{WorkspaceKind::Sentence, "Sentence", "sentence"},
                         {WorkspaceKind::Alignment, "Alignment", "alignment"},
                         {WorkspaceKind::Graph, "Graph", "graph"},
                         {WorkspaceKind::Image, "Image", "image"},
                         {WorkspaceKind::Train, "Train", "train"},
                         {WorkspaceKind::Lecture, "Lecture", "lecture"}};
constexpr float kTabPadding = 14, kSmallPadding = 5, kTabGap = 6, kBrand = 90;
constexpr const char* kMore = "More";

float tabs_width(float padding) {
    float width = 0;
    for (const Tab& tab : kTabs) width += ImGui::CalcTextSize(tab.name).x + 2 * padding + kTabGap;
    return width;
}

bool draw_tab(PanelContext& context, const char* name, bool is_chosen, float padding) {
    ImGui::SameLine(0, kTabGap);
    const Color background = is_chosen ? context.theme.accent_soft : context.theme.window;
    ImGui::PushStyleColor(ImGuiCol_Button, im_vec(background));
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
    CommandId command;
    std::string tooltip;
    int rank = 0;  // the highest goes into the menu first
    bool is_enabled = true;
};
using BarButtons = std::vector<BarButton>;

BarButtons bar_buttons(const TopBarState& state) {
    return {{"↶", "undo",
             state.undo_label.empty() ? "Nothing to undo"
                                      : fmt::format("Undo: {}  (Ctrl+Z)", state.undo_label),
             1, !state.undo_label.empty()},
            {"↷", "redo",
             state.redo_label.empty() ? "Nothing to redo"
                                      : fmt::format("Redo: {}  (Ctrl+Y)", state.redo_label),
             2, !state.redo_label.empty()},
            {"Find…", "find", "Find a command, a study, a part or a matrix by name  (Ctrl+K)", 5},
            {"Compare…", "compare", "Compare with another head, sentence, state or study  (Ctrl+B)",
             11},
            {"Open…", "open", "Open a study or an edge list  (Ctrl+O)", 9},
            {"Save", "save", "Save the study  (Ctrl+S)", 8},
            {"Export…", "export", "Save what the window shows, or its numbers  (Ctrl+E)", 10},
            {"Add page", "add-page",
             "What is seen now becomes a page of the lecture  (Ctrl+Shift+A)", 12},
            {"Present", "present", "One step after another, on the whole screen  (F5)", 7},
            {"A−", "smaller-text", "Smaller  (Ctrl+−)", 3},
            {"A+", "larger-text", "Larger  (Ctrl++)", 4},
            {theme_label(theme_after(state.theme).name), "theme",
             "Change the theme: light, dark, high contrast", 6}};
}

/// A button that opens a part of the window that is folded away.
struct DrawerButton {
    const char* label;
    Drawer part;
    const char* tooltip;
};
constexpr DrawerButton kDrawers[] = {
    {"Input", Drawer::Left, "The text and the settings; Esc closes them"},
    {"Cell", Drawer::Right, "The cell and its arithmetic; Esc closes them"},
    {"Heads", Drawer::Bottom, "The heads and their lines; Esc closes them"}};
constexpr DrawerButton kLectureDrawers[] = {
    {"Pages", Drawer::Left, "The pages of the lecture; Esc closes them"},
    {"This page", Drawer::Right, "Titles, what the page shows, its claims; Esc closes them"}};

std::span<const DrawerButton> drawer_buttons(WorkspaceKind shown) {
    if (shown == WorkspaceKind::Lecture) return kLectureDrawers;
    return kDrawers;
}

float button_width(const char* label) {
    return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x +
           ImGui::GetStyle().ItemSpacing.x;
}

float bar_width(const BarButtons& buttons) {
    float width = 0;
    for (const BarButton& button : buttons) width += button_width(button.label);
    return width;
}

float drawers_width(const TopBarState& state) {
    float width = 0;
    for (const DrawerButton& button : drawer_buttons(state.shown))
        if (state.folded.has(button.part)) width += button_width(button.label);
    return width;
}

/// Draws the buttons; a click opens a drawer or closes it.
void draw_drawer_buttons(PanelContext& context, const TopBarState& state, Drawer& open) {
    for (const DrawerButton& button : drawer_buttons(state.shown)) {
        if (!state.folded.has(button.part)) continue;
        const bool is_highlighted = open == button.part;
        if (is_highlighted)
            ImGui::PushStyleColor(ImGuiCol_Button, im_vec(context.theme.accent_soft));
        const bool is_pressed = widgets::button(context, button.label, button.tooltip);
        if (is_highlighted) ImGui::PopStyleColor();
        if (is_pressed) open = is_highlighted ? Drawer::None : button.part;
        ImGui::SameLine();
    }
}

/// Takes out the buttons for which there is no room.
BarButtons take_hidden(BarButtons& buttons, float room) {
    BarButtons hidden;
    if (bar_width(buttons) <= room) return hidden;
    room -= button_width(kMore);
    while (!buttons.empty() && bar_width(buttons) > room) {
        const auto last = std::ranges::max_element(buttons, {}, &BarButton::rank);
        hidden.push_back(*last);
        buttons.erase(last);
    }
    std::ranges::sort(hidden, {}, &BarButton::rank);
    return hidden;
}

void draw_bar_button(PanelContext& context, const BarButton& button) {
    const auto enabled = button.is_enabled ? widgets::Enabled::Yes : widgets::Enabled::No;
    if (widgets::button(context, button.label, button.tooltip.c_str(), enabled)) {
        context.requests.run(button.command);
        const bool is_stepped = button.rank >= 1 && button.rank <= 4;  // pressed again and again
        if (context.regions.is_in_popup(std::string("button ") + button.label) && !is_stepped)
            ImGui::CloseCurrentPopup();
    }
}

void draw_more(PanelContext& context, const BarButtons& hidden) {
    if (hidden.empty()) return;
    if (widgets::button(context, kMore, "Buttons that have no room here")) ImGui::OpenPopup(kMore);
    if (!ImGui::BeginPopup(kMore, ImGuiWindowFlags_NoMove)) return;
    if (compat::is_key_pressed(Key::Escape)) ImGui::CloseCurrentPopup();
    context.regions.begin_popup();
    constexpr std::size_t kInRow = 3;  // all of them are seen in a low window
    for (std::size_t i = 0; i < hidden.size(); ++i) {
        if (i % kInRow != 0) ImGui::SameLine();
        draw_bar_button(context, hidden[i]);
    }
    context.regions.end_popup();
    ImGui::EndPopup();
}

/// Draws only the shown workspace; a click lists the others.
void draw_folded_tabs(PanelContext& context, WorkspaceKind shown) {
    const char* title = "workspaces";
    const char* name = std::ranges::find(kTabs, shown, &Tab::kind)->name;
    context.painter.push_font(Font::Bold, 13);
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(context.theme.accent));
    if (ImGui::Button((std::string(name) + " ▾").c_str())) ImGui::OpenPopup(title);
    ImGui::PopStyleColor();
    context.painter.pop_font();
    const bool is_open = ImGui::BeginPopup(title, ImGuiWindowFlags_NoMove);
    if (!is_open) return widgets::name_item(context, std::string("tab ") + name);
    context.regions.begin_popup();
    for (const Tab& tab : kTabs) {
        if (ImGui::Selectable(tab.name, tab.kind == shown)) context.requests.run(tab.command);
        widgets::name_item(context, std::string("tab ") + tab.name);
    }
    context.regions.end_popup();
    ImGui::EndPopup();
}

/// The forms of the workspaces in the bar.
enum class TabForm { Wide, Small, Folded };

TabForm tab_form(const BarButtons& buttons, float drawers) {
    const float room = widgets::right_edge() - drawers;
    if (kBrand + tabs_width(kTabPadding) + bar_width(buttons) <= room) return TabForm::Wide;
    BarButtons least = buttons;
    std::erase_if(least, [](const BarButton& button) { return button.rank > 4; });
    const float needed = bar_width(least) + button_width(kMore);
    return tabs_width(kSmallPadding) + needed <= room ? TabForm::Small : TabForm::Folded;
}

void draw_tabs(PanelContext& context, TabForm form, WorkspaceKind shown) {
    if (form == TabForm::Folded) return draw_folded_tabs(context, shown);
    if (form == TabForm::Wide) {
        draw_brand(context);
        ImGui::SameLine(0, 14 - kTabGap);
    }
    const float padding = form == TabForm::Wide ? kTabPadding : kSmallPadding;
    for (const Tab& tab : kTabs)
        if (draw_tab(context, tab.name, shown == tab.kind, padding))
            context.requests.run(tab.command);
}

void draw_study_name(PanelContext& context, const TopBarState& state, float right) {
    ImGui::SameLine(0, 22);
    const std::string edited = state.is_changed ? "  ·  edited" : "";
    const float room = right - 16 - ImGui::GetCursorPosX();
    const auto width = [](const std::string& text, float, Font) {
        return ImGui::CalcTextSize(widgets::as_read(text).c_str()).x;
    };
    TextMark mark{.at = {}, .text = state.study_name, .size = ImGui::GetFontSize()};
    shorten(mark, room - width(edited, 0, Font::Regular), width);
    if (mark.text.empty() || (mark.text == "…" && mark.text != state.study_name)) return;
    const std::string name = mark.text + edited;
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(im_vec(context.theme.muted), "%s", widgets::as_read(name).c_str());
    if (mark.text != state.study_name) widgets::tooltip(state.study_name.c_str());
}

}  // namespace

ThemeWord theme_after(ThemeName name) {
    const auto words = theme_words();
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i].name == name) return words[(i + 1) % words.size()];
    return words[0];
}

void draw_top_bar(PanelContext& context, const TopBarState& state, Drawer& open) {
    BarButtons buttons = bar_buttons(state);
    const float drawers = drawers_width(state);
    const float right = widgets::right_edge();
    const Point at{ImGui::GetWindowPos().x, ImGui::GetWindowPos().y};
    context.regions.add("bar top",
                        {at.x, at.y, ImGui::GetWindowSize().x, ImGui::GetWindowSize().y});
    draw_tabs(context, tab_form(buttons, drawers), state.shown);
    ImGui::SameLine(0, 0);
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float room = right + gap - drawers - ImGui::GetCursorPosX() - gap;
    const BarButtons hidden = take_hidden(buttons, room);
    const float left =
        right + gap - drawers - bar_width(buttons) - (hidden.empty() ? 0 : button_width(kMore));
    draw_study_name(context, state, left);
    ImGui::SameLine(left);
    draw_drawer_buttons(context, state, open);
    for (const BarButton& button : buttons) {
        draw_bar_button(context, button);
        ImGui::SameLine();
    }
    draw_more(context, hidden);
    ImGui::NewLine();
}

}  // namespace headlight
