#include "ui/lecture/page_canvas.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "figure/labels.h"
#include "figure/number_format.h"
#include "model/changes.h"
#include "model/settings/setting_text.h"
#include "present/page/page_control.h"
#include "present/page/page_scope.h"
#include "ui/compat.h"
#include "ui/pictures/image_canvas.h"
#include "ui/presentation/presented_view.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/image_view.h"

namespace headlight {
namespace {

// In points of a page that is kPageHeight high.
constexpr float kControlRow = 34;
constexpr float kCodeSize = 12, kCodePad = 8;

constexpr const char* kNoCode = "Answers in words have no code";
constexpr const char* kNoCodeOfNumber = "A number of this size has no code";

/// Returns why the page shows no view; empty if it shows one, or has none.
std::string problem_of(const PanelContext& context, const OpenLecture::Shown& shown) {
    if (!shown.problem.empty() || !shown.page.space || context.trace) return shown.problem;
    const auto& error = shown.page.space->session.error();
    return error ? "The study cannot be computed: " + error->without_name() : "";
}

}  // namespace

void PageCanvas::draw(PanelContext& context, const OpenLecture& lecture, Box box) {
    const OpenLecture::Shown& shown = lecture.shown();
    const std::vector<LecturePage>& pages = lecture.lecture().pages;
    at_ = lecture.at();
    if (at_ >= pages.size()) return;
    begin_anew(lecture);
    const bool has_study = shown.page.space && context.trace;
    const MeasureText& measure = context.painter.measure();
    const bool has_view = has_study && shown.page.view;
    const float unit = page_unit({box.width, box.height});
    const std::string problem = problem_of(context, shown);
    const bool has_task = shown.task && (has_study || !shown.page.space || !problem.empty());
    TaskPlace task = has_task
                         ? lay_out_task(context, shown, box.width - 2 * kPageMargin * unit, unit)
                         : TaskPlace{};
    TaskPlace beside;
    if (has_task && has_view) beside = lay_out_beside(context, shown, {box.width, box.height});
    const Placing now{at_, shown.opening, {box.width, box.height}};
    const float controls = shown.page.controls.empty() ? 0 : kControlRow;
    const PageText text = with_warning(shown.text, shown.text_problem);
    PageContent content = page_content(pages[at_].title, text, shown.page,
                                       has_study ? &context.scene : nullptr, unit, measure);
    if (!problem.empty()) content.has_view = true;
    content.below = controls + task.height / unit;
    content.below_text = beside.height / unit;
    content.arrangement = kept_arrangement(now);
    const PageLayout layout = layout_page(content, {box.width, box.height}, context.theme, measure);
    const bool is_computed = !has_view || context.trace->at(context.selection.chosen).value;
    if (is_computed) {  // else its numbers have a say yet
        placing_ = now;
        placing_->arrangement = layout.arrangement;
    }
    if (layout.arrangement == PageArrangement::TaskUnderText) task = std::move(beside);
    context.painter.draw(layout.text, {box.x, box.y});
    context.regions.add("page", box);
    const auto placed = [&](Box part) {
        part.x += box.x;
        part.y += box.y;
        return part;
    };
    const std::string missing =
        problem.empty() ? draw_shown(context, shown, placed(layout.view), unit) : "";
    if (!problem.empty()) draw_problem(context, problem, placed(layout.view));
    if (has_study || has_task || !problem.empty())
        draw_below(context, lecture, task, placed(layout.below), unit);
    const std::string origin =
        has_study ? page_origin(context.scene, shown.page.view, shown.text) : "";
    Figure foot;
    PageNumber number{at_, pages.size()};
    const std::string code = code_words(lecture);
    if (!code.empty())
        number.room_before = measure(code, kCodeSize * unit, Font::Bold) + 2 * kCodePad * unit;
    add_page_foot(foot, layout.foot, missing, origin, number, context.theme, measure);
    context.painter.draw(foot, {box.x, box.y});
    if (!code.empty())
        draw_code(context, code, placed(room_before_number(layout.foot, number, measure)), unit);
}

std::string PageCanvas::code_words(const OpenLecture& lecture) const {
    if (const std::string code = answer_code(lecture); !code.empty())
        return (code == copied_code_ ? "Copied " : "Copy ") + code;
    const auto at = answers_.find(at_);
    const bool is_given = at != answers_.end() && at->second.verdict && at->second.version != 0 &&
                          at->second.verdict->is != Verdict::Is::Unreadable;
    if (!is_given || !lecture.shown().task) return {};
    return at->second.has_code ? kNoCodeOfNumber : kNoCode;
}

void PageCanvas::draw_code(PanelContext& context, const std::string& words, Box box, float unit) {
    const Theme& theme = context.theme;
    const bool is_code = words != kNoCode && words != kNoCodeOfNumber;
    const float middle = box.y + box.height / 2 - 1 * unit, height = 0.86f * box.height;
    Figure figure;
    if (is_code)
        figure.add(RectMark{
            {box.x, middle - height / 2, box.width, height}, theme.accent_soft, {}, 0, 5 * unit});
    figure.add(TextMark{{box.x + kCodePad * unit, middle + kMiddleShift * kCodeSize * unit},
                        words,
                        kCodeSize * unit,
                        is_code ? theme.accent : theme.muted,
                        Font::Bold});
    context.painter.draw(figure, {0, 0});
    if (!is_code) return;
    ImGui::SetCursorScreenPos({box.x, middle - height / 2});
    if (ImGui::InvisibleButton("code", {box.width, height})) context.requests.run("copy-code");
    widgets::name_item(context, "button Code");
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    widgets::tooltip(
        "Copies the code of your answer: paste it into the chat of the class. It has the answer "
        "in it, and no name  (K)");
}

/// Draws the view or the curves. Returns a text about what had no room.
std::string PageCanvas::draw_shown(PanelContext& context, const OpenLecture::Shown& shown, Box box,
                                   float unit) {
    if (shown.page.curves && !box.is_empty()) {
        context.painter.draw(page_curves_figure(*shown.page.curves, {box.width, box.height},
                                                context.theme, context.painter.measure()),
                             {box.x, box.y});
        return {};
    }
    const bool has_study = shown.page.space && context.trace;
    return has_study && shown.page.view ? draw_view(context, shown, box, unit) : "";
}

PageCanvas::TaskPlace PageCanvas::lay_out_beside(PanelContext& context,
                                                 const OpenLecture::Shown& shown, Point size) {
    if (!shown.page.controls.empty()) return {};
    const float unit = page_unit(size), width = beside_width(size);
    TaskPlace place = lay_out_task(context, shown, width, unit);
    return place.buttons_width < width - 2 * kTaskPad * unit ? place : TaskPlace{};
}

std::optional<PageArrangement> PageCanvas::kept_arrangement(const Placing& now) const {
    if (!placing_ || !placing_->is_of(now)) return std::nullopt;
    return placing_->arrangement;
}

/// Gives the help of a page that was opened again anew, and judges its answer.
void PageCanvas::begin_anew(const OpenLecture& lecture) {
    const std::uint64_t opening = lecture.shown().opening;
    const auto at = answers_.find(at_);
    if (at == answers_.end() || !lecture.is_shown()) return;
    if (at->second.opening == opening) {
        // A change of the study was undone.
        const Workspace* space = lecture.shown().page.space;
        const bool is_as_written = space && !space->session.history().can_undo();
        if (is_as_written && at->second.verdict && at->second.version != 0)
            at->second.verdict = at->second.counted;
        return;
    }
    const bool is_new = std::exchange(at->second.opening, opening) == 0;
    if (is_new) return;
    at->second.n_hints = 0;
    judge_again(lecture, at->second);
}

bool PageCanvas::is_covered(const OpenLecture::Shown& shown) const {
    if (!shown.task || !covers_matrix(*shown.task)) return false;
    const auto answer = answers_.find(at_);
    if (answer == answers_.end()) return true;
    const Answer& given = answer->second;
    const bool is_right = given.verdict && given.verdict->is == Verdict::Is::Right;
    const bool is_right_here = given.right_of && shown.page.space &&
                               given.right_of == shown.page.space->session.history().shared_state();
    return !is_right && !is_right_here && !given.is_shown;
}

std::string PageCanvas::draw_view(PanelContext& context, const OpenLecture::Shown& shown, Box box,
                                  float unit) {
    const ViewId view = *shown.page.view;
    const Point origin{box.x, box.y};
    const Box room{0, 0, box.width, box.height};
    if (box.is_empty()) return {};
    const bool is_guessed = is_covered(shown);
    const Tensor* predicted = predictable(shown);
    const bool is_hidden = predicted && prediction_.hides(*predicted);
    if (view == ViewId::Matrix || (tells_numbers(view) && (is_guessed || is_hidden)))
        return draw_matrix(context, box, unit, is_guessed);
    if (view == ViewId::Graph && context.document.drawn_graph()) {
        Figure drawn;
        drawn.left_out =
            graph_.draw(context, room, origin, nullptr, page_times(context.scene, view, unit));
        return missing_words(drawn);
    }
    if (view == ViewId::Image && has_image(*context.trace)) {
        draw_image_canvas(context, room, origin, nullptr,
                          is_guessed ? ImageTitle::Plain : ImageTitle::WithClass);
        return {};
    }
    if (view == ViewId::Compared && context.comparison.is_on()) {
        compared_.draw(context, room, origin, projector_style(unit));
        return {};
    }
    const auto cover = is_guessed ? PageRoom::Cover::On : PageRoom::Cover::Off;
    return draw_presented_view(context, view, {{box.width, box.height}, unit, cover}, origin);
}

std::string PageCanvas::draw_matrix(PanelContext& context, Box box, float unit, bool is_covered) {
    const Tensor& tensor = context.trace->at(context.selection.chosen);
    if (!tensor.value) return {};
    return draw_presented_matrix(
        context, tensor, cells_,
        {.input = page_matrix(context.scene, tensor, {box.width, box.height}, unit),
         .at = {box.x, box.y},
         .prediction = prediction_,
         .is_sealed = is_covered,
         .names_cells = true,
         .appeared = appeared_});
}

void PageCanvas::draw_below(PanelContext& context, const OpenLecture& lecture,
                            const TaskPlace& task, Box box, float unit) {
    const OpenLecture::Shown& shown = lecture.shown();
    if (!shown.page.controls.empty()) {
        const Box row{box.x, box.y, box.width, kControlRow * unit};
        draw_controls(context, shown.page.controls, row, unit);
        box.y += row.height;
        box.height -= row.height;
    }
    if (task.height > 0) draw_task(context, lecture, task, box, unit);
}

const Tensor* PageCanvas::predictable(const OpenLecture::Shown& shown) {
    const Workspace* space = shown.page.space;
    const auto& view = shown.page.view;
    if (!space || !space->trace || (shown.task && covers_matrix(*shown.task))) return nullptr;
    if (!view || (view != ViewId::Matrix && !tells_numbers(*view))) return nullptr;
    const Tensor& tensor = space->trace->at(space->selection.chosen);
    return tensor.value ? &tensor : nullptr;
}

namespace {

constexpr float kGapBetween = 28, kLabelSize = 14, kLeastSlider = 60, kBeforeSlider = 12;
constexpr float kChoiceWidth = 10;  // in sizes of its font

/// Draws a label, the number and a slider, in that width. True when it was moved.
bool draw_number(PanelContext& context, const PageControl& control, const std::string& label,
                 const std::string& shown, double& value, float width) {
    ImGui::TextUnformatted(widgets::as_read(fmt::format("{}  {}", label, shown)).c_str());
    ImGui::SameLine(0, kBeforeSlider);
    const float used = ImGui::CalcTextSize((label + "  −00.000").c_str()).x + kBeforeSlider;
    const auto setting = find_number_setting(context.document, control.path);
    const double step = setting && setting->is_whole ? 1 : 0;
    return widgets::slider(context, control.path, value, {control.low, control.high, step},
                           std::max(kLeastSlider, width - used));
}

void draw_setting_slider(PanelContext& context, const PageControl& control, float width) {
    const auto setting = find_number_setting(context.document, control.path);
    if (!setting) throw Error("control", "has no effect");
    double value = setting->value;
    const std::string shown = setting->is_whole ? std::to_string(static_cast<long>(value))
                                                : format_value(static_cast<Scalar>(value));
    if (!draw_number(context, control, setting->label, shown, value, width)) return;
    context.edits.push(
        "Set " + setting->label,
        [path = control.path, value](Document& document) {
            set_number_setting(document, path, value);
        },
        control.path);
}

void draw_cell_slider(PanelContext& context, const PageControl& control, float width) {
    if (!context.trace)
        return ImGui::TextDisabled("%s: not computed", widgets::as_read(control.path).c_str());
    const CellPlace cell = control_cell(*context.trace, control.path);
    const MatrixPtr& values = context.trace->at(cell.path).value;
    if (!values)
        return ImGui::TextDisabled("%s: not computed yet", widgets::as_read(control.path).c_str());
    double value = (*values)(cell.row, cell.column);
    const std::string shown = format_value(static_cast<Scalar>(value));
    const std::string label = cell_in_words(*context.trace, cell);
    if (!draw_number(context, control, label, shown, value, width)) return;
    context.edits.push(
        "Set " + label,
        [cell, value](Document& document) {
            set_cell(document, cell.path, cell.row, cell.column, static_cast<Scalar>(value));
        },
        control.path);
}

void draw_setting_choice(PanelContext& context, const std::string& path) {
    const auto setting = find_choice_setting(context.document, path);
    if (!setting) throw Error("control", "there is no such setting");
    std::vector<std::string> words(setting->words.begin(), setting->words.end());
    std::vector<const char*> choices;
    for (const std::string& word : words) choices.push_back(word.c_str());
    const auto now = std::ranges::find(words, named_setting(context.document, path));
    auto picked = static_cast<int>(now - words.begin());
    const float width = kChoiceWidth * ImGui::GetFontSize();
    const int before = picked;
    picked = std::clamp(picked + widgets::arrow_steps(context, "field " + setting->label), 0,
                        static_cast<int>(words.size()) - 1);
    widgets::row_choice(context, setting->label.c_str(), picked, choices, width);
    if (picked == before) return;
    context.edits.push("Set " + setting->label,
                       [path, word = words[static_cast<std::size_t>(picked)]](Document& document) {
                           set_named_setting(document, path, word);
                       });
}

/// Draws a button that is pressed in while the head is on; → switches it on and ← off.
void draw_head_switch(PanelContext& context, const Component& attention, int head) {
    const Tensor* output = ablated_tensor(*context.trace, attention, head);
    if (!output) return;
    const bool is_on = !find_ablation(*output);
    const Theme& theme = context.theme;
    ImGui::PushStyleColor(ImGuiCol_Button, im_vec(is_on ? theme.accent_soft : theme.card));
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(is_on ? theme.text : theme.muted));
    const std::string name = fmt::format("{}.heads.{}", attention.path, head);
    const std::string label =
        fmt::format("{}{}##{}", head_word(attention, head), is_on ? "" : " off", name);
    const bool is_pressed = ImGui::Button(label.c_str());
    ImGui::PopStyleColor(2);
    widgets::name_item(context, "button " + name);
    widgets::tooltip(is_on ? "Switch the head off: its output becomes 0" : "Switch it on again");
    const int steps = widgets::arrow_steps(context, "button " + name);
    if (!is_pressed && steps != (is_on ? -1 : 1)) return;
    const auto wanted = is_on ? std::optional(Ablation::Zero) : std::nullopt;
    context.edits.push(
        ablation_name(attention, head, wanted),
        [path = output->path(), wanted](Document& document) { ablate(document, path, wanted); });
}

void draw_head_switches(PanelContext& context, const PageControl& control) {
    constexpr float kBetween = 4, kBetweenLayers = 20;
    const auto attentions = controlled_heads(context.components, control);
    for (const Component* attention : attentions) {
        if (attention != attentions.front()) ImGui::SameLine(0, kBetweenLayers);
        widgets::row_label(attention_name(*attention).c_str());
        for (int head = 0; head < attention->n_heads; ++head) {
            if (head > 0) ImGui::SameLine(0, kBetween);
            draw_head_switch(context, *attention, head);
        }
    }
}

}  // namespace

void PageCanvas::draw_controls(PanelContext& context, const std::vector<PageControl>& controls,
                               Box box, float unit) {
    const auto n = static_cast<float>(controls.size());
    const float width = (box.width - (n - 1) * kGapBetween * unit) / n;
    context.painter.push_font(Font::Regular, kLabelSize * unit);
    for (std::size_t k = 0; k < controls.size(); ++k) {
        ImGui::SetCursorScreenPos(
            {box.x + static_cast<float>(k) * (width + kGapBetween * unit), box.y + 6 * unit});
        ImGui::BeginGroup();
        try {
            draw_control(context, controls[k], width);
        } catch (const Error&) {
            ImGui::TextDisabled("%s: not in this study",
                                widgets::as_read(controls[k].path).c_str());
        }
        ImGui::EndGroup();
    }
    context.painter.pop_font();
}

void PageCanvas::draw_control(PanelContext& context, const PageControl& control, float width) {
    switch (control.kind) {
        case PageControl::Kind::Text:
            return draw_typed_text(context, width);
        case PageControl::Kind::Choice:
            return draw_setting_choice(context, control.path);
        case PageControl::Kind::Heads:
            return draw_head_switches(context, control);
        case PageControl::Kind::Setting:
            return draw_setting_slider(context, control, width);
        case PageControl::Kind::Cell:
            return draw_cell_slider(context, control, width);
    }
}

void PageCanvas::draw_typed_text(PanelContext& context, float width) {
    const SentenceStudy* study = context.document.sentence();
    if (!study) return;
    if (!ImGui::IsAnyItemActive()) typed_text_ = context.codes.encode(study->text);
    ImGui::SetNextItemWidth(width);
    const bool is_edited = ImGui::InputText("##page text", &typed_text_);
    widgets::name_item(context, "text Page");
    if (is_edited && !widgets::is_left_by_escape())
        context.edits.push(
            "Change the text",
            [text = context.codes.decode(typed_text_)](Document& document) {
                set_text(document, text);
            },
            "page text");
}

}  // namespace headlight
