#include "ui/lecture/lecture_view.h"

#include <algorithm>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "core/error.h"
#include "lecture/page/page_scope.h"
#include "ui/lecture/lecture_part.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kStrip = 206, kSide = 286, kTexts = 190, kGap = 14;
constexpr float kLeastForSide = 900, kLeastForStrip = 560;

/// The page as large as fits, in the shape of a wide screen.
Box page_box(Box room) {
    const float width = std::min(room.width, room.height * kWidePage / kPageHeight);
    const float height = width * kPageHeight / kWidePage;
    return {room.x + (room.width - width) / 2, room.y + (room.height - height) / 2, width, height};
}

/// The byte of a text, drawn from `corner` on and wrapped as ImGui does in that width, at a point.
int byte_at(const std::string& text, ImVec2 corner, float width, ImVec2 point) {
    ImFont* font = ImGui::GetFont();
    const float size = ImGui::GetFontSize();
    const char *line = text.c_str(), *end = line + text.size();
    for (float bottom = corner.y + size; line < end; bottom += size) {
        const char* wrap = compat::wrapped_end(*font, size, {line, end}, width);
        const char* stop = std::find(line, wrap, '\n');
        if (point.y < bottom || stop == end) {
            const char* at = nullptr;
            const float x = std::max(0.0f, point.x - corner.x);
            font->CalcTextSizeA(size, x, 0, line, stop, &at);
            return static_cast<int>(at - text.c_str());
        }
        line = stop;
        if (stop == wrap)  // as ImGui draws it: blanks where a line was wrapped are left out
            while (line < end && (*line == ' ' || *line == '\t')) ++line;
        if (line < end && *line == '\n') ++line;
    }
    return static_cast<int>(text.size());
}

/// Until the mouse is released: ImGui looks for the click in lines that are not wrapped.
int put_cursor(ImGuiInputTextCallbackData* data) {
    const auto& clicked = *static_cast<const std::optional<int>*>(data->UserData);
    if (clicked) data->CursorPos = data->SelectionStart = data->SelectionEnd = *clicked;
    return 0;
}

}  // namespace

Folded LectureView::folded(Box box) {
    return {.left = box.width < kLeastForStrip, .right = box.width < kLeastForSide};
}

bool LectureView::draw(PanelContext& context, LectureBook& book, PageCanvas& page, Box box,
                       Drawer drawer) {
    const bool has_more = thumbnails_.advance(book, context.theme);
    const Folded away = folded(box);
    const float left = away.left ? 0 : kStrip, right = away.right ? 0 : kSide;
    const Box strip{box.x, box.y, std::min(kStrip, box.width), box.height};
    const float side = std::min(kSide, box.width);
    Box middle{box.x + left, box.y, box.width - left - right, box.height};
    if (!away.left) draw_strip(context, book, strip, Lies::Beside);
    const float texts = std::min(kTexts, 0.32f * box.height);
    draw_texts(context, book, {middle.x, middle.bottom() - texts, middle.width, texts});
    middle.height -= texts;
    draw_page(context, book, page, middle);
    const Box at_right{box.right() - side, box.y, side, box.height};
    if (!away.right) draw_side(context, book, at_right, Lies::Beside);
    if (away.left && drawer == Drawer::Left) draw_strip(context, book, strip, Lies::Over);
    if (away.right && drawer == Drawer::Right) draw_side(context, book, at_right, Lies::Over);
    return has_more;
}

void LectureView::draw_page(PanelContext& context, const LectureBook& book, PageCanvas& page,
                            Box box) {
    context.regions.begin_part(kMiddle);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_lecture_part("lecture page", box, context.theme.canvas, Scrolls::No);
    ImGui::PopStyleVar();
    const Box place =
        page_box({box.x + kGap, box.y + kGap, box.width - 2 * kGap, box.height - 2 * kGap});
    Figure card;
    card.add(RectMark{
        {0, 0, place.width, place.height}, context.theme.card, context.theme.border, 1, 8});
    context.painter.draw(card, {place.x, place.y});
    if (book.lecture().pages.empty()) {
        ImGui::SetCursorScreenPos({place.x + 40, place.y + 40});
        ImGui::TextDisabled("No page yet. Show something in another workspace and press Add page.");
    } else {
        page.draw(context, book, place);
    }
    ImGui::End();
}

bool LectureView::draw_field(PanelContext& context, const char* name, Field& field,
                             const std::string& text, Point size) {
    if (text != field.shown && !field.has_focus) {
        field.shown = text;
        field.buffer = context.codes.encode(text);
    }
    context.painter.need_glyphs(text);
    // A field of ImGui does not wrap its lines: while nobody types, the text stands over it.
    const bool is_wrapped = !field.has_focus;
    const ImVec2 corner = ImGui::GetCursorScreenPos(), pad = ImGui::GetStyle().FramePadding;
    if (is_wrapped) ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0, 0, 0, 0));
    const bool is_edited = ImGui::InputTextMultiline(
        (std::string("##") + name).c_str(), &field.buffer, {size.x, size.y},
        ImGuiInputTextFlags_CallbackAlways, put_cursor, &field.clicked);
    if (is_wrapped) ImGui::PopStyleColor();
    if (is_wrapped && !ImGui::IsItemActive()) {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.PushClipRect(corner, {corner.x + size.x, corner.y + size.y}, true);
        list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {corner.x + pad.x, corner.y + pad.y},
                     im_color(context.theme.text), field.buffer.c_str(), nullptr,
                     size.x - 2 * pad.x);
        list.PopClipRect();
    }
    widgets::name_item(context, std::string("text ") + name);
    field.has_focus = ImGui::IsItemActive();
    if (is_wrapped && field.has_focus && ImGui::IsMouseDown(ImGuiMouseButton_Left))
        field.clicked = byte_at(field.buffer, {corner.x + pad.x, corner.y + pad.y},
                                size.x - 2 * pad.x, ImGui::GetIO().MousePos);
    else if (!ImGui::IsMouseDown(ImGuiMouseButton_Left))
        field.clicked.reset();
    if (field.has_focus) context.requests.keep_tab();
    const bool is_left = ImGui::IsItemDeactivated();
    if (is_left) context.requests.lecture([](LectureBook& lecture) { lecture.end_gesture(); });
    if (widgets::is_left_by_escape()) {
        field.buffer = context.codes.encode(field.shown);
        return false;
    }
    if (!is_edited) return false;
    field.shown = context.codes.decode(field.buffer);
    return true;
}

/// What no file could hold is not taken.
bool LectureView::is_short(PanelContext& context, Field& field, const std::string& before,
                           std::size_t most_bytes) {
    if (field.shown.size() <= most_bytes) return true;
    field.shown = before;
    field.buffer = context.codes.encode(before);
    context.requests.lecture([most_bytes](LectureBook&) {
        throw Error("lecture", "this can have at most " + std::to_string(most_bytes) + " bytes");
    });
    return false;
}

void LectureView::draw_texts(PanelContext& context, const LectureBook& book, Box box) {
    context.regions.begin_part(kBottom);
    begin_lecture_part("lecture texts", box, context.theme.panel, Scrolls::No);
    const std::size_t at = book.at();
    if (at < book.lecture().pages.size()) {
        const LecturePage& written = book.lecture().pages[at];
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const float notes = std::floor(0.34f * room.x), texts = room.x - notes - kGap;
        compat::begin_child("page text", {texts, room.y}, compat::Border::No);
        widgets::heading(context, "Text of the page",
                         "**bold**, *emphasis*, $formula$, {expression} filled in, '- ' an item");
        if (draw_field(context, "Page text", text_, written.text,
                       {texts, ImGui::GetContentRegionAvail().y}) &&
            is_short(context, text_, written.text, kMostPageBytes))
            context.requests.lecture([at, text = text_.shown](LectureBook& lecture) {
                lecture.change(
                    "Type the text of a page",
                    [&](Lecture& changed) { changed.pages[at].text = text; }, "page text");
            });
        ImGui::EndChild();
        ImGui::SameLine(0, kGap);
        compat::begin_child("page notes", {notes, room.y}, compat::Border::No);
        widgets::heading(context, "Notes for the speaker", "Seen here, not on the slide");
        if (draw_field(context, "Page notes", notes_, written.notes,
                       {notes, ImGui::GetContentRegionAvail().y}) &&
            is_short(context, notes_, written.notes, kMostPageBytes))
            context.requests.lecture([at, notes_text = notes_.shown](LectureBook& lecture) {
                lecture.change(
                    "Type notes", [&](Lecture& changed) { changed.pages[at].notes = notes_text; },
                    "page notes");
            });
        ImGui::EndChild();
    }
    ImGui::End();
}

void LectureView::press_keys(PanelContext& context, const LectureBook& book) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantTextInput || io.KeyCtrl || book.lecture().pages.empty()) return;
    const std::size_t at = book.at();
    const auto go = [&](std::size_t page) {
        context.requests.lecture([page](LectureBook& lecture) { lecture.go_to(page); });
    };
    if (compat::is_key_pressed(Key::PageDown)) go(at + 1);
    if (compat::is_key_pressed(Key::PageUp) && at > 0) go(at - 1);
}

}  // namespace headlight
