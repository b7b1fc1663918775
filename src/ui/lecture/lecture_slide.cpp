#include "ui/lecture/lecture_slide.h"

#include <cfloat>
#include <imgui.h>

#include "ui/compat.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kLectureFoot = 30, kSlideFootSize = 11;

/// Goes to a page that many pages on.
void step(PanelContext& context, const LectureBook& book, int by) {
    const auto at = static_cast<long>(book.at()) + by;
    if (at < 0) return;
    context.requests.lecture([at](LectureBook& lecture) {
        lecture.animate_next();
        lecture.go_to(static_cast<std::size_t>(at));
    });
}

bool foot_button(PanelContext& context, const char* label, const char* tooltip) {
    ImGui::PushStyleColor(ImGuiCol_Button, im_vec(context.theme.card));
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(context.theme.muted));
    const bool is_pressed = widgets::button(context, label, tooltip);
    ImGui::PopStyleColor(2);
    ImGui::SameLine(0, 2);
    return is_pressed;
}

}  // namespace

/// A pointer that rests since the page was turned names and marks nothing: nobody points with it.
/// Returns where it is, if it was put away.
std::optional<ImVec2> LectureSlide::put_away_resting_pointer(std::uint64_t opening) {
    ImGuiIO& io = ImGui::GetIO();
    const auto is_at = [&](Point at) { return io.MousePos.x == at.x && io.MousePos.y == at.y; };
    const bool is_used = ImGui::IsMouseDown(ImGuiMouseButton_Left) ||
                         ImGui::IsMouseReleased(ImGuiMouseButton_Left) || io.MouseWheel != 0;
    if (opening_ != opening) rests_at_ = {io.MousePos.x, io.MousePos.y};
    opening_ = opening;
    if (is_used || !rests_at_ || !is_at(*rests_at_)) rests_at_.reset();
    if (!rests_at_) return std::nullopt;
    const ImVec2 pointer = io.MousePos;
    io.MousePos = {-FLT_MAX, -FLT_MAX};
    return pointer;
}

void LectureSlide::draw(PanelContext& context, const LectureBook& book, PageCanvas& page,
                        Point size) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({size.x, size.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, im_vec(context.theme.card));
    ImGui::Begin("lecture slide", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    const std::optional<ImVec2> pointer = put_away_resting_pointer(book.shown().opening);
    page.draw(context, book, {0, 0, size.x, size.y - kLectureFoot});
    if (pointer) ImGui::GetIO().MousePos = *pointer;
    context.painter.push_font(Font::Regular, kSlideFootSize);
    ImGui::SetCursorScreenPos({24, size.y - kLectureFoot + 2});
    if (foot_button(context, "Back", "The page before  (← or Page Up)")) step(context, book, -1);
    if (foot_button(context, "Next", "The next page  (→, Space or Page Down)"))
        step(context, book, 1);
    if (foot_button(context, "As written",
                    "The page as the file has it, without what was changed here"))
        context.requests.lecture([](LectureBook& lecture) { lecture.reopen(); });
    if (book.has_live_changes(book.at()) &&
        foot_button(context, "Keep changes", "What was changed here becomes part of the lecture"))
        context.requests.run("keep-changes");
    if (page.has_answers() &&
        foot_button(context, "Save answers…",
                    "A small file with your answers, which can be sent and graded"))
        context.requests.run("save-answers");
    if (page.has_answers() && foot_button(context, "Clear answers", "All tasks begin anew"))
        context.requests.run("clear-answers");
    if (foot_button(context, "Laser", "A red dot that follows the pointer  (L)"))
        context.requests.run("laser");
    if (foot_button(context, "Speaker",
                    "Notes, the next page and a clock in a window of their own  (S)"))
        context.requests.run("speaker");
    if (foot_button(context, "Leave", "Back to the window  (Esc or F5)"))
        context.requests.run("present");
    context.painter.pop_font();
    ImGui::End();
}

void LectureSlide::press_keys(PanelContext& context, const LectureBook& book, PageCanvas& page) {
    const auto pressed = [](Key key) { return compat::is_key_pressed(key); };
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
    // No field of a slide has pages: a presenter's remote works while one has the keyboard.
    if (pressed(Key::PageDown)) step(context, book, 1);
    if (pressed(Key::PageUp)) step(context, book, -1);
    if (io.WantTextInput) return;
    if (pressed(Key::Right) || pressed(Key::Space)) step(context, book, 1);
    if (pressed(Key::Left)) step(context, book, -1);
    if (pressed(Key::Home)) step(context, book, -static_cast<int>(book.at()));
    if (pressed(Key::End)) step(context, book, static_cast<int>(book.lecture().pages.size()));
    if (pressed(Key::H)) page.show_hint();
    const auto& task = book.shown().task;
    if (!task) return;
    if (pressed(Key::A)) page.type_answer();
    // A solution changes the study: no key alone makes it.
    const bool is_goal = task->kind == PageTask::Kind::Goal;
    if (pressed(Key::R) && is_goal == io.KeyShift) page.show_answer();
}

}  // namespace headlight
