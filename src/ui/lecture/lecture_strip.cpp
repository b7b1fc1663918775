// The strip of a lecture's pages: choose, move, duplicate, delete; and what stands where no lecture
// is open.
#include <algorithm>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "lecture/lessons.h"
#include "ui/lecture/lecture_part.h"
#include "ui/lecture/lecture_view.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kNumber = 18, kChangedDot = 8;

std::ptrdiff_t place(std::size_t page) {
    return static_cast<std::ptrdiff_t>(page);
}

void move_page(LectureBook& book, std::size_t from, std::size_t to) {
    if (from == to || to >= book.lecture().pages.size()) return;
    book.change("Move a page", [&](Lecture& lecture) {
        LecturePage page = std::move(lecture.pages[from]);
        lecture.pages.erase(lecture.pages.begin() + place(from));
        lecture.pages.insert(lecture.pages.begin() + place(to), std::move(page));
    });
    book.go_to(to);
}

}  // namespace

void LectureView::draw_strip(PanelContext& context, const LectureBook& book, Box box, Lies lies) {
    context.regions.begin_part(kLeft);
    begin_lecture_part("lecture strip", box, context.theme.panel, Scrolls::Yes, lies);
    // With room for the scroll bar, whether it is there or not: it would make the pages lower, and
    // so vanish again.
    const ImGuiStyle& style = ImGui::GetStyle();
    const float width = box.width - 2 * style.WindowPadding.x - style.ScrollbarSize - kNumber;
    for (std::size_t k = 0; k < book.lecture().pages.size(); ++k)
        draw_thumbnail(context, book, k, width);
    if (widgets::button(context, "Empty page", "A page with text alone, behind the chosen one"))
        context.requests.lecture([](LectureBook& lecture) {
            lecture.add_page(
                {.title = "New page", .text = {}, .notes = {}, .directives = {{"what", "none"}}},
                "Add an empty page");
        });
    if (widgets::button(context, "Other lectures…", "Close this one: lessons, a new one, a file"))
        context.requests.run("close-lecture");
    ImGui::End();
}

void LectureView::draw_thumbnail(PanelContext& context, const LectureBook& book,
                                 std::size_t page_at, float width) {
    const Theme& theme = context.theme;
    const bool is_chosen = page_at == book.at();
    const std::string number = std::to_string(page_at + 1);
    ImGui::PushID(static_cast<int>(page_at));
    ImGui::TextDisabled("%s", number.c_str());
    ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + kNumber);
    const float height = width * kPageHeight / kWidePage;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton("page", {width, height}))
        context.requests.lecture([page_at](LectureBook& lecture) { lecture.go_to(page_at); });
    widgets::name_item(context, "page " + number);
    if (is_chosen && scrolled_to_ != page_at + 1) {
        ImGui::SetScrollHereY();
        scrolled_to_ = page_at + 1;
    }
    const bool is_hovered = ImGui::IsItemHovered();
    if (ImGui::BeginDragDropSource(ImGuiDragDropFlags_SourceNoPreviewTooltip)) {
        ImGui::SetDragDropPayload("page", &page_at, sizeof page_at);
        ImGui::EndDragDropSource();
    }
    if (ImGui::BeginDragDropTarget()) {
        if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload("page")) {
            const auto from = *static_cast<const std::size_t*>(payload->Data);
            context.requests.lecture(
                [from, page_at](LectureBook& lecture) { move_page(lecture, from, page_at); });
        }
        ImGui::EndDragDropTarget();
    }
    const bool is_changed = book.has_live_changes(page_at);
    if (is_changed)
        widgets::tooltip(
            "Its study was changed here, which is not in the lecture: Keep changes "
            "makes it part of it, As written takes it back");
    draw_page_menu(context, book, page_at);
    Figure frame;
    const Color edge = is_chosen ? theme.accent : is_hovered ? theme.muted : theme.border;
    frame.add(RectMark{{0, 0, width, height}, theme.card, edge, is_chosen ? 2.0f : 1.0f, 4});
    context.painter.draw(frame, {at.x, at.y});
    if (const Figure* figure = thumbnails_.find(page_at)) {
        ImGui::PushClipRect({at.x + 2, at.y + 2}, {at.x + width - 2, at.y + height - 2}, true);
        context.painter.draw(*figure, {at.x, at.y}, width / kWidePage);
        ImGui::PopClipRect();
    }
    Figure mark;
    if (is_changed)
        mark.add(RectMark{{width - 14, 6, kChangedDot, kChangedDot}, theme.accent, {}, 0, 4});
    if (thumbnails_.has_failed(page_at))
        mark.add(TextMark{{width - 14, height - 8}, "!", 16, theme.warning, Font::Bold});
    context.painter.draw(mark, {at.x, at.y});
    ImGui::Dummy({0, 6});
    ImGui::PopID();
}

void LectureView::draw_page_menu(PanelContext& context, const LectureBook& book,
                                 std::size_t page_at) {
    if (!ImGui::BeginPopupContextItem("page menu")) return;
    context.regions.begin_popup();
    const auto item = [&](const char* label, bool is_possible) {
        const bool is_pressed = ImGui::MenuItem(label, nullptr, false, is_possible);
        widgets::name_item(context, std::string("item ") + label);
        return is_pressed;
    };
    const std::size_t n = book.lecture().pages.size();
    if (item("Duplicate", true))
        context.requests.lecture([page_at](LectureBook& lecture) {
            lecture.go_to(page_at);
            lecture.add_page(lecture.lecture().pages[page_at], "Duplicate a page");
        });
    if (item("Move up", page_at > 0))
        context.requests.lecture(
            [page_at](LectureBook& lecture) { move_page(lecture, page_at, page_at - 1); });
    if (item("Move down", page_at + 1 < n))
        context.requests.lecture(
            [page_at](LectureBook& lecture) { move_page(lecture, page_at, page_at + 1); });
    if (item("Delete", true))
        context.requests.lecture([page_at](LectureBook& lecture) {
            lecture.change("Delete a page", [page_at](Lecture& changed) {
                changed.pages.erase(changed.pages.begin() + place(page_at));
            });
        });
    if (compat::is_key_pressed(Key::Escape)) ImGui::CloseCurrentPopup();
    context.regions.end_popup();
    ImGui::EndPopup();
}

namespace {

/// A button for each lesson, in columns.
void draw_lessons(PanelContext& context) {
    constexpr float kColumn = 300;
    ImGui::Dummy({0, 14});
    widgets::heading(context, "Lessons");
    const auto n_columns =
        std::max(1, static_cast<int>(ImGui::GetContentRegionAvail().x / kColumn));
    int column = 0;
    for (const Lesson& lesson : lessons()) {
        if (column > 0) ImGui::SameLine(40 + static_cast<float>(column) * kColumn);
        if (widgets::button(context, lesson.title.c_str(), nullptr))
            context.requests.lesson.ask(std::string(lesson.name));
        column = (column + 1) % n_columns;
    }
}

}  // namespace

void LectureView::draw_welcome(PanelContext& context, Box box) {
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::Begin("lecture welcome", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::Dummy({0, 30});
    ImGui::Indent(40);
    context.painter.push_font(Font::Bold, 22);
    ImGui::TextUnformatted("A lecture: prepared pages, one after another");
    context.painter.pop_font();
    widgets::hint(context,
                  "Each page shows a study, alive, with your own words. Show something in another "
                  "workspace and press Add page, or open a *.lecture file.");
    ImGui::Dummy({0, 8});
    if (widgets::primary_button(context, "New lecture", "An empty one"))
        context.requests.run("new-lecture");
    ImGui::SameLine();
    if (widgets::button(context, "Open…", "A *.lecture file  (Ctrl+O)"))
        context.requests.run("open");
    draw_lessons(context);
    ImGui::Unindent(40);
    ImGui::End();
}

}  // namespace headlight
