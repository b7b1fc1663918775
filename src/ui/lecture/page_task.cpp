// The task of a page: the question, the answer, whether it is right, hints, the solution.
#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <utility>

#include "core/error.h"
#include "figure/figure_parts.h"
#include "present/answer_code.h"
#include "present/page/page_document.h"
#include "present/page/page_scope.h"
#include "present/page_from_view.h"
#include "present/tasks/goal.h"
#include "text/strings.h"
#include "ui/lecture/page_canvas.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

// In points of a page that is kPageHeight high.
constexpr float kAnswerSize = 14, kFieldWidth = 200, kLeastField = 60, kAboveCard = 4,
                kAboveButtons = 8;
constexpr float kSaidGap = 14, kSaidLine = 22;
constexpr float kAfterField = 8;  // in points of the window
/// The verdict stands beside the buttons if so much of the row is free.
constexpr float kLeastBeside = 0.45f;
constexpr std::size_t kMostKeys = 9;

void solve(PanelContext& context, const PageTask& task) {
    for (const Directive& change : task.solution)
        context.edits.push("Solution",
                           [change](Document& document) { change_study(document, change); });
}

bool is_typed(const PageTask& task) {
    return task.kind == PageTask::Kind::Predict || task.kind == PageTask::Kind::Order;
}

/// Returns the words of the button, which say when the answer comes.
std::string answer_label(const PageTask& task) {
    const bool is_goal = task.kind == PageTask::Kind::Goal;
    if (!may_show_answer(task, today()))
        return fmt::format("{} from {}", is_goal ? "Solution" : "Answer", task.answer_from);
    return is_goal ? "Solution" : "Show the answer";
}

/// Returns the choice whose number key was pressed while nothing else has the keyboard.
std::optional<std::size_t> pressed_choice(std::size_t n_choices) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool is_free = !io.WantTextInput && !io.KeyCtrl && !io.KeyAlt &&
                         !ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
    for (std::size_t k = 0; is_free && k < std::min(n_choices, kMostKeys); ++k)
        if (compat::is_key_pressed(static_cast<Key>(static_cast<std::size_t>(Key::One) + k)))
            return k;
    return std::nullopt;
}

/// True if an answer to the task is a choice or a number.
bool has_code(const OpenPage& page, const PageTask& task) {
    if (task.kind != PageTask::Kind::Predict) return can_have_code(task);
    try {
        return asked_value(task, PageScope(page).scope()).is_number();
    } catch (const Error&) {
        return false;
    }
}

/// Returns the number of the choice that was given; −1 if none was.
int chosen_number(const PageTask& task, const std::string& answer) {
    const auto at = std::ranges::find(task.choices, answer, &TaskChoice::text);
    return at == task.choices.end() ? -1 : static_cast<int>(at - task.choices.begin());
}

/// Returns "2: cat", "1: cat, and 3: dog".
std::string right_choices(const PageTask& task, const TaskText& text) {
    std::string words;
    for (std::size_t k = 0; k < task.choices.size(); ++k)
        if (task.choices[k].is_right)
            append_part(words, ", and ", fmt::format("{}: {}", k + 1, plain_text(text.choices[k])));
    return words;
}

/// Joins all blocks into one paragraph.
PageText in_one_line(PageText text) {
    TextBlock line;
    for (TextBlock& block : text.blocks) {
        if (!line.spans.empty()) line.spans.push_back({.text = " "});
        for (TextSpan& span : block.spans) line.spans.push_back(std::move(span));
    }
    return {{std::move(line)}};
}

void recolor(Figure& figure, Color color) {
    for (Mark& mark : figure.marks)
        if (auto* text = std::get_if<TextMark>(&mark)) text->color = color;
}

}  // namespace

void PageCanvas::show_hint() {
    ++answer().n_hints;
}

bool PageCanvas::offers_answer(const PageTask& task) {
    const Answer& given = answer();
    if (task.kind != PageTask::Kind::Goal) return !given.is_shown;
    const bool is_reached = given.verdict && given.verdict->is == Verdict::Is::Right;
    return !task.solution.empty() && !is_reached;
}

void PageCanvas::show_answer() {
    answer().is_shown = true;
}

PageCanvas::TaskPlace PageCanvas::lay_out_task(PanelContext& context,
                                               const OpenLecture::Shown& shown, float width,
                                               float unit) {
    const PageTask& task = *shown.task;
    TaskPlace place{.text = shown.task_text};
    if (task.kind == PageTask::Kind::Order) {
        try {
            place.text.choices = names_to_order(task, PageScope(shown.page).scope());
            const bool has_key_for_each = place.text.choices.size() <= kMostKeys;
            if (!has_key_for_each) place.text.choices.clear();
        } catch (const Error&) {
            place.text.choices.clear();  // the card says that there is no answer
        }
    }
    TaskLook look{.width = width - 2 * kTaskPad * unit,
                  .unit = unit,
                  .theme = context.theme,
                  .measure = context.painter.measure(),
                  .chosen = chosen_number(task, answer().text)};
    place.picture = task_picture(place.text, look);
    context.painter.push_font(Font::Regular, kAnswerSize * unit);
    const auto add_button = [&](const std::string& label) {
        const ImGuiStyle& style = ImGui::GetStyle();
        place.buttons_width +=
            ImGui::CalcTextSize(label.c_str()).x + 2 * style.FramePadding.x + style.ItemSpacing.x;
    };
    if (is_typed(task)) add_button("Answer");
    if (answer().n_hints < static_cast<int>(task.hints.size())) add_button("Hint");
    if (offers_answer(task)) add_button(answer_label(task));
    if (is_typed(task)) {
        const float rest = look.width - place.buttons_width - kAfterField;
        place.field_width = std::clamp(rest, kLeastField * unit, kFieldWidth * unit);
        place.buttons_width += place.field_width + kAfterField;
    }
    place.row_height = place.buttons_width > 0 ? ImGui::GetFrameHeight() : 0;
    context.painter.pop_font();
    const float rest = look.width - place.buttons_width - kSaidGap * unit;
    place.is_said_beside = rest >= kLeastBeside * look.width;
    if (place.is_said_beside) look.width = rest;
    const float said = std::max(kSaidLine * unit, said_figure(context, shown, place, look).height);
    const float row =
        place.is_said_beside ? std::max(place.row_height, said) : place.row_height + said;
    place.height =
        place.picture.figure.height + row + (2 * kTaskPad + kAboveCard + kAboveButtons) * unit;
    return place;
}

void PageCanvas::draw_task(PanelContext& context, const OpenLecture& lecture,
                           const TaskPlace& place, Box box, float unit) {
    const OpenLecture::Shown& shown = lecture.shown();
    const PageTask& task = *shown.task;
    Figure card;
    card.add(RectMark{{0, 0, box.width, place.height - kAboveCard * unit},
                      context.theme.accent_soft,
                      {0, 0, 0, 0},
                      0,
                      6 * unit});
    box.y += kAboveCard * unit;
    context.painter.draw(card, {box.x, box.y});
    const Point at{box.x + kTaskPad * unit, box.y + kTaskPad * unit};
    const float top = at.y + place.picture.figure.height + kAboveButtons * unit;
    context.painter.push_font(Font::Regular, kAnswerSize * unit);
    try {
        const auto choice = draw_choices(context, task, place, at);
        if (choice) take_choice(place, lecture, *choice);
        ImGui::SetCursorScreenPos({at.x, top});
        if (is_typed(task)) draw_field(context, lecture, place);
        draw_help(context, task);
        ImGui::Dummy({0, 0});  // the row may end with a place for a button that is not there
        if (task.kind == PageTask::Kind::Goal && shown.page.space) follow_goal(lecture);
        const float beside = place.buttons_width > 0 ? place.buttons_width + kSaidGap * unit : 0;
        const float left = place.is_said_beside ? beside : 0;
        const Figure said = said_figure(context, shown, place,
                                        {.width = box.width - 2 * kTaskPad * unit - left,
                                         .unit = unit,
                                         .theme = context.theme,
                                         .measure = context.painter.measure()});
        const float below = place.is_said_beside
                                ? std::max(0.0f, (place.row_height - kSaidLine * unit) / 2)
                                : place.row_height;
        context.painter.draw(said, {at.x + left, top + below});
    } catch (const Error& error) {
        answer().verdict = Verdict{Verdict::Is::Unreadable, why_missing(error)};
    }
    context.painter.pop_font();
}

void PageCanvas::follow_goal(const OpenLecture& lecture) {
    const OpenLecture::Shown& shown = lecture.shown();
    Answer& given = answer();
    given.verdict.reset();
    try {
        if (shown.task_problem.empty()) {
            given.verdict = judge_goal(lecture.source(), shown.page, *shown.task);
            given.number = goal_number(*shown.task, PageScope(shown.page).scope());
        }
    } catch (const Error& error) {
        given.verdict = Verdict{Verdict::Is::Unreadable, why_missing(error)};
    }
    const History& history = shown.page.space->session.history();
    if (const auto change = change_directive(*history.steps().front().state, history.state()))
        given.change = change->value;
}

std::optional<std::size_t> PageCanvas::draw_choices(PanelContext& context, const PageTask& task,
                                                    const TaskPlace& place, Point at) {
    const std::vector<Box>& boxes = place.picture.choices;
    std::optional<std::size_t> pressed = pressed_choice(boxes.size());
    Figure marks;
    for (std::size_t k = 0; k < boxes.size(); ++k) {
        const Box box{boxes[k].x - 4, boxes[k].y - 2, boxes[k].width + 8, boxes[k].height + 4};
        ImGui::SetCursorScreenPos({at.x + box.x, at.y + box.y});
        ImGui::PushID(static_cast<int>(k));
        if (ImGui::InvisibleButton("choice", {box.width, box.height})) pressed = k;
        ImGui::PopID();
        const bool is_written = k < task.choices.size();
        widgets::name_item(context, "button " + (is_written ? task.choices[k].text
                                                            : plain_text(place.text.choices[k])));
        if (ImGui::IsItemHovered()) {
            ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
            marks.add(RectMark{box, context.theme.card, {0, 0, 0, 0}, 0, 5});
        }
        if (is_written && answer().is_shown && task.choices[k].is_right)
            marks.add(RectMark{box, {0, 0, 0, 0}, context.theme.accent, 2, 5});
    }
    context.painter.draw(marks, at);
    context.painter.draw(place.picture.figure, at);
    return pressed;
}

void PageCanvas::give(const OpenLecture& lecture, const std::string& text) {
    Answer& given = answer();
    const OpenPage& page = lecture.shown().page;
    const bool is_first = !given.verdict || given.verdict->is != Verdict::Is::Right;
    given.right_of.reset();
    const PageVerdict judged = judge_on_page(lecture.source(), page, *lecture.shown().task, text);
    given.verdict = Verdict{judged.counted.is, judged.said};
    given.counted = judged.counted;
    given.given = text;
    given.version = lecture.version();
    given.has_code = has_code(page, *lecture.shown().task);
    if (page.space && judged.seen.is == Verdict::Is::Right)
        given.right_of = page.space->session.history().shared_state();
    if (is_first) given.was_shown = given.is_shown;
}

/// Judges again: the page as it is written may be another one, and a changed study does not count.
void PageCanvas::judge_again(const OpenLecture& lecture, Answer& given) const {
    const auto& task = lecture.shown().task;
    if (!given.verdict) return;
    if (!task || task->kind == PageTask::Kind::Goal || given.version == 0) {
        given.verdict.reset();  // nothing was given; a goal is judged while it is shown
        given.version = 0;
        return;
    }
    if (std::exchange(given.version, lecture.version()) != lecture.version()) {
        try {
            given.counted = judge_as_written(lecture.source(), at_, *task, given.given);
        } catch (const Error& error) {
            given.counted = {Verdict::Is::Unreadable, why_missing(error)};
        }
        given.right_of.reset();
    }
    given.verdict = given.counted;
}

void PageCanvas::take_choice(const TaskPlace& place, const OpenLecture& lecture,
                             std::size_t choice) {
    const PageTask& task = *lecture.shown().task;
    Answer& given = answer();
    if (task.kind == PageTask::Kind::Choice) {
        given.text = task.choices[choice].text;
        give(lecture, given.text);
        return;
    }
    // The name is added after the others; when all were named, the order begins again.
    const auto n_named = given.text.empty() ? 0 : 1 + std::ranges::count(given.text, ',');
    const std::size_t n = place.text.choices.size();
    if (static_cast<std::size_t>(n_named) >= n) given.text.clear();
    append_part(given.text, ", ", plain_text(place.text.choices[choice]));
    if (1 + static_cast<std::size_t>(std::ranges::count(given.text, ',')) == n)
        give(lecture, given.text);
    else
        given.verdict.reset();
}

void PageCanvas::draw_field(PanelContext& context, const OpenLecture& lecture,
                            const TaskPlace& place) {
    const PageTask& task = *lecture.shown().task;
    Answer& given = answer();
    ImGui::SetNextItemWidth(place.field_width);
    const char* hint =
        task.kind == PageTask::Kind::Order ? "the largest first: a, b, c" : "prediction  (A)";
    if (std::exchange(wants_keyboard_, false)) compat::focus_next_item();
    const std::string typed = given.text;
    const bool is_entered = widgets::text_field(
        context, "##answer", hint, given.text,
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    if (widgets::is_left_by_escape()) given.text = typed;
    widgets::name_item(context, "field Answer");
    ImGui::SameLine(0, kAfterField);
    // After that the keys are the lecture's again.
    if (widgets::button(context, "Answer", "Is it right?  (Enter)") || is_entered)
        give(lecture, given.text);
    ImGui::SameLine(0, 8);
}

void PageCanvas::draw_help(PanelContext& context, const PageTask& task) {
    Answer& given = answer();
    const bool is_goal = task.kind == PageTask::Kind::Goal;
    if (given.n_hints < static_cast<int>(task.hints.size())) {
        if (widgets::button(context, "Hint", "One more hint  (H)")) ++given.n_hints;
        ImGui::SameLine(0, 8);
    }
    if (offers_answer(task)) {
        const bool is_due = may_show_answer(task, today());
        if (widgets::button(context, answer_label(task).c_str(),
                            is_goal ? "Make the change that reaches the goal  (Shift+R)" : "(R)",
                            is_due ? widgets::Enabled::Yes : widgets::Enabled::No))
            given.is_shown = true;
    }
    // This happens once for each time that it is asked for: the goal can be undone.
    if (is_goal && std::exchange(given.is_shown, false) && offers_answer(task)) {
        given.was_shown = true;
        solve(context, task);
    }
}

Figure PageCanvas::said_figure(PanelContext& context, const OpenLecture::Shown& shown,
                               const TaskPlace& place, const TaskLook& look) const {
    Figure said;
    const auto add = [&](Figure line) {
        add_part(said, line, {0, said.height});
        said.height += line.height;
    };
    const auto warn = [&](const std::string& words) {
        Figure line = task_line(plain_words(words), look);
        recolor(line, context.theme.warning);
        add(std::move(line));
    };
    const bool has_answer = shown.task_problem.empty();
    if (!has_answer) warn(shown.task_problem);
    const auto at = answers_.find(at_);
    if (at == answers_.end()) return said;
    const Answer& given = at->second;
    const PageTask& task = *shown.task;
    if (given.verdict && (has_answer || given.verdict->is != Verdict::Is::Unreadable)) {
        const bool is_right = given.verdict->is == Verdict::Is::Right;
        Figure line = task_line(plain_words((is_right ? "✓ " : "") + given.verdict->said), look);
        recolor(line, is_right ? context.theme.accent : context.theme.warning);
        add(std::move(line));
    }
    if (given.is_shown && task.kind == PageTask::Kind::Choice)
        add(task_line(plain_words("Answer: " + right_choices(task, place.text)), look));
    else if (given.is_shown && has_answer && task.kind != PageTask::Kind::Goal) {
        try {
            const Workspace* space = shown.page.space;
            const bool is_changed = space && space->session.history().can_undo();
            add(task_line(
                plain_words((is_changed ? "Answer, as it is changed here: " : "Answer: ") +
                            right_answer(task, PageScope(shown.page).scope())),
                look));
        } catch (const Error& error) {
            warn(why_missing(error));
        }
    }
    const auto n_hints = static_cast<std::size_t>(std::max(0, given.n_hints));
    for (std::size_t k = 0; k < std::min(n_hints, place.text.hints.size()); ++k) {
        PageText hint = plain_words("Hint:");
        hint.blocks.insert(hint.blocks.end(), place.text.hints[k].blocks.begin(),
                           place.text.hints[k].blocks.end());
        Figure line = task_line(in_one_line(std::move(hint)), look);
        recolor(line, context.theme.muted);
        add(std::move(line));
    }
    return said;
}

std::ptrdiff_t PageCanvas::count_answers() const {
    return std::ranges::count_if(answers_, [](const auto& at) { return at.second.is_begun(); });
}

void PageCanvas::bring_answers_back() {
    std::erase_if(answers_, [](const auto& at) { return !at.second.is_begun(); });
    answers_.merge(std::exchange(cleared_, {}));
}

AnswerSheet PageCanvas::answer_sheet(const OpenLecture& lecture) const {
    AnswerSheet sheet{.lecture = lecture.lecture().title};
    for (const auto& [page, answer] : answers_) {
        if (page >= lecture.lecture().pages.size()) continue;
        if (answer.text.empty() && answer.change.empty()) continue;
        sheet.answers[answer_name(lecture.lecture(), page)] = {answer.text, answer.change,
                                                               answer.was_shown};
    }
    return sheet;
}

std::string PageCanvas::answer_code(const OpenLecture& lecture) const {
    const auto& task = lecture.shown().task;
    const auto at = answers_.find(lecture.at());
    if (!task || !lecture.is_shown() || at == answers_.end()) return {};
    const Answer& given = at->second;
    if (!given.verdict || given.verdict->is == Verdict::Is::Unreadable) return {};
    ClassAnswer answer{.page = lecture.at(), .is_shown = given.was_shown};
    if (task->kind == PageTask::Kind::Goal) {
        if (given.change.empty()) return {};
        answer.number = given.number;
        answer.is_reached = given.verdict->is == Verdict::Is::Right;
    } else {
        if (given.version == 0 || !given.has_code) return {};
        answer.choice = static_cast<std::size_t>(std::max(0, chosen_number(*task, given.given)));
        answer.number = answered_number(given.given);
    }
    return write_code(lecture.lecture().title, *task, answer);
}

}  // namespace headlight
