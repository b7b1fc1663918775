#include "ui/window/work_bar.h"

#include <algorithm>
#include <imgui.h>
#include <utility>

#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

using Phase = WorkState::Phase;

constexpr float kShort_secs = 0.3f;  // shorter work is not worth a bar
constexpr float kWorkWidth = 560, kWorkHeight = 40, kWorkFoot = 14, kBarHeight = 4;

void draw_share(PanelContext& context, double share, float width) {
    const ImVec2 at = ImGui::GetWindowPos();
    const float left = at.x + 14, y = at.y + kWorkHeight - 9;
    const float done = static_cast<float>(share) * (width - 28);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({left, y}, {left + width - 28, y + kBarHeight},
                       im_color(context.theme.border), kBarHeight / 2);
    if (done > 0)
        list.AddRectFilled({left, y}, {left + std::max(done, kBarHeight), y + kBarHeight},
                           im_color(context.theme.accent), kBarHeight / 2);
}

/// The end of a text that is too long says most.
std::string last_part(std::string text, float width) {
    if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
    while (text.size() > 1 && ImGui::CalcTextSize(("…" + text).c_str()).x > width) text.erase(0, 1);
    return "…" + text;
}

}  // namespace

WorkBar::Answer WorkBar::draw(PanelContext& context, const WorkState& state, Box box) {
    const float before = state.phase == Phase::Running ? running_secs_ : 0;
    running_secs_ = before + ImGui::GetIO().DeltaTime;
    if (state.phase != Phase::Running) running_secs_ = 0;
    offers_cancel_ = running_secs_ > kShort_secs;
    if (!offers_cancel_ && state.phase != Phase::Stopped) return Answer::None;
    const float width = std::min(kWorkWidth, box.width - 28);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, im_vec(context.theme.card));
    ImGui::PushStyleColor(ImGuiCol_Border, im_vec(context.theme.accent));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {14, 5});
    ImGui::SetNextWindowPos(
        {box.x + (box.width - width) / 2, box.bottom() - kWorkHeight - kWorkFoot});
    ImGui::SetNextWindowSize({width, kWorkHeight});
    ImGui::Begin("work", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoNav);
    const Answer answer = draw_contents(context, state);
    if (state.phase == Phase::Running) draw_share(context, state.share, width);
    ImGui::End();
    ImGui::PopStyleVar(3);
    ImGui::PopStyleColor(2);
    return answer;
}

WorkBar::Answer WorkBar::draw_contents(PanelContext& context, const WorkState& state) const {
    const bool is_running = state.phase == Phase::Running;
    const char* label = is_running ? "Cancel" : "Compute";
    const float button = ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
    const float right = widgets::right_edge() - button;
    const std::string percent = std::to_string(static_cast<int>(100 * state.share)) + " %";
    const float percent_left = right - 18 - ImGui::CalcTextSize("100 %").x;
    ImGui::AlignTextToFramePadding();
    if (is_running) {
        ImGui::TextUnformatted("Computing");
        ImGui::SameLine();
        const float left = ImGui::GetCursorPosX();
        ImGui::TextColored(im_vec(context.theme.muted), "%s",
                           last_part(state.what, percent_left - left - 12).c_str());
        ImGui::SameLine(percent_left);
        ImGui::TextUnformatted(percent.c_str());
    } else {
        ImGui::TextUnformatted("Not computed: change something, or press Compute.");
    }
    context.regions.add(is_running ? "bar computing" : "bar not computed",
                        {ImGui::GetWindowPos().x, ImGui::GetWindowPos().y, ImGui::GetWindowSize().x,
                         ImGui::GetWindowSize().y});
    ImGui::SameLine(right);
    const char* tooltip = is_running ? "Esc" : "The window shows an earlier state of the study";
    if (!widgets::button(context, label, tooltip)) return Answer::None;
    return is_running ? Answer::Cancel : Answer::Resume;
}

}  // namespace headlight
