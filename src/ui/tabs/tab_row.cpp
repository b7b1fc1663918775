#include "ui/tabs/tab_row.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <vector>

#include "figure/labels.h"
#include "io/files/file.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "ui/window/workbench_state.h"

namespace headlight {
namespace {

constexpr float kTabText = 12, kTabPad = 11, kCross = 16, kCrossGap = 5, kDotRoom = 11;
constexpr float kNarrowest = 124, kWidest = 230;
constexpr float kTabsLeft = 10, kAddButton = 28;
constexpr const char* kAllTabs = "All tabs";

Font tab_font(const StudyTab& tab) {
    return tab.is_shown ? Font::Bold : Font::Regular;
}

/// Returns the room that a tab needs beside its name.
float beside_name(const StudyTab& tab) {
    return 2 * kTabPad + kCrossGap + kCross + (tab.is_changed ? kDotRoom : 0);
}

/// Returns the widths of all tabs. Where they have no room together, the widest give way first,
/// down to the narrowest.
std::vector<float> tab_widths(PanelContext& context, std::span<const StudyTab> tabs, float room) {
    std::vector<float> widths;
    for (const StudyTab& tab : tabs) {
        const float name = context.painter.measure()(tab.name, kTabText, tab_font(tab));
        const float whole = std::ceil(name) + 1 + beside_name(tab);
        widths.push_back(std::clamp(whole, kNarrowest, kWidest));
    }
    std::vector<float> sorted = widths;
    std::ranges::sort(sorted);
    float cap = kWidest;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        cap = room / static_cast<float>(sorted.size() - k);
        if (sorted[k] > cap) break;
        room -= sorted[k];
        cap = kWidest;
    }
    for (float& width : widths) width = std::min(width, std::max(cap, kNarrowest));
    return widths;
}

/// The tabs that fit, the shown one among them: from one index to before another.
struct TabRange {
    std::size_t begin = 0, end = 0;
};

TabRange fitting_tabs(std::span<const StudyTab> tabs, const std::vector<float>& widths,
                      float room) {
    const auto shown = std::ranges::find_if(tabs, &StudyTab::is_shown);
    TabRange range{static_cast<std::size_t>(shown - tabs.begin()), 0};
    range.end = range.begin + 1;
    float used = widths[range.begin];
    const auto take = [&](std::size_t k) {
        if (used + widths[k] > room) return false;
        used += widths[k];
        return true;
    };
    bool grows = true;
    while (grows) {
        grows = range.begin > 0 && take(range.begin - 1);
        if (grows) --range.begin;
        const bool grows_right = range.end < tabs.size() && take(range.end);
        if (grows_right) ++range.end;
        grows = grows || grows_right;
    }
    return range;
}

void draw_cross(ImDrawList& list, Point center, Color color) {
    constexpr float kArm = 3.5f;
    for (const float y : {-kArm, kArm})
        list.AddLine({center.x - kArm, center.y - y}, {center.x + kArm, center.y + y},
                     im_color(color), 1.3f);
}

/// Draws the cross at the right end of a tab.
void draw_close(PanelContext& context, const StudyTab& tab, const Box& box, bool is_hovered) {
    const Box cross{box.right() - kTabPad + 3 - kCross, box.y + (box.height - kCross) / 2, kCross,
                    kCross};
    ImGui::SetCursorScreenPos({cross.x, cross.y});
    const bool is_pressed = ImGui::InvisibleButton("close", {kCross, kCross});
    const bool is_on_cross = ImGui::IsItemHovered();
    widgets::name_item(context, "close " + tab.name);
    widgets::tooltip("Close  (Ctrl+W)");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (is_on_cross)
        list.AddRectFilled({cross.x, cross.y}, {cross.right(), cross.bottom()},
                           im_color(context.theme.border), 4);
    if (tab.is_shown || is_hovered || is_on_cross)
        draw_cross(list, cross.center(), is_on_cross ? context.theme.text : context.theme.muted);
    if (is_pressed) context.requests.tab.ask({tab.number, TabRequest::Close});
}

/// Shortens a name, but not the count that tells it from another one of the same name: "The cat …
/// (2)".
void shorten_before_count(TextMark& name, float room, const MeasureText& measure) {
    const std::size_t open = name.text.rfind(" (");
    const bool has_count = name.text.ends_with(')') && open != std::string::npos;
    const std::string count = has_count ? name.text.substr(open) : "";
    name.text.resize(name.text.size() - count.size());
    shorten(name, room - measure(count, kTabText, name.font), measure);
    name.text += count;
}

void draw_tab_name(PanelContext& context, const StudyTab& tab, const Box& box) {
    const Theme& theme = context.theme;
    const float left = kTabPad + (tab.is_changed ? kDotRoom : 0);
    Figure figure{box.width, box.height, {}};
    if (tab.is_changed)
        figure.add(
            CircleMark{.center = {kTabPad + 3, box.height / 2}, .radius = 3, .fill = theme.accent});
    TextMark name{{left, box.height / 2 + 4},
                  tab.name,
                  kTabText,
                  tab.is_shown ? theme.text : theme.muted,
                  tab_font(tab)};
    shorten_before_count(name, box.width - beside_name(tab), context.painter.measure());
    figure.add(std::move(name));
    context.painter.draw(figure, {box.x, box.y});
}

void draw_tab(PanelContext& context, const StudyTab& tab, const Box& box) {
    ImGui::PushID(static_cast<int>(tab.number));
    ImGui::SetCursorScreenPos({box.x, box.y});
    const bool is_pressed =
        ImGui::InvisibleButton("tab", {box.width - kTabPad - kCross, box.height});
    const Point pointer = widgets::pointer_in({0, 0});
    const bool is_hovered = box.contains(pointer);
    widgets::name_item(context, "study " + tab.name);
    const std::string what = tab.what + (tab.is_changed ? "\nnot saved" : "");
    widgets::tooltip(what.c_str());
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (is_hovered && !tab.is_shown)
        list.AddRectFilled({box.x + 2, box.y + 3}, {box.right() - 2, box.bottom() - 4},
                           im_color(context.theme.accent_soft), 6);
    if (tab.is_shown)
        list.AddRectFilled({box.x + kTabPad - 2, box.bottom() - 3},
                           {box.right() - kTabPad + 2, box.bottom() - 1},
                           im_color(context.theme.accent), 1);
    draw_tab_name(context, tab, box);
    draw_close(context, tab, box, is_hovered);
    if (is_hovered && ImGui::IsMouseReleased(ImGuiMouseButton_Middle))
        context.requests.tab.ask({tab.number, TabRequest::Close});
    else if (is_pressed && !tab.is_shown)
        context.requests.tab.ask({tab.number, TabRequest::Show});
    ImGui::PopID();
}

/// Draws the list of all tabs, one below the other, where the row has no room.
void draw_list(PanelContext& context, std::span<const StudyTab> tabs) {
    if (!ImGui::BeginPopup(kAllTabs, ImGuiWindowFlags_NoMove)) return;
    context.regions.begin_popup();
    for (const StudyTab& tab : tabs) {
        ImGui::PushID(static_cast<int>(tab.number));
        const std::string text = tab.name + (tab.is_changed ? "  ·  edited" : "");
        if (ImGui::Selectable(text.c_str(), tab.is_shown))
            context.requests.tab.ask({tab.number, TabRequest::Show});
        widgets::name_item(context, "entry " + tab.name);
        ImGui::PopID();
    }
    if (compat::is_key_pressed(Key::Escape)) ImGui::CloseCurrentPopup();
    context.regions.end_popup();
    ImGui::EndPopup();
}

/// Draws a flat button of text at the end of the row. True if it was pressed.
bool draw_end_button(PanelContext& context, const char* label, const char* name,
                     const char* tooltip, const Box& box) {
    ImGui::SetCursorScreenPos({box.x, box.y + 3});
    ImGui::PushStyleColor(ImGuiCol_Button, im_vec(context.theme.window));
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(context.theme.muted));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
    const bool is_pressed = ImGui::Button(label, {box.width, box.height - 7});
    widgets::name_item(context, std::string("button ") + name);
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(2);
    widgets::tooltip(tooltip);
    return is_pressed;
}

}  // namespace

void draw_tab_row(PanelContext& context, std::span<const StudyTab> tabs) {
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    context.regions.add("bar tabs", {at.x, at.y, size.x, size.y});
    const float whole = size.x - 2 * kTabsLeft - kAddButton;
    const std::vector<float> widths = tab_widths(context, tabs, whole);
    constexpr float kListButton = 86;
    TabRange range{0, tabs.size()};
    float needed = 0;
    for (const float width : widths) needed += width;
    const bool fits = needed <= whole + 0.5f;
    if (!fits) range = fitting_tabs(tabs, widths, whole - kListButton);
    Box box{at.x + kTabsLeft, at.y, 0, size.y};
    for (std::size_t k = range.begin; k < range.end; ++k) {
        box.width = widths[k];
        draw_tab(context, tabs[k], box);
        box.x += box.width;
    }
    box.width = kAddButton;
    if (draw_end_button(context, "+", "New tab", "A copy of this study in a new tab  (Ctrl+T)",
                        box))
        context.requests.run("new-tab");
    if (fits) return;
    box.x += kAddButton;
    box.width = kListButton;
    const std::string all = fmt::format("All {} ▾", tabs.size());
    if (draw_end_button(context, all.c_str(), kAllTabs, "Tabs that have no room here", box))
        ImGui::OpenPopup(kAllTabs);
    draw_list(context, tabs);
}

std::vector<StudyTab> study_tabs(const Studies& studies) {
    const std::vector<const NumberedStudy*> row = studies.tabs(studies.kind());
    if (row.size() < 2) return {};
    const std::vector<std::string> names = tab_names(studies, studies.kind());
    std::vector<StudyTab> tabs;
    for (std::size_t k = 0; k < row.size(); ++k) {
        const Workspace& space = *row[k]->space;
        tabs.push_back(
            {.number = row[k]->number,
             .name = names[k],
             .what = space.file.empty() ? names[k] + "\nof no file yet" : path_text(space.file),
             .is_shown = row[k]->number == studies.number(),
             .is_changed = has_changes(space)});
    }
    return tabs;
}

void open_copy(WorkbenchState& bench) {
    bench.studies.add_copy();
}

void close_tab(WorkbenchState& bench) {
    bench.files.close(bench.studies.number());
}

void show_next_tab(WorkbenchState& bench) {
    bench.studies.turn(Studies::Turn::Next);
}

void show_previous_tab(WorkbenchState& bench) {
    bench.studies.turn(Studies::Turn::Previous);
}

void take_tab_request(WorkbenchState& bench, const TabRequest& request) {
    if (!bench.studies.find(request.number)) return;
    if (request.what == TabRequest::Close) return bench.files.close(request.number);
    bench.studies.show_number(request.number);
}

std::optional<Obstacle> no_tabs(const WorkbenchState& bench) {
    if (bench.presentation.is_on()) return Obstacle{};  // they are not seen
    if (has_tabs(bench.studies.kind())) return std::nullopt;
    return Obstacle{"tabs", "there are none here; show Sentence, Alignment, Graph or Image"};
}

}  // namespace headlight
