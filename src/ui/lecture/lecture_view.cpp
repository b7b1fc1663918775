#include "ui/lecture/lecture_view.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <string>

#include "core/error.h"
#include "present/lessons.h"
#include "present/page/page_document.h"
#include "present/page/page_scope.h"
#include "present/page_from_view.h"
#include "text/strings.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "ui/window/window_parts.h"

namespace headlight {
namespace {

enum class Scrolls { No, Yes };

/// Begins an ImGui window for a part; it lasts until ImGui::End. One that lies over others has an
/// id of its own.
void begin_lecture_part(const char* id, Box box, Color background, Scrolls scrolls,
                        Dock dock = Dock::Column) {
    const ImGuiWindowFlags bar =
        (scrolls == Scrolls::Yes
             ? 0
             : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse) |
        (dock == Dock::Column ? ImGuiWindowFlags_NoBringToFrontOnFocus : 0);
    const std::string name = std::string(id) + (dock == Dock::Overlay ? " drawer" : "");
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, im_vec(background));
    ImGui::Begin(name.c_str(), nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | bar);
    ImGui::PopStyleColor();
}

constexpr float kStrip = 206, kSide = 286, kTexts = 190, kGap = 14;
constexpr float kLeastForSide = 900, kLeastForStrip = 560;

/// Returns a box for the page as large as fits, in the shape of a wide screen.
Box page_box(Box room) {
    const float width = std::min(room.width, room.height * kWidePage / kPageHeight);
    const float height = width * kPageHeight / kWidePage;
    return {room.x + (room.width - width) / 2, room.y + (room.height - height) / 2, width, height};
}

/// Returns the byte of a text that is drawn from `corner` on, wrapped as ImGui does in that width,
/// at a point.
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

/// Keeps the cursor until the mouse is released: ImGui looks for the click in lines that are not
/// wrapped.
int put_cursor(ImGuiInputTextCallbackData* data) {
    const auto& clicked = *static_cast<const std::optional<int>*>(data->UserData);
    if (clicked) data->CursorPos = data->SelectionStart = data->SelectionEnd = *clicked;
    return 0;
}

}  // namespace

Folded LectureView::folded(Box box) {
    return {.left = box.width < kLeastForStrip, .right = box.width < kLeastForSide};
}

bool LectureView::draw(PanelContext& context, OpenLecture& lecture, PageCanvas& page, Box box,
                       Drawer drawer) {
    const bool has_more = thumbnails_.advance(lecture, context.theme);
    const Folded away = folded(box);
    const float left = away.left ? 0 : kStrip, right = away.right ? 0 : kSide;
    const Box strip{box.x, box.y, std::min(kStrip, box.width), box.height};
    const float side = std::min(kSide, box.width);
    Box middle{box.x + left, box.y, box.width - left - right, box.height};
    if (!away.left) draw_strip(context, lecture, strip, Dock::Column);
    const float texts = std::min(kTexts, 0.32f * box.height);
    draw_texts(context, lecture, {middle.x, middle.bottom() - texts, middle.width, texts});
    middle.height -= texts;
    draw_page(context, lecture, page, middle);
    const Box at_right{box.right() - side, box.y, side, box.height};
    if (!away.right) draw_side(context, lecture, at_right, Dock::Column);
    if (away.left && drawer == Drawer::Left) draw_strip(context, lecture, strip, Dock::Overlay);
    if (away.right && drawer == Drawer::Right) draw_side(context, lecture, at_right, Dock::Overlay);
    return has_more;
}

void LectureView::draw_page(PanelContext& context, const OpenLecture& lecture, PageCanvas& page,
                            Box box) {
    context.regions.begin_part(WindowPart::Middle);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    begin_lecture_part("lecture page", box, context.theme.canvas, Scrolls::No);
    ImGui::PopStyleVar();
    const Box place =
        page_box({box.x + kGap, box.y + kGap, box.width - 2 * kGap, box.height - 2 * kGap});
    Figure card;
    card.add(RectMark{
        {0, 0, place.width, place.height}, context.theme.card, context.theme.border, 1, 8});
    context.painter.draw(card, {place.x, place.y});
    if (lecture.lecture().pages.empty()) {
        ImGui::SetCursorScreenPos({place.x + 40, place.y + 40});
        ImGui::TextDisabled("No page yet. Show something in another workspace and press Add page.");
    } else {
        page.draw(context, lecture, place);
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
                     im_color(context.theme.text),
                     widgets::wrapped_as_read(field.shown, size.x - 2 * pad.x).c_str());
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
    if (is_left) context.requests.lecture([](OpenLecture& lecture) { lecture.end_gesture(); });
    if (widgets::is_left_by_escape()) {
        field.buffer = context.codes.encode(field.shown);
        return false;
    }
    if (!is_edited) return false;
    field.shown = context.codes.decode(field.buffer);
    return true;
}

/// Refuses a text that no file could hold.
bool LectureView::is_short(PanelContext& context, Field& field, const std::string& before,
                           std::size_t most_bytes) {
    if (field.shown.size() <= most_bytes) return true;
    field.shown = before;
    field.buffer = context.codes.encode(before);
    context.requests.lecture([most_bytes](OpenLecture&) {
        throw Error("lecture", "this can have at most {} bytes", most_bytes);
    });
    return false;
}

void LectureView::draw_texts(PanelContext& context, const OpenLecture& lecture, Box box) {
    context.regions.begin_part(WindowPart::Bottom);
    begin_lecture_part("lecture texts", box, context.theme.panel, Scrolls::No);
    const std::size_t at = lecture.at();
    if (at < lecture.lecture().pages.size()) {
        const LecturePage& written = lecture.lecture().pages[at];
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const float notes = std::floor(0.34f * room.x), texts = room.x - notes - kGap;
        compat::begin_child("page text", {texts, room.y}, compat::Border::No);
        widgets::heading(context, "Text of the page",
                         "**bold**, *emphasis*, $formula$, {expression} filled in, '- ' an item");
        if (draw_field(context, "Page text", text_, written.text,
                       {texts, ImGui::GetContentRegionAvail().y}) &&
            is_short(context, text_, written.text, kMostPageBytes))
            context.requests.lecture([at, text = text_.shown](OpenLecture& lecture) {
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
            context.requests.lecture([at, notes_text = notes_.shown](OpenLecture& lecture) {
                lecture.change(
                    "Type notes", [&](Lecture& changed) { changed.pages[at].notes = notes_text; },
                    "page notes");
            });
        ImGui::EndChild();
    }
    ImGui::End();
}

void LectureView::press_keys(PanelContext& context, const OpenLecture& lecture) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantTextInput || io.KeyCtrl || lecture.lecture().pages.empty()) return;
    const std::size_t at = lecture.at();
    const auto go = [&](std::size_t page) {
        context.requests.lecture([page](OpenLecture& lecture) { lecture.go_to(page); });
    };
    if (compat::is_key_pressed(Key::PageDown)) go(at + 1);
    if (compat::is_key_pressed(Key::PageUp) && at > 0) go(at - 1);
}

namespace {

constexpr float kViewHeight = 210;

std::string directives_text(const Directives& directives) {
    return joined(directives, "\n", [](const Directive& directive) {
        return fmt::format("{}: {}", directive.key, directive.value);
    });
}

/// Returns the block of a page with these lines. Throws Error with the line.
Directives parse_directives(const std::string& text) {
    const Lecture lecture = read_lecture(fmt::format("# L\n## P\n```headlight\n{}\n```\n", text),
                                         "what the page shows");
    return lecture.pages.front().directives;
}

}  // namespace

bool LectureView::draw_title(PanelContext& context, const char* name, Field& field,
                             const std::string& title) {
    if (!field.has_focus && field.shown != title) {
        field.shown = title;
        field.buffer = context.codes.encode(title);
    }
    ImGui::SetNextItemWidth(-1);
    const bool is_edited = ImGui::InputText((std::string("##") + name).c_str(), &field.buffer);
    widgets::name_item(context, std::string("text ") + name);
    field.has_focus = ImGui::IsItemActive();
    const bool is_left_by_escape = widgets::is_left_by_escape();
    if (is_left_by_escape) field.buffer = context.codes.encode(field.shown);
    if (!is_edited || is_left_by_escape) return false;
    field.shown = context.codes.decode(field.buffer);
    return true;
}

void LectureView::draw_side(PanelContext& context, const OpenLecture& lecture, Box box, Dock dock) {
    context.regions.begin_part(WindowPart::Right);
    begin_lecture_part("lecture side", box, context.theme.panel, Scrolls::Yes, dock);
    const std::size_t at = lecture.at();
    widgets::heading(context, "Lecture");
    if (draw_title(context, "Lecture title", lecture_title_, lecture.lecture().title) &&
        is_short(context, lecture_title_, lecture.lecture().title, kMostTitleBytes))
        context.requests.lecture([text = lecture_title_.shown](OpenLecture& lecture) {
            lecture.change(
                "Rename the lecture", [&](Lecture& changed) { changed.title = text; },
                "lecture title");
        });
    if (at < lecture.lecture().pages.size()) {
        widgets::heading(context, "Page");
        if (draw_title(context, "Page title", title_, lecture.lecture().pages[at].title) &&
            is_short(context, title_, lecture.lecture().pages[at].title, kMostTitleBytes))
            context.requests.lecture([at, text = title_.shown](OpenLecture& lecture) {
                lecture.change(
                    "Rename a page", [&](Lecture& changed) { changed.pages[at].title = text; },
                    "page title");
            });
        draw_view_field(context, lecture);
        draw_claims(context, lecture);
    }
    ImGui::End();
}

void LectureView::draw_view_field(PanelContext& context, const OpenLecture& lecture) {
    const std::size_t at = lecture.at();
    const LecturePage& written = lecture.lecture().pages[at];
    widgets::heading(context, "This page shows",
                     "One line each, 'key: value', as docs/lectures.md lists them");
    if (draw_field(context, "Page shows", view_, directives_text(written.directives),
                   {ImGui::GetContentRegionAvail().x, kViewHeight})) {
        try {
            Directives directives = parse_directives(view_.shown);
            view_problem_.clear();
            context.requests.lecture([at, directives](OpenLecture& lecture) {
                lecture.change(
                    "Change what a page shows",
                    [&](Lecture& changed) { changed.pages[at].directives = directives; },
                    "page shows");
            });
        } catch (const Error& error) {
            view_problem_ = error.what();
        }
    }
    if (!view_problem_.empty()) {
        ImGui::PushTextWrapPos(0);
        ImGui::TextColored(im_vec(context.theme.warning), "%s",
                           widgets::as_read(view_problem_).c_str());
        ImGui::PopTextWrapPos();
    }
    const OpenLecture::Shown& shown = lecture.shown();
    if (!shown.page.space || !context.trace || !lecture.is_shown()) return;
    const bool is_changed = lecture.has_live_changes(at);
    if (widgets::button(context, "Keep changes",
                        "What was changed on this page's study becomes part of the page",
                        is_changed ? widgets::Enabled::Yes : widgets::Enabled::No))
        context.requests.run("keep-changes");
    widgets::same_line_if_fits("As written");
    if (widgets::button(context, "As written", "The page as the lecture has it"))
        context.requests.lecture([](OpenLecture& lecture) { lecture.reopen(); });
    widgets::same_line_if_fits("Open the study");
    if (widgets::button(context, "Open the study",
                        "In its workspace, to look at it and to add another page"))
        context.requests.run("open-page-study");
}

void LectureView::draw_claims(PanelContext& context, const OpenLecture& lecture) {
    const LecturePage& written = lecture.lecture().pages[lecture.at()];
    const OpenLecture::Shown& shown = lecture.shown();
    if (values_for(written.directives, "claim").empty() || !shown.page.space || !context.trace)
        return;
    widgets::heading(context, "Claims", "Checked on the study as it is now");
    const PageScope scope(shown.page);
    ImGui::PushTextWrapPos(0);
    for (const std::string& claim : values_for(written.directives, "claim")) {
        try {
            const bool is_true = holds(read_expression(claim, "claim"), scope.scope());
            ImGui::TextColored(im_vec(is_true ? context.theme.accent : context.theme.warning),
                               "%s %s", is_true ? "✓" : "✗", widgets::as_read(claim).c_str());
        } catch (const Error& error) {
            ImGui::TextColored(im_vec(context.theme.warning), "✗ %s",
                               widgets::as_read(error.what()).c_str());
        }
    }
    ImGui::PopTextWrapPos();
}

namespace {

constexpr float kNumber = 18, kChangedDot = 8;

std::ptrdiff_t place(std::size_t page) {
    return static_cast<std::ptrdiff_t>(page);
}

void move_page(OpenLecture& lecture, std::size_t from, std::size_t to) {
    if (from == to || to >= lecture.lecture().pages.size()) return;
    lecture.change("Move a page", [&](Lecture& lecture) {
        LecturePage page = std::move(lecture.pages[from]);
        lecture.pages.erase(lecture.pages.begin() + place(from));
        lecture.pages.insert(lecture.pages.begin() + place(to), std::move(page));
    });
    lecture.go_to(to);
}

}  // namespace

void LectureView::draw_strip(PanelContext& context, const OpenLecture& lecture, Box box,
                             Dock dock) {
    context.regions.begin_part(WindowPart::Left);
    begin_lecture_part("lecture strip", box, context.theme.panel, Scrolls::Yes, dock);
    // The width leaves room for the scroll bar, whether it is there or not: it would make the pages
    // lower, and so vanish again.
    const ImGuiStyle& style = ImGui::GetStyle();
    const float width = box.width - 2 * style.WindowPadding.x - style.ScrollbarSize - kNumber;
    for (std::size_t k = 0; k < lecture.lecture().pages.size(); ++k)
        draw_thumbnail(context, lecture, k, width);
    if (widgets::button(context, "Empty page", "A page with only text, after the chosen one"))
        context.requests.lecture([](OpenLecture& lecture) {
            lecture.add_page(
                {.title = "New page", .text = {}, .notes = {}, .directives = {{"what", "none"}}},
                "Add an empty page");
        });
    if (widgets::button(context, "Other lectures…", "Close this one: lessons, a new one, a file"))
        context.requests.run("close-lecture");
    ImGui::End();
}

void LectureView::draw_thumbnail(PanelContext& context, const OpenLecture& lecture,
                                 std::size_t page_at, float width) {
    const Theme& theme = context.theme;
    const bool is_chosen = page_at == lecture.at();
    const std::string number = std::to_string(page_at + 1);
    ImGui::PushID(static_cast<int>(page_at));
    ImGui::TextDisabled("%s", number.c_str());
    ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + kNumber);
    const float height = width * kPageHeight / kWidePage;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton("page", {width, height}))
        context.requests.lecture([page_at](OpenLecture& lecture) { lecture.go_to(page_at); });
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
                [from, page_at](OpenLecture& lecture) { move_page(lecture, from, page_at); });
        }
        ImGui::EndDragDropTarget();
    }
    const bool is_changed = lecture.has_live_changes(page_at);
    if (is_changed)
        widgets::tooltip(
            "Its study was changed here, which is not in the lecture: Keep changes "
            "makes it part of it, As written takes it back");
    draw_page_menu(context, lecture, page_at);
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

void LectureView::draw_page_menu(PanelContext& context, const OpenLecture& lecture,
                                 std::size_t page_at) {
    if (!ImGui::BeginPopupContextItem("page menu")) return;
    context.regions.begin_popup();
    const auto item = [&](const char* label, bool is_possible) {
        const bool is_pressed = ImGui::MenuItem(label, nullptr, false, is_possible);
        widgets::name_item(context, std::string("item ") + label);
        return is_pressed;
    };
    const std::size_t n = lecture.lecture().pages.size();
    if (item("Duplicate", true))
        context.requests.lecture([page_at](OpenLecture& lecture) {
            lecture.go_to(page_at);
            lecture.add_page(lecture.lecture().pages[page_at], "Duplicate a page");
        });
    if (item("Move up", page_at > 0))
        context.requests.lecture(
            [page_at](OpenLecture& lecture) { move_page(lecture, page_at, page_at - 1); });
    if (item("Move down", page_at + 1 < n))
        context.requests.lecture(
            [page_at](OpenLecture& lecture) { move_page(lecture, page_at, page_at + 1); });
    if (item("Delete", true))
        context.requests.lecture([page_at](OpenLecture& lecture) {
            lecture.change("Delete a page", [page_at](Lecture& changed) {
                changed.pages.erase(changed.pages.begin() + place(page_at));
            });
        });
    if (compat::is_key_pressed(Key::Escape)) ImGui::CloseCurrentPopup();
    context.regions.end_popup();
    ImGui::EndPopup();
}

namespace {

/// Draws a button for each lesson, in columns.
void draw_lessons(PanelContext& context) {
    constexpr float kColumn = 300;
    ImGui::Dummy({0, 14});
    widgets::heading(context, "Lessons");
    const auto n_columns =
        std::max(1, static_cast<int>(ImGui::GetContentRegionAvail().x / kColumn));
    int column = 0;
    if (lessons().empty()) widgets::hint(context, kNoLessons);
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
