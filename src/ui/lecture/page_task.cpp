// The task of a page: the question, the answer, whether it is right, hints, the solution.
#include <imgui.h>
#include <imgui_stdlib.h>
#include <utility>

#include "core/error.h"
#include "lecture/kept_page.h"
#include "lecture/page_document.h"
#include "lecture/page_scope.h"
#include "lecture/page_text_figure.h"
#include "ui/lecture/page_canvas.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kQuestionSize = 16, kAnswerSize = 14, kFieldWidth = 220, kTaskPad = 10;

void solve(PanelContext& context, const PageTask& task) {
    for (const Directive& change : task.solution)
        context.edits.push("Solution",
                           [change](Document& document) { change_study(document, change); });
}

}  // namespace

void PageCanvas::show_hint() {
    ++answer().n_hints;
}

void PageCanvas::show_answer() {
    answer().is_shown = true;
}

void PageCanvas::draw_task(PanelContext& context, const LectureBook::Shown& shown, Box box,
                           float unit) {
    const PageTask& task = *shown.task;
    const Theme& theme = context.theme;
    Figure card;
    card.add(RectMark{
        {0, 0, box.width, box.height - 4 * unit}, theme.accent_soft, {0, 0, 0, 0}, 0, 6 * unit});
    context.painter.draw(card, {box.x, box.y});
    const float left = box.x + kTaskPad * unit;
    context.painter.draw(
        text_figure(shown.question, {box.width - 2 * kTaskPad * unit, kQuestionSize * unit, theme,
                                     context.painter.measure()}),
        {left, box.y + 6 * unit});
    ImGui::SetCursorScreenPos({left, box.y + 36 * unit});
    context.painter.push_font(Font::Regular, kAnswerSize * unit);
    ImGui::BeginGroup();  // its rows begin where it begins
    try {
        std::optional<ExpressionSide> b;
        const ExpressionScope scope = workspace_scope(*shown.page.space, b);
        Answer& given = answer();
        if (task.kind == PageTask::Kind::Choice) draw_choices(context, task, given, scope);
        if (task.kind == PageTask::Kind::Predict || task.kind == PageTask::Kind::Order)
            draw_field(context, task, given, scope);
        if (task.kind == PageTask::Kind::Goal) {
            given.verdict = judge(task, "", scope);
            const History& history = shown.page.space->session.history();
            if (const auto change =
                    change_directive(*history.steps().front().document, history.document()))
                given.change = change->value;
        }
        draw_verdict(context, task, given, scope);
    } catch (const Error& error) {
        ImGui::TextDisabled("%s", error.what());
    }
    ImGui::EndGroup();
    context.painter.pop_font();
}

AnswerSheet PageCanvas::answer_sheet(const LectureBook& book) const {
    AnswerSheet sheet{.lecture = book.lecture().title};
    for (const auto& [page, answer] : answers_) {
        if (page >= book.lecture().pages.size()) continue;
        if (answer.text.empty() && answer.change.empty()) continue;
        sheet.answers[book.lecture().pages[page].title] = {answer.text, answer.change};
    }
    return sheet;
}

void PageCanvas::draw_choices(PanelContext& context, const PageTask& task, Answer& answer,
                              const ExpressionScope& scope) {
    for (const TaskChoice& choice : task.choices) {
        if (&choice != &task.choices.front()) widgets::same_line_if_fits(choice.text.c_str());
        const bool is_given = answer.text == choice.text;
        if (is_given) ImGui::PushStyleColor(ImGuiCol_Button, im_vec(context.theme.accent_soft));
        if (widgets::button(context, choice.text.c_str(), nullptr)) {
            answer.text = choice.text;
            answer.verdict = judge(task, answer.text, scope);
        }
        if (is_given) ImGui::PopStyleColor();
    }
}

void PageCanvas::draw_field(PanelContext& context, const PageTask& task, Answer& answer,
                            const ExpressionScope& scope) {
    ImGui::SetNextItemWidth(kFieldWidth);
    const char* hint =
        task.kind == PageTask::Kind::Order ? "the largest first: a, b, c" : "your prediction";
    if (std::exchange(keeps_keyboard_, false)) compat::focus_next_item();
    const bool is_entered = ImGui::InputTextWithHint(
        "##answer", hint, &answer.text,
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    keeps_keyboard_ = is_entered;  // for another try
    widgets::name_item(context, "field Answer");
    ImGui::SameLine(0, 8);
    if (widgets::button(context, "Answer", "Is it right?  (Enter)") || is_entered)
        answer.verdict = judge(task, context.codes.decode(answer.text), scope);
    ImGui::SameLine(0, 8);
}

void PageCanvas::draw_verdict(PanelContext& context, const PageTask& task, const Answer& answer,
                              const ExpressionScope& scope) {
    Answer& given = this->answer();
    const int n_hints = static_cast<int>(task.hints.size());
    if (given.n_hints < n_hints) {
        if (widgets::button(context, "Hint", "One more hint  (H)")) ++given.n_hints;
        ImGui::SameLine(0, 8);
    }
    const bool is_goal = task.kind == PageTask::Kind::Goal;
    if (!given.is_shown && (!is_goal || !task.solution.empty())) {
        if (widgets::button(context, is_goal ? "Solution" : "Show the answer",
                            is_goal ? "Make the change that reaches the goal  (R)" : "(R)"))
            given.is_shown = true;
        ImGui::SameLine(0, 12);
    }
    if (is_goal && given.is_shown && !std::exchange(given.is_solved, true)) solve(context, task);
    ImGui::AlignTextToFramePadding();
    if (answer.verdict) {
        const bool is_right = answer.verdict->is == Verdict::Is::Right;
        ImGui::TextColored(im_vec(is_right ? context.theme.accent : context.theme.warning), "%s%s",
                           is_right ? "✓ " : "", answer.verdict->said.c_str());
        ImGui::SameLine(0, 12);
    }
    if (given.is_shown && !is_goal) {
        ImGui::Text("Answer: %s", right_answer(task, scope).c_str());
        ImGui::SameLine(0, 12);
    }
    std::string hints;
    for (int k = 0; k < std::min(given.n_hints, n_hints); ++k)
        hints += (k > 0 ? "   " : "Hint: ") + task.hints[static_cast<std::size_t>(k)];
    if (hints.empty())
        ImGui::NewLine();
    else
        ImGui::TextDisabled("%s", hints.c_str());
}

}  // namespace headlight
