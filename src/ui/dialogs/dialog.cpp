#include "ui/dialogs/dialog.h"

#include <algorithm>
#include <imgui.h>
#include <string>
#include <utility>

#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kBeside = 20, kLeastHeight = 120;  // of the window around it; its own

/// Sets the place and the size of the next window, within the screen.
void place_dialog(const Dialog::Look& look) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(look.size.x, screen.x - 2 * kBeside);
    const float room = std::max(kLeastHeight, screen.y - std::max(look.top, kBeside) - kBeside);
    ImGui::SetNextWindowPos(
        {look.right.value_or(screen.x / 2), look.top > 0 ? look.top : screen.y / 2},
        ImGuiCond_Always, {look.right ? 1.0f : 0.5f, look.top > 0 ? 0 : 0.5f});
    ImGui::SetNextWindowSize({width, std::min(look.size.y, room)});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, room});
}

/// Returns the place of a form's cross, which does not scroll.
Box cross_of_form() {
    const ImVec2 at = ImGui::GetWindowPos();
    const float bar = ImGui::GetScrollMaxY() > 0 ? ImGui::GetStyle().ScrollbarSize : 0;
    return {at.x + ImGui::GetWindowWidth() - bar - Dialog::kCross - 2, at.y + 4, Dialog::kCross,
            Dialog::kCross};
}

/// Returns the place of the cross that ImGui draws into the title of a question.
Box cross_of_title() {
    const ImVec2 at = ImGui::GetWindowPos();
    const float side = ImGui::GetFrameHeight();
    return {at.x + ImGui::GetWindowWidth() - side, at.y, side, side};
}

/// Draws the cross over contents that were scrolled to it.
void draw_cross(const Theme& theme, const Box& box, bool is_hovered) {
    constexpr float kArm = 5;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 middle{box.center().x, box.center().y};
    list.AddRectFilled({box.x + 3, box.y + 3}, {box.right() - 3, box.bottom() - 3},
                       is_hovered ? im_color(theme.border) : ImGui::GetColorU32(ImGuiCol_PopupBg),
                       4);
    for (const float way : {-1.0f, 1.0f})
        list.AddLine({middle.x - kArm, middle.y - way * kArm},
                     {middle.x + kArm, middle.y + way * kArm}, im_color(theme.text), 1.2f);
}

}  // namespace

bool Dialog::begin(PanelContext& context, const Look& look) {
    title_ = look.title;
    is_left_by_escape_ = look.is_left_by_escape;
    if (!is_open_ && !ImGui::IsPopupOpen(title_)) return false;
    if (std::exchange(must_open_, false)) ImGui::OpenPopup(title_);
    place_dialog(look);
    const bool is_form = look.kind == Kind::Form;
    const ImVec2 usual = ImGui::GetStyle().WindowPadding;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                        look.padding ? ImVec2{look.padding->x, look.padding->y} : usual);
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoMove;
    if (!is_form) flags |= ImGuiWindowFlags_NoResize;
    if (look.size.y <= 0) flags |= ImGuiWindowFlags_AlwaysAutoResize;
    bool* const cross = look.has_cross ? &is_open_ : nullptr;
    const bool is_shown =
        is_form ? ImGui::BeginPopup(title_, flags) : ImGui::BeginPopupModal(title_, cross, flags);
    ImGui::PopStyleVar();
    if (!is_shown) {
        is_open_ = false;  // by a click beside it
        return false;
    }
    is_form ? context.regions.begin_popup() : context.regions.begin_dialog();
    const std::string name = std::string("close ") + title_;
    draws_cross_ = is_form && look.has_cross;
    if (draws_cross_) {
        const ImVec2 start = ImGui::GetCursorPos();
        const Box box = cross_of_form();
        ImGui::SetCursorScreenPos({box.x, box.y});
        if (ImGui::InvisibleButton("close", {box.width, box.height})) is_open_ = false;
        widgets::name_item(context, name);
        ImGui::SetCursorPos(start);
    } else if (look.has_cross) {
        context.regions.add(name, cross_of_title());
    }
    return true;
}

void Dialog::end(PanelContext& context) {
    if (draws_cross_) {
        const Box box = cross_of_form();
        const ImVec2 low{box.x, box.y}, high{box.right(), box.bottom()};
        draw_cross(context.theme, box, ImGui::IsMouseHoveringRect(low, high));
    }
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    // Contents that are too wide for it count as a part of it, since nobody scrolls to the side.
    context.regions.add(std::string("dialog ") + title_,
                        {at.x, at.y, size.x + ImGui::GetScrollMaxX(), size.y});
    if (is_left_by_escape_ && context.regions.is_dismissed()) close();
    if (!is_open_) ImGui::CloseCurrentPopup();
    context.regions.end_popup();
    ImGui::EndPopup();
}

}  // namespace headlight
