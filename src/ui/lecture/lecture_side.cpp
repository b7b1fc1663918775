// What the chosen page shows, as text; its claims, and whether they hold; its title.
#include <imgui.h>
#include <imgui_stdlib.h>

#include "core/error.h"
#include "lecture/kept_page.h"
#include "lecture/page/page_document.h"
#include "lecture/page/page_scope.h"
#include "ui/lecture/lecture_part.h"
#include "ui/lecture/lecture_view.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kViewHeight = 210;

std::string directives_text(const Directives& directives) {
    std::string text;
    for (const Directive& directive : directives)
        text += (text.empty() ? "" : "\n") + directive.key + ": " + directive.value;
    return text;
}

/// The block of a page with these lines. Throws Error with the line.
Directives parse_directives(const std::string& text) {
    const Lecture lecture =
        read_lecture("# L\n## P\n```headlight\n" + text + "\n```\n", "what the page shows");
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

void LectureView::draw_side(PanelContext& context, const LectureBook& book, Box box, Lies lies) {
    context.regions.begin_part(kRight);
    begin_lecture_part("lecture side", box, context.theme.panel, Scrolls::Yes, lies);
    const std::size_t at = book.at();
    widgets::heading(context, "Lecture");
    if (draw_title(context, "Lecture title", lecture_title_, book.lecture().title) &&
        is_short(context, lecture_title_, book.lecture().title, kMostTitleBytes))
        context.requests.lecture([text = lecture_title_.shown](LectureBook& lecture) {
            lecture.change(
                "Rename the lecture", [&](Lecture& changed) { changed.title = text; },
                "lecture title");
        });
    if (at < book.lecture().pages.size()) {
        widgets::heading(context, "Page");
        if (draw_title(context, "Page title", title_, book.lecture().pages[at].title) &&
            is_short(context, title_, book.lecture().pages[at].title, kMostTitleBytes))
            context.requests.lecture([at, text = title_.shown](LectureBook& lecture) {
                lecture.change(
                    "Rename a page", [&](Lecture& changed) { changed.pages[at].title = text; },
                    "page title");
            });
        draw_view_field(context, book);
        draw_claims(context, book);
    }
    ImGui::End();
}

void LectureView::draw_view_field(PanelContext& context, const LectureBook& book) {
    const std::size_t at = book.at();
    const LecturePage& written = book.lecture().pages[at];
    widgets::heading(context, "This page shows",
                     "One line each, 'key: value', as docs/lectures.md lists them");
    if (draw_field(context, "Page shows", view_, directives_text(written.directives),
                   {ImGui::GetContentRegionAvail().x, kViewHeight})) {
        try {
            Directives directives = parse_directives(view_.shown);
            view_problem_.clear();
            context.requests.lecture([at, directives](LectureBook& lecture) {
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
        ImGui::TextColored(im_vec(context.theme.warning), "%s", view_problem_.c_str());
        ImGui::PopTextWrapPos();
    }
    const LectureBook::Shown& shown = book.shown();
    if (!shown.page.space || !context.trace || !book.is_shown()) return;
    const bool is_changed = book.has_live_changes(at);
    if (widgets::button(context, "Keep changes",
                        "What was changed on this page's study becomes part of the page",
                        is_changed ? widgets::Enabled::Yes : widgets::Enabled::No))
        context.requests.run("keep-changes");
    widgets::same_line_if_fits("As written");
    if (widgets::button(context, "As written", "The page as the lecture has it"))
        context.requests.lecture([](LectureBook& lecture) { lecture.reopen(); });
    widgets::same_line_if_fits("Open the study");
    if (widgets::button(context, "Open the study",
                        "In its workspace, to look at it and to add another page"))
        context.requests.run("open-page-study");
}

void LectureView::draw_claims(PanelContext& context, const LectureBook& book) {
    const LecturePage& written = book.lecture().pages[book.at()];
    const LectureBook::Shown& shown = book.shown();
    if (values_for(written.directives, "claim").empty() || !shown.page.space || !context.trace)
        return;
    widgets::heading(context, "Claims", "Checked on the study as it is now");
    std::optional<ExpressionSide> b;
    const ExpressionScope scope = workspace_scope(*shown.page.space, b);
    ImGui::PushTextWrapPos(0);
    for (const std::string& claim : values_for(written.directives, "claim")) {
        try {
            const bool is_true = holds(read_expression(claim, "claim"), scope);
            ImGui::TextColored(im_vec(is_true ? context.theme.accent : context.theme.warning),
                               "%s %s", is_true ? "✓" : "✗", claim.c_str());
        } catch (const Error& error) {
            ImGui::TextColored(im_vec(context.theme.warning), "✗ %s", error.what());
        }
    }
    ImGui::PopTextWrapPos();
}

}  // namespace headlight
