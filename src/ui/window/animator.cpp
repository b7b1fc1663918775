#include "ui/window/animator.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <limits>

#include "figure/color_scale.h"
#include "figure/number_format.h"
#include "io/text/json_text.h"
#include "model/changes.h"
#include "model/settings/setting_text.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/cell_edits.h"

namespace headlight {
namespace {

constexpr const char* kGesture = "animate";
constexpr float kTrackRow = 34, kTrackPad = 8, kTrackField = 62;
constexpr float kWide = 730;                 // from here on everything fits on one row
constexpr double kLongestFrame_secs = 0.25;  // a longer one was a rest, not a part of the motion
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// Draws a field for a number that is no setting, its name before it.
bool number_field(PanelContext& context, const char* name, double& value, float step) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", name);
    ImGui::SameLine(0, 5);
    ImGui::SetNextItemWidth(kTrackField);
    auto typed = static_cast<float>(value);
    const bool is_changed = ImGui::DragFloat((std::string("##") + name).c_str(), &typed, step, 0, 0,
                                             std::abs(typed) < 1000 ? "%.3g" : "%.0f");
    widgets::name_item(context, std::string("field ") + name);
    if (is_changed && std::isfinite(typed)) value = typed;
    return is_changed;
}

}  // namespace

/// Returns the number that the document will have.
double Animator::Number::kept(double wanted) const {
    const double inside = std::clamp(wanted, low, high);
    return kind == Kind::Whole ? std::round(inside) : static_cast<float>(inside);
}

void Animator::take_request(PanelContext& context) {
    const auto request = context.requests.animation.take();
    if (!request) return;
    Animator next;
    next.number_ = request->place;
    *this = std::move(next);
    const auto number = find_number(context);
    if (!number) return close();
    if (const auto* cell = std::get_if<CellPlace>(&*number_))
        was_set_by_hand_ = value_set_by_hand(context, *cell).has_value();
    propose(*number);
    is_playing_ = request->plays;
}

/// Proposes ends between which something is seen: the range where it is narrow; far below and above
/// the value where it counts by factors, as a temperature does; else from the value on.
void Animator::propose(const Number& number) {
    before_ = number.value;
    const bool is_narrow = number.high - number.low <= 1;
    const double reach = number.value == 0 ? 1 : 4 * std::abs(number.value);
    motion_.from = is_narrow ? number.low : number.value;
    motion_.to = is_narrow ? number.high : std::min(number.high, std::max(reach, number.low));
    constexpr double kFactor = 10;
    const bool counts_by_factors = number.kind == Number::Kind::Real && number.low > 0 &&
                                   number.high / number.low > kFactor * kFactor;
    if (counts_by_factors && !is_narrow) {
        motion_.from = std::max(number.low, number.value / kFactor);
        motion_.to = std::min(number.high, number.value * kFactor);
    }
    if (motion_.to == motion_.from) motion_.from = std::max(number.low, number.value / 4);
    const Spacing spacing = spacing_between(motion_.from, motion_.to);
    elapsed_secs_ = motion_.secs * share_at(motion_.from, motion_.to, number.value, spacing);
}

std::optional<Animator::Number> Animator::find_number(const PanelContext& context) const {
    if (const auto* path = std::get_if<std::string>(&*number_)) {
        const auto setting = find_number_setting(context.document, *path);
        if (!setting) return std::nullopt;
        return Number{within_sentence(setting->label), setting->value, setting->low, setting->high,
                      setting->is_whole ? Number::Kind::Whole : Number::Kind::Real};
    }
    const auto& cell = std::get<CellPlace>(*number_);
    const Tensor* tensor = context.trace ? context.trace->find(cell.path) : nullptr;
    if (!tensor || cell.row >= tensor->rows().size || cell.column >= tensor->columns().size)
        return std::nullopt;
    const auto by_hand = value_set_by_hand(context, cell);
    if (!by_hand && !tensor->value) return std::nullopt;
    const double value = by_hand ? *by_hand : value_at(*context.trace, cell);
    const bool is_share = tensor->quantity() == Quantity::Probability;
    return Number{cell_label(*context.trace, cell), value, is_share ? 0 : -kUnbounded,
                  is_share ? 1 : kUnbounded};
}

/// Returns the document's number: a trace may be of an earlier document.
std::optional<Scalar> Animator::value_set_by_hand(const PanelContext& context,
                                                  const CellPlace& cell) const {
    const auto intervention = context.document.interventions.find(cell.path);
    if (intervention == context.document.interventions.end()) return std::nullopt;
    const Index row = context.trace->at(cell.path).first_row() + cell.row;
    const CellValue* by_hand = intervention->second.find(row, cell.column);
    return by_hand ? std::optional(by_hand->value) : std::nullopt;
}

std::string Animator::label(const Number& number) const {
    return fmt::format("Animate {} {} → {}", number.name,
                       format_value(static_cast<Scalar>(motion_.from)),
                       format_value(static_cast<Scalar>(motion_.to)));
}

void Animator::set(PanelContext& context, const std::string& step, double value) {
    set_to_ = value;
    if (const auto* path = std::get_if<std::string>(&*number_)) {
        context.edits.push(
            step, [path = *path, value](Document& d) { set_number_setting(d, path, value); },
            kGesture);
    } else {
        const auto& cell = std::get<CellPlace>(*number_);
        context.edits.push(step, set_cell_change(*context.trace, cell, static_cast<Scalar>(value)),
                           kGesture);
    }
}

std::string Animator::motion_text() const {
    if (!number_) return {};
    std::string text;
    if (const auto* cell = std::get_if<CellPlace>(&*number_))
        text = fmt::format("{}[{},{}]", cell->path, cell->row, cell->column);
    else
        text = std::get<std::string>(*number_);
    return fmt::format("{}={}:{}", text, number_text(motion_.from), number_text(motion_.to));
}

void Animator::put_back(PanelContext& context, const Number& number) {
    is_playing_ = false;
    const Spacing spacing = spacing_between(motion_.from, motion_.to);
    elapsed_secs_ = motion_.secs * share_at(motion_.from, motion_.to, before_, spacing);
    const auto* cell = std::get_if<CellPlace>(&*number_);
    const std::string step =
        fmt::format("Set {} back to {}", number.name, format_value(static_cast<Scalar>(before_)));
    if (!cell || was_set_by_hand_) return set(context, step, before_);
    const Index row = context.trace->at(cell->path).first_row() + cell->row;
    context.edits.push(
        step, [cell = *cell, row](Document& d) { reset_cell(d, cell.path, row, cell.column); },
        kGesture);
}

void Animator::advance(PanelContext& context) {
    if (!is_open() || !is_playing_) return set_to_.reset();
    const auto number = find_number(context);
    const bool is_another = number && set_to_ && *set_to_ != number->value;
    if (!number || is_another || !context.edits.is_empty()) {
        is_playing_ = false;
        return set_to_.reset();
    }
    elapsed_secs_ += std::min<double>(ImGui::GetIO().DeltaTime, kLongestFrame_secs);
    const double value = motion_.value_at(motion_.share_after(elapsed_secs_));
    set(context, label(*number), number->kept(value));
    if (motion_.is_over(elapsed_secs_)) is_playing_ = false;
}

float Animator::draw(PanelContext& context, Box box) {
    if (!is_open()) return 0;
    const auto number = find_number(context);
    if (!number) return 0;
    const bool is_wide = box.width >= kWide;
    const float height = (is_wide ? kTrackRow : 2 * kTrackRow) + 2 * kTrackPad;
    ImGui::PushStyleColor(ImGuiCol_WindowBg, im_vec(context.theme.panel));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {14, kTrackPad});
    ImGui::SetNextWindowPos({box.x, box.bottom() - height});
    ImGui::SetNextWindowSize({box.width, height});
    ImGui::Begin("animation", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    context.regions.add("bar animation", {box.x, box.bottom() - height, box.width, height});
    constexpr float kEnds = 430;  // of the fields for both ends and how to go
    draw_main_row(context, *number, box.width - 28 - (is_wide ? kEnds : 0));
    if (is_open()) {
        if (is_wide) ImGui::SameLine();
        ImGui::SetCursorPos(is_wide ? ImVec2{box.width - 14 - kEnds + 10, kTrackPad}
                                    : ImVec2{14, kTrackPad + kTrackRow});
        draw_ends(context, *number);
    }
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    return height;
}

void Animator::draw_main_row(PanelContext& context, const Number& number, float width) {
    const float right = ImGui::GetCursorPosX() + width;
    if (widgets::button(context, is_playing_ ? "Pause" : "Play", "Space")) {
        if (motion_.is_over(elapsed_secs_)) elapsed_secs_ = 0;
        toggle_play();
    }
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    context.painter.push_font(Font::Bold, 13);
    ImGui::TextUnformatted(number.name.c_str());
    context.painter.pop_font();
    ImGui::SameLine();
    draw_knob(context, number, right - ImGui::GetCursorPosX());
}

/// Draws the value, and the slider that moves it by hand.
void Animator::draw_knob(PanelContext& context, const Number& number, float width) {
    const std::string value = format_value(static_cast<Scalar>(number.value));
    const float value_width = ImGui::CalcTextSize("−00.000").x;
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(im_vec(context.theme.accent), "%s", value.c_str());
    ImGui::SameLine();
    const float used = ImGui::CalcTextSize(value.c_str()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, value_width - used));
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 6);
    double moved = number.value;
    const float left = std::max(40.0f, width - value_width - 20);
    if (widgets::slider(context, "Animation", moved, {motion_.from, motion_.to}, left)) {
        is_playing_ = false;
        const Spacing spacing = spacing_between(motion_.from, motion_.to);
        elapsed_secs_ = motion_.secs * share_at(motion_.from, motion_.to, moved, spacing);
        set(context, label(number), number.kept(moved));
    }
}

void Animator::draw_ends(PanelContext& context, const Number& number) {
    static constexpr const char* kRepeats[] = {"once", "loop", "bounce"};
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {7, 4});
    const auto step = static_cast<float>(0.01 * std::max(0.1, std::abs(motion_.to - motion_.from)));
    if (number_field(context, "from", motion_.from, step))
        motion_.from = std::clamp(motion_.from, number.low, number.high);
    ImGui::SameLine();
    if (number_field(context, "to", motion_.to, step))
        motion_.to = std::clamp(motion_.to, number.low, number.high);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(52);
    auto secs = static_cast<float>(motion_.secs);
    if (ImGui::DragFloat("##seconds", &secs, 0.05f, 0.2f, 60, "%.1f s")) {
        const double share = motion_.share_after(elapsed_secs_);
        motion_.secs = std::clamp(secs, 0.2f, 60.0f);
        elapsed_secs_ = share * motion_.secs;
    }
    widgets::name_item(context, "field seconds");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(78);
    int repeat = static_cast<int>(motion_.repeat);
    if (widgets::choice_field(context, "repeat", repeat, kRepeats))
        motion_.repeat = static_cast<Repeat>(repeat);
    ImGui::SameLine();
    if (widgets::button(context, "Back", "Restores the number's earlier value"))
        put_back(context, number);
    ImGui::SameLine();
    const bool is_closed = ImGui::Button("×##animation");
    widgets::name_item(context, "button Close animation");
    widgets::tooltip("Closes this; the number stays");
    ImGui::PopStyleVar();
    if (is_closed) close();
}

}  // namespace headlight
