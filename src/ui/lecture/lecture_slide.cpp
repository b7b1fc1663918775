#include "ui/lecture/lecture_slide.h"

#include <cfloat>
#include <imgui.h>
#include <utility>
#include <vector>

#include "figure/labels.h"
#include "ui/compat.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kSlideFootSize = 11;

/// Goes `by` pages on. A hidden matrix is revealed before.
void step(PanelContext& context, const OpenLecture& book, const PageCanvas& page, int by) {
    const auto at = static_cast<long>(book.at()) + by;
    if (at < 0) return;
    if (by == 1 && page.is_hidden(book)) return context.requests.run("reveal");
    context.requests.lecture([at](OpenLecture& lecture) {
        lecture.animate_next();
        lecture.go_to(static_cast<std::size_t>(at));
    });
}

std::vector<SlideButton> foot_buttons(PanelContext& context, const OpenLecture& book,
                                      const PageCanvas& page) {
    const auto run = [&context](CommandId command) {
        return [&context, command] { context.requests.run(command); };
    };
    std::vector<SlideButton> buttons{
        {"Back", "The page before  (← or Page Up)", [&] { step(context, book, page, -1); }},
        {"Next", "The next page  (→, Space or Page Down)", [&] { step(context, book, page, 1); }},
        {"As written", "The page as the file has it, without what was changed here",
         [&context] { context.requests.lecture([](OpenLecture& lecture) { lecture.reopen(); }); }}};
    buttons.push_back({"Speaker", "Notes, the next page and a clock in a window of their own  (S)",
                       run("speaker"), true});
    buttons.push_back(
        {"Text", "Change the text of the page's study  (T)", run("change-text"), true});
    buttons.push_back({"Predict", "Cover the matrices of pages until they are revealed  (P)",
                       run("predict"), true});
    buttons.push_back({"Laser", "A red dot that follows the pointer  (L)", run("laser"), true});
    buttons.push_back({"Leave", "Back to the window  (Esc or F5)", run("present")});
    // This button is last: as it comes and goes, it moves no other one.
    if (book.has_live_changes(book.at()))
        buttons.push_back({"Keep changes", "What was changed here becomes part of the lecture",
                           run("keep-changes")});
    if (page.has_answers()) {
        buttons.push_back({"Save answers…",
                           "A small file with your answers, which can be sent and graded",
                           run("save-answers")});
        buttons.push_back({"Clear answers", "All tasks begin anew", run("clear-answers")});
    }
    return buttons;
}

}  // namespace

/// Puts away a pointer that rests since the page was turned, so that it names and marks nothing:
/// nobody points with it. Returns where it is, if it was put away.
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

void LectureSlide::draw(PanelContext& context, const OpenLecture& book, PageCanvas& page,
                        Panel& input, const SlideRoom& room) {
    const Point size = room.size;
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
    page.draw(context, book, {0, 0, size.x, size.y - kLectureFoot - room.notice - text_.height()});
    if (pointer) ImGui::GetIO().MousePos = *pointer;
    draw_foot(context, book, page, size);
    ImGui::End();
    text_.draw(context, input, size, kLectureFoot + room.notice);
}

/// Draws the buttons and, where there is room, the question about a hidden matrix, or how many
/// guesses are right.
void LectureSlide::draw_foot(PanelContext& context, const OpenLecture& book, const PageCanvas& page,
                             Point size) {
    constexpr float kEdge = 24, kGap = 16;
    context.painter.push_font(Font::Regular, kSlideFootSize);
    std::vector<SlideButton> buttons = foot_buttons(context, book, page);
    leave_out(buttons, size.x - 2 * kEdge);
    const float left = width_of(buttons) + kEdge + kGap;
    draw_slide_buttons(context, buttons, {kEdge, size.y - kLectureFoot + 2}, context.theme.card);
    context.painter.pop_font();
    TextMark said{{left, size.y - kLectureFoot + 17},
                  page.prediction_text(book),
                  kSlideFootSize,
                  context.theme.accent};
    shorten(said, size.x - kEdge - left, context.painter.measure());
    Figure line;
    line.add(std::move(said));
    context.painter.draw(line, {0, 0});
}

void LectureSlide::press_keys(PanelContext& context, const OpenLecture& book, PageCanvas& page) {
    const auto pressed = [](Key key) { return compat::is_key_pressed(key); };
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
    // No field of a slide has pages: a presenter's remote works while one has the keyboard.
    if (pressed(Key::PageDown)) step(context, book, page, 1);
    if (pressed(Key::PageUp)) step(context, book, page, -1);
    if (io.WantTextInput) return;
    const bool turns = !context.requests.keeps_arrows();
    if (turns && (pressed(Key::Right) || pressed(Key::Space))) step(context, book, page, 1);
    if (turns && pressed(Key::Left)) step(context, book, page, -1);
    if (pressed(Key::Home)) step(context, book, page, -static_cast<int>(book.at()));
    if (pressed(Key::End)) step(context, book, page, static_cast<int>(book.lecture().pages.size()));
    if (pressed(Key::H)) page.show_hint();
    if (pressed(Key::T)) context.requests.run("change-text");
    if (pressed(Key::P)) context.requests.run("predict");
    const auto& task = book.shown().task;
    if (!task && page.predicts() && pressed(Key::R)) context.requests.run("reveal");
    if (!task) return;
    if (pressed(Key::A)) page.type_answer();
    // A solution changes the study: no key makes it without Shift.
    const bool is_goal = task->kind == PageTask::Kind::Goal;
    if (pressed(Key::R) && is_goal == io.KeyShift) page.show_answer();
}

}  // namespace headlight
