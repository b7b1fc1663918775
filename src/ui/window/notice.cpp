#include "ui/window/notice.h"

#include <algorithm>
#include <imgui.h>
#include <iterator>
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

void Notice::follow(std::size_t workspace, const void* document, Cause cause) {
    if (text_.empty() && waits_for_ == workspace) say(std::exchange(waiting_, {}), Kind::Computer);
    if (text_.empty()) return;
    if (is_new_) {
        is_new_ = false;
        workspace_ = workspace;
        document_ = document;
        end_secs_ = ImGui::GetTime() + kMoment_secs;
    }
    if (kind_ == Kind::Computer) {
        // A cause that is scrolled out of sight is no change.
        if (document_ != document && cause == Cause::IsGone) return clear();
        if (workspace_ == workspace) return;
        waiting_ = std::exchange(text_, {});
        waits_for_ = workspace_;
        return;
    }
    const bool is_over = kind_ == Kind::Done && ImGui::GetTime() >= end_secs_;
    if (is_over || workspace_ != workspace || document_ != document) clear();
}

void LackingScripts::follow(const std::vector<const Script*>& needed, Notice& notice) {
    const auto is_needed = [&](const Script* script) {
        return std::ranges::count(needed, script) > 0;
    };
    cause_ = std::ranges::any_of(said_, is_needed) ? Notice::Cause::IsThere : Notice::Cause::IsGone;
    if (!said_.empty() && !notice.tells_of_computer()) {  // it left, or another took its place
        std::erase_if(told_,
                      [&](const Script* script) { return std::ranges::count(said_, script) > 0; });
        said_.clear();
    }
    if (!notice.text().empty()) return;
    std::vector<const Script*> news;
    std::ranges::copy_if(needed, std::back_inserter(news), [&](const Script* script) {
        return std::ranges::count(told_, script) == 0;
    });
    if (news.empty()) return;
    notice.say(lacking_fonts_text(news), Notice::Kind::Computer);
    told_.insert(told_.end(), news.begin(), news.end());
    said_ = std::move(news);
    cause_ = Notice::Cause::IsThere;
}

double Notice::secs_left() const {
    if (text_.empty() || kind_ != Kind::Done) return std::numeric_limits<double>::infinity();
    return std::max(0.001, end_secs_ - ImGui::GetTime());
}

float notice_height(const std::string& text, float width, float buttons_width) {
    const float room = width - buttons_width - kAroundNotice;
    const float lines = ImGui::CalcTextSize(widgets::wrapped_as_read(text, room).c_str()).y;
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
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(
        widgets::wrapped_as_read(text, box.width - buttons_width - kAroundNotice).c_str());
    ImGui::SameLine(box.width - buttons_width - 16);
}

void end_notice() {
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(2);
}

}  // namespace headlight
