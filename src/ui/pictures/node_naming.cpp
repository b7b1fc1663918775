#include "ui/pictures/node_naming.h"

#include <algorithm>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <utility>

#include "model/changes.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kNameField = 124, kNameGap = 10;
constexpr const char* kTakenName = "another node has this name";

const Graph& edited_graph(const PanelContext& context) {
    return *context.document.drawn_graph();
}

}  // namespace

void NodeNaming::begin_new(const PanelContext& context, Point place) {
    is_on_ = must_focus_ = true;
    had_focus_ = false;
    node_ = -1;
    place_ = place;
    text_ = edited_graph(context).unused_name();
}

void NodeNaming::begin_rename(const PanelContext& context, int node) {
    const Node& renamed = edited_graph(context).nodes.at(static_cast<std::size_t>(node));
    is_on_ = must_focus_ = true;
    had_focus_ = false;
    node_ = node;
    place_ = {renamed.x, renamed.y};
    text_ = renamed.name;
}

bool NodeNaming::is_taken(const PanelContext& context) const {
    const int same = edited_graph(context).find_node(text_);
    return same >= 0 && same != node_;
}

bool NodeNaming::draw(PanelContext& context, Point at) {
    is_on_ = is_on_ && node_ < static_cast<int>(edited_graph(context).nodes.size());
    if (!is_on_) return false;
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (node_ < 0) list.AddCircleFilled({at.x, at.y}, 6, im_color(context.theme.selection));
    const float window_left = ImGui::GetWindowPos().x;
    const float window_right = window_left + ImGui::GetWindowSize().x;
    const float left = std::clamp(at.x - kNameField / 2, window_left + kNameGap,
                                  window_right - kNameField - kNameGap);
    ImGui::SetCursorScreenPos({left, at.y + kNameGap});
    ImGui::SetNextItemWidth(kNameField);
    if (std::exchange(must_focus_, false)) compat::focus_next_item();
    const bool is_bad = text_.empty() || is_taken(context);
    ImGui::PushStyleColor(ImGuiCol_Text,
                          im_vec(is_bad ? context.theme.warning : context.theme.text));
    const bool is_entered =
        ImGui::InputText("##node name", &text_,
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ImGui::PopStyleColor();
    widgets::name_item(context, "text Node name");
    const bool is_hovered = ImGui::IsItemHovered();
    const bool is_active = ImGui::IsItemActive();
    // Also where the field was away meanwhile, with the workspace.
    const bool is_left = std::exchange(had_focus_, is_active) && !is_active && !is_entered;
    if (is_bad)
        list.AddText({left, at.y + 14 + ImGui::GetFrameHeight()}, im_color(context.theme.warning),
                     text_.empty() ? "a node needs a name" : kTakenName);
    ImGui::SetCursorScreenPos(cursor);
    if (is_left && compat::is_key_pressed(Key::Escape))
        is_on_ = false;
    else if (is_entered && is_bad)
        must_focus_ = true;
    else if (is_entered || is_left)
        enter(context);
    return is_hovered;
}

/// A name that cannot be taken is left with a click elsewhere: then nothing happens.
void NodeNaming::enter(PanelContext& context) {
    is_on_ = false;
    if (text_.empty() || is_taken(context)) return;
    if (node_ < 0)
        return context.edits.push("Add node " + text_,
                                  [name = text_, place = place_](Document& document) {
                                      GraphStudy study = *document.graph();
                                      study.graph.add_node(name, place.x, place.y);
                                      set_graph_study(document, std::move(study));
                                  });
    const std::string before = edited_graph(context).nodes.at(static_cast<std::size_t>(node_)).name;
    if (before == text_) return;
    context.edits.push("Rename node " + before + " to " + text_,
                       [node = node_, name = text_](Document& document) {
                           document.graph()->graph.rename_node(node, name);
                       });
}

}  // namespace headlight
