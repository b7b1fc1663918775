#include "ui/window/notice.h"

#include <algorithm>
#include <imgui.h>
#include <limits>
#include <utility>

#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr double kMoment_secs = 6;
constexpr float kNoticePad = 5, kAroundNotice = 44;

}  // namespace

void Notice::say(std::string text, Kind kind) {
    text_ = std::move(text);
    offer_.reset();
    kind_ = kind;
    is_new_ = true;
}

void Notice::say(const Error& error, Kind kind) {
    say(text_for_user(error), kind);
}

void Notice::say_done(std::string text, Offer instead) {
    say(std::move(text), Kind::Done);
    offer_ = instead;
}

void Notice::clear() {
    text_.clear();
    offer_.reset();
    kind_ = Kind::Problem;
    is_new_ = false;
}

void Notice::follow(std::size_t workspace, const void* document) {
    if (text_.empty() && waits_for_ == workspace) say(std::exchange(waiting_, {}), Kind::Computer);
    if (text_.empty()) return;
    if (is_new_) {
        is_new_ = false;
        workspace_ = workspace;
        document_ = document;
        end_secs_ = ImGui::GetTime() + kMoment_secs;
    }
    if (kind_ == Kind::Computer) {
        if (workspace_ == workspace) return;
        waiting_ = std::exchange(text_, {});
        waits_for_ = workspace_;
        return;
    }
    const bool is_over = kind_ == Kind::Done && ImGui::GetTime() >= end_secs_;
    if (is_over || workspace_ != workspace || document_ != document) clear();
}

double Notice::secs_left() const {
    if (text_.empty() || kind_ != Kind::Done) return std::numeric_limits<double>::infinity();
    return std::max(0.001, end_secs_ - ImGui::GetTime());
}

float notice_height(const std::string& text, float width, float buttons_width) {
    const float room = width - buttons_width - kAroundNotice;
    const float lines = ImGui::CalcTextSize(text.c_str(), nullptr, false, room).y;
    return lines + 2 * ImGui::GetStyle().FramePadding.y + 2 * kNoticePad;
}

void begin_notice(PanelContext& context, const std::string& text, Box box, float buttons_width) {
    ImGui::PushStyleColor(ImGuiCol_WindowBg, im_vec(context.theme.notice));
    ImGui::PushStyleColor(ImGuiCol_Border, im_vec(context.theme.notice_border));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {16, kNoticePad});
    const float height = notice_height(text, box.width, buttons_width);
    ImGui::SetNextWindowPos({box.x, box.bottom() - height});
    ImGui::SetNextWindowSize({box.width, height});
    ImGui::Begin("notice", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    context.regions.add("bar notice", {at.x, at.y, size.x, size.y});
    ImGui::PushTextWrapPos(box.width - buttons_width - kAroundNotice + 16);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::SameLine(box.width - buttons_width - 16);
}

void end_notice() {
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(2);
}

}  // namespace headlight
