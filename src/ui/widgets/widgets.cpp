#include "ui/widgets/widgets.h"

#include <algorithm>
#include <cctype>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <sstream>
#include <utility>

#include "figure/labels.h"
#include "figure/words/formula.h"
#include "io/host.h"
#include "model/motion.h"
#include "model/settings/setting_text.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "ui/compat.h"
#include "ui/fonts/drawn_text.h"
#include "ui/fonts/fonts.h"
#include "ui/widgets/style.h"

namespace headlight::widgets {
namespace {

constexpr float kLabelGap = 6;  // in a row of controls
constexpr float kHintSize = 11;

Box last_item_box() {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    return {low.x, low.y, high.x - low.x, high.y - low.y};
}

/// Draws the label at the left; the next item goes to the right edge, and is wide enough for its
/// text where the label leaves room.
void label_left(SettingName name, const std::string& text = {}) {
    constexpr float kGap = 8, kLeast = 40, kLongestLabel = 96;
    const float inside = ImGui::CalcTextSize(text.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(name.label).x - kGap;
    // Labels of narrow columns have their room.
    const float usual = std::clamp(ImGui::GetContentRegionAvail().x - kLongestLabel, 60.0f, 98.0f);
    const float width = std::max(kLeast, std::min(std::max(usual, inside), room));
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name.label);
    if (name.help) tooltip(name.help);
    ImGui::SameLine(right_edge() - width);
    ImGui::SetNextItemWidth(width);
}

constexpr float kTooltipWrap = 340;
const ImVec2 kTooltipPad{10, 8};

std::string field_id(SettingName name) {
    return std::string("##") + name.label;
}

/// Shows that the last item can be dragged.
void show_drag_cursor() {
    if (ImGui::IsItemHovered() && !ImGui::IsItemActive())
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
}

/// Gives the value a typed number if it is another one, within the range.
template <typename Number>
bool take_over(Number& value, Number typed, Range<Number> range) {
    typed = std::clamp(typed, range.low, range.high);
    if (typed == value) return false;
    value = typed;
    return true;
}

bool drag_int(PanelContext& context, SettingName name, int& value, Range<int> range,
              const char* format = "%d", ImGuiSliderFlags flags = 0) {
    int typed = value;
    ImGui::DragInt(field_id(name).c_str(), &typed, 0.08f, range.low, range.high, format, flags);
    name_item(context, std::string("field ") + name.label);
    show_drag_cursor();
    return take_over(value, typed, range);
}

/// Draws a muted note at the right end of a box, or cut off there.
void draw_note(PanelContext& context, const std::string& note, ImVec2 low, ImVec2 high) {
    if (note.empty()) return;
    context.regions.add("note " + note, {low.x, low.y, high.x - low.x, high.y - low.y});
    context.painter.push_font(Font::Regular, 11);
    const std::string drawn = as_read(note);
    const ImVec2 size = ImGui::CalcTextSize(drawn.c_str());
    const ImVec2 at{std::max(low.x, high.x - size.x), (low.y + high.y - size.y) / 2};
    const ImVec4 clip{low.x, low.y, high.x, high.y};
    ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(), at,
                                        im_color(context.theme.accent), drawn.c_str(), nullptr, 0,
                                        &clip);
    context.painter.pop_font();
}

/// Draws widths in a field; several of them look like one, but are typed only.
bool widths_field(PanelContext& context, SettingName name, Widths& value, WidthRange range) {
    if (!value.is_list())
        return drag_int(context, name, value.values[0], range,
                        value.follow_the_model() && range.zero ? range.zero : "%d",
                        ImGuiSliderFlags_NoInput);
    std::string text = setting_text(value);
    ImGui::InputText(field_id(name).c_str(), &text, ImGuiInputTextFlags_ReadOnly);
    name_item(context, std::string("field ") + name.label);
    return false;
}

/// Returns capitals for all but a quoted word, which is written as the sentence has it.
std::string in_capitals(const std::string& text) {
    const std::size_t quote = find_quoted_word(text);
    std::string capitals = text;
    const auto end = capitals.begin() + static_cast<std::ptrdiff_t>(std::min(quote, text.size()));
    std::transform(capitals.begin(), end, capitals.begin(),
                   [](unsigned char c) { return c < 128 ? std::toupper(c) : c; });
    return capitals;
}

/// Wraps only between words: ImGui would break 0.969 after its point.
void draw_wrapped(PanelContext& context, const std::string& text, float size) {
    const float width = ImGui::GetContentRegionAvail().x;
    const MeasureText& measure = context.painter.measure();
    std::istringstream paragraphs(text);
    std::string lines;
    TextMark mark{.at = {}, .text = {}, .size = size};
    while (std::getline(paragraphs, mark.text))
        for (const std::string& line : wrapped_lines(mark, width, measure))
            append_part(lines, "\n", line);
    const std::string drawn = as_read(lines);
    const bool fits = ImGui::CalcTextSize(drawn.c_str()).x <= width + 1;
    ImGui::TextUnformatted(fits ? drawn.c_str() : wrapped_as_read(text, width).c_str());
}

}  // namespace

std::string as_read(const std::string& text, Font font) {
    Fonts* const fonts = Fonts::of_context();
    if (!fonts) return text;
    fonts->need_glyphs(text);
    std::string drawn;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (begin > 0) drawn += '\n';
        drawn += fonts->drawn_text(text.substr(begin, end - begin), font);
        begin = end + 1;
    }
    return drawn;
}

std::string wrapped_as_read(const std::string& text, float width) {
    std::string drawn;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view rest(text.data() + at, end - at);
        const char* const wrapped =
            compat::wrapped_end(*ImGui::GetFont(), ImGui::GetFontSize(), rest, width);
        // A letter that is wider than the line has one of its own.
        const std::size_t size =
            rest.empty()
                ? 0
                : std::max(static_cast<std::size_t>(wrapped - rest.data()), grapheme_end(rest, 0));
        if (at > 0) drawn += '\n';
        drawn += as_read(std::string(rest.substr(0, size)));
        at += size;
        while (at < end && (text[at] == ' ' || text[at] == '\t')) ++at;
        if (at == end) ++at;
    }
    return drawn;
}

bool text_field(PanelContext& context, const char* id, const char* hint, std::string& text,
                ImGuiInputTextFlags flags) {
    context.painter.need_glyphs(text);
    std::string held = context.codes.encode(text);
    const bool is_answered = ImGui::InputTextWithHint(id, hint, &held, flags);
    text = context.codes.decode(held);
    return is_answered;
}

void draw_as_read_below(PanelContext& context, const std::string& text) {
    if (has_right_to_left(text)) hint(context, text);
}

int arrow_steps(PanelContext& context, const std::string& name) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool is_taken = io.WantTextInput || io.KeyCtrl || io.KeyAlt ||
                          ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
    if (context.keyboard != name || is_taken) return 0;
    context.requests.keep_arrows();
    const auto pressed = [](Key key) { return compat::is_key_pressed(key, compat::Repeat::Yes); };
    return pressed(Key::Right) - pressed(Key::Left);
}

void name_item(PanelContext& context, const std::string& name) {
    context.regions.add(name, last_item_box());
}

float right_edge() {
    return ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
}

/// Keeps what comes after the item, at its right and below it, in sight: the tooltip stands above
/// the item, or below it where there is no room.
void tooltip(const char* text) {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    constexpr float kGap = 6;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float wrapped = kTooltipWrap - kTooltipPad.x;
    const ImVec2 words = ImGui::CalcTextSize(wrapped_as_read(text, wrapped).c_str());
    const float width = words.x + 2 * kTooltipPad.x, height = words.y + 2 * kTooltipPad.y;
    const bool has_room = low.y - kGap - height >= 0;
    const float right = ImGui::GetIO().DisplaySize.x - kGap;
    ImGui::SetNextWindowPos({std::max(0.0f, std::min(low.x, right - width)),
                             has_room ? low.y - kGap - height : high.y + kGap});
    draw_tooltip(text);
}

namespace {

/// Cuts keys off its end that never come here: "Close  (Ctrl+W)".
std::string without_kept_keys(const std::string& text) {
    const std::size_t at = text.rfind("  (");
    if (at == std::string::npos || !text.ends_with(')')) return text;
    return are_kept_by_host(text.substr(at + 3, text.size() - at - 4)) ? text.substr(0, at) : text;
}

}  // namespace

void draw_tooltip(const std::string& text) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, kTooltipPad);
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(
        wrapped_as_read(without_kept_keys(text), kTooltipWrap - kTooltipPad.x).c_str());
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

void heading(PanelContext& context, const std::string& text, const char* help) {
    ImGui::Dummy({0, 2});
    const std::string capitals = in_capitals(text);
    context.painter.push_font(Font::Bold, 11);
    ImGui::TextDisabled("%s", context.painter.drawn_text(capitals, Font::Bold).c_str());
    if (help) {
        ImGui::SameLine(right_edge() - 10);
        ImGui::TextDisabled("?");
    }
    context.painter.pop_font();
    if (help) tooltip(help);
}

bool int_setting(PanelContext& context, SettingName name, int& value, Range<int> range) {
    label_left(name);
    return drag_int(context, name, value, range);
}

bool float_setting(PanelContext& context, SettingName name, float& value, Range<float> range) {
    constexpr float kSlowest = 0.005f, kOfValue = 0.01f;  // a point
    label_left(name);
    float typed = value;
    ImGui::DragFloat(field_id(name).c_str(), &typed, std::max(kSlowest, kOfValue * value),
                     range.low, range.high, "%.2f");
    name_item(context, std::string("field ") + name.label);
    show_drag_cursor();
    return take_over(value, typed, range);
}

bool rate_setting(PanelContext& context, SettingName name, double& value, Range<double> range) {
    label_left(name);
    double typed = value;
    ImGui::DragScalar(field_id(name).c_str(), ImGuiDataType_Double, &typed,
                      static_cast<float>(0.01 * value), &range.low, &range.high, "%.3g");
    name_item(context, std::string("field ") + name.label);
    show_drag_cursor();
    return take_over(value, typed, range);
}

bool widths_setting(PanelContext& context, SettingName name, Widths& value, WidthRange range,
                    TextEntry& entry) {
    label_left(name, spoken(value, range));
    if (entry.field != name.label) {
        const bool is_changed = widths_field(context, name, value, range);
        const bool is_asked =
            ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) ||
            (ImGui::GetIO().KeyCtrl && ImGui::IsMouseClicked(ImGuiMouseButton_Left));
        if (ImGui::IsItemHovered() && is_asked) entry = {name.label, setting_text(value), false};
        return is_changed;
    }
    if (!entry.has_focus) compat::focus_next_item();
    ImGui::InputText((field_id(name) + " typed").c_str(), &entry.text,
                     ImGuiInputTextFlags_AutoSelectAll);
    name_item(context, std::string("field ") + name.label);
    entry.has_focus = entry.has_focus || ImGui::IsItemActive();
    if (ImGui::IsItemActive()) context.requests.keep_text();
    if (!ImGui::IsItemDeactivated()) return false;
    const auto typed = parse_widths(std::exchange(entry, {}).text, range);
    if (!typed || *typed == value) return false;
    value = *typed;
    return true;
}

namespace {

/// Returns the text of a choice while the list is closed.
std::string choice_text(const char* choice) {
    return std::string(choice) + "  ▾";
}

}  // namespace

bool choice_field(PanelContext& context, const char* name, int& value,
                  std::span<const char* const> choices, const ChoiceMark& mark) {
    float width = 0;  // of the list, where choices have marks
    for (const char* choice : choices)
        if (mark.draw) width = std::max(width, ImGui::CalcTextSize(choice).x + mark.width);
    const std::string shown = choice_text(choices[static_cast<std::size_t>(value)]);
    int picked = value;
    // The padding is the list's own, whatever the window around it has: entries reach into the
    // space between lines.
    constexpr float kListPad = 12;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ImGui::GetStyle().WindowPadding.x, kListPad});
    const bool is_open =
        ImGui::BeginCombo(field_id(name).c_str(), shown.c_str(),
                          ImGuiComboFlags_NoArrowButton | ImGuiComboFlags_HeightLargest);
    ImGui::PopStyleVar();
    name_item(context, std::string("field ") + name);
    if (is_open) {
        context.regions.begin_popup();
        const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
        context.regions.add(std::string("list ") + name, {at.x, at.y, size.x, size.y});
        for (std::size_t i = 0; i < choices.size(); ++i) {
            if (ImGui::Selectable(choices[i], value == static_cast<int>(i), 0, {width, 0}))
                picked = static_cast<int>(i);
            if (mark.draw) mark.draw(i, last_item_box());
            name_item(context, std::string("choice ") + choices[i]);
        }
        context.regions.end_popup();
        if (compat::is_key_pressed(Key::Escape)) ImGui::CloseCurrentPopup();
        ImGui::EndCombo();
    }
    return std::exchange(value, picked) != picked;
}

bool choice_setting(PanelContext& context, SettingName name, int& value,
                    std::span<const char* const> choices, const ChoiceMark& mark) {
    label_left(name, choice_text(choices[static_cast<std::size_t>(value)]));
    return choice_field(context, name.label, value, choices, mark);
}

bool fold(PanelContext& context, const char* label, const std::string& note, bool& is_open) {
    constexpr float kHeight = 22, kArrow = 4, kTextLeft = 14;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const bool is_clicked =
        ImGui::InvisibleButton((std::string("fold ") + label).c_str(), {width, kHeight});
    name_item(context, std::string("fold ") + label);
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const ImU32 ink = im_color(ImGui::IsItemHovered() ? context.theme.text : context.theme.muted);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = at.y + kHeight / 2, x = at.x + kArrow;
    const bool was_open = is_open;
    if (was_open)
        list.AddTriangleFilled({x - kArrow, y - 2}, {x + kArrow, y - 2}, {x, y + 3}, ink);
    else
        list.AddTriangleFilled({x - 2, y - kArrow}, {x + 3, y}, {x - 2, y + kArrow}, ink);
    context.painter.push_font(Font::Bold, 12);
    const float text_y = y - ImGui::GetTextLineHeight() / 2;
    list.AddText({at.x + kTextLeft, text_y}, ink, label);
    const float label_right = at.x + kTextLeft + ImGui::CalcTextSize(label).x;
    context.painter.pop_font();
    draw_note(context, note, {label_right + 10, at.y}, {at.x + width, at.y + kHeight});
    if (is_clicked) is_open = !is_open;
    return is_clicked;
}

bool button(PanelContext& context, const char* label, const char* tooltip_text, Enabled enabled) {
    ImGui::BeginDisabled(enabled == Enabled::No);
    const bool is_pressed = ImGui::Button(label);
    ImGui::EndDisabled();
    name_item(context, std::string("button ") + label);
    if (tooltip_text) tooltip(tooltip_text);
    return is_pressed;
}

bool primary_button(PanelContext& context, const char* label, const char* tooltip_text,
                    Enabled enabled) {
    for (const ImGuiCol part : {ImGuiCol_Button, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive})
        ImGui::PushStyleColor(part, im_vec(context.theme.accent));
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(context.theme.on_accent));
    const bool is_pressed = button(context, label, nullptr, enabled);
    ImGui::PopStyleColor(4);
    tooltip(tooltip_text);  // in the colours of all others
    return is_pressed;
}

void same_line_if_fits(const char* label) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const float width = ImGui::CalcTextSize(label).x + 2 * style.FramePadding.x;
    const float right = ImGui::GetWindowPos().x + right_edge();
    if (ImGui::GetItemRectMax().x + style.ItemSpacing.x + width <= right) ImGui::SameLine();
}

void same_line_if_fits(float width, float gap) {
    const float right = ImGui::GetWindowPos().x + right_edge();
    if (ImGui::GetItemRectMax().x + gap + width <= right) ImGui::SameLine(0, gap);
}

void row_label(const char* text) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", text);
    ImGui::SameLine(0, kLabelGap);
}

float labelled_width(const char* label, float field) {
    return ImGui::CalcTextSize(label).x + kLabelGap + field;
}

bool row_choice(PanelContext& context, const char* name, int& value,
                std::span<const char* const> choices, float width) {
    row_label(name);
    ImGui::SetNextItemWidth(width);
    return choice_field(context, name, value, choices);
}

void hint(PanelContext& context, const std::string& text) {
    context.painter.push_font(Font::Regular, kHintSize);
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(context.theme.muted));
    draw_wrapped(context, text, kHintSize);
    ImGui::PopStyleColor();
    context.painter.pop_font();
}

void warning(PanelContext& context, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(context.theme.warning));
    ImGui::TextUnformatted(wrapped_as_read(text, ImGui::GetContentRegionAvail().x).c_str());
    ImGui::PopStyleColor();
}

void fact(PanelContext&, const char* name, const std::string& value) {
    const std::string drawn = as_read(value);
    ImGui::TextUnformatted(name);
    ImGui::SameLine(right_edge() - ImGui::CalcTextSize(drawn.c_str()).x);
    ImGui::TextUnformatted(drawn.c_str());
}

void formula(PanelContext& context, const std::string& text) {
    const float width = ImGui::GetContentRegionAvail().x;
    FormulaStyle style{13, context.theme.muted, Font::Math};
    while (style.size > 9 && formula_width(text, style, context.painter.measure()) > width)
        style.size -= 0.5f;
    Figure figure{width, 20, {}};
    add_formula(figure, {0, 14}, text, style, context.painter.measure());
    place_figure(context, figure);
}

Point place_figure(PanelContext& context, const Figure& figure) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    context.painter.draw(figure, {at.x, at.y});
    ImGui::Dummy({figure.width, figure.height});
    return {at.x, at.y};
}

void hold_clicked(PanelContext& context, const Pick& pick) {
    if (ImGui::GetIO().KeyShift)
        context.selection.toggle(pick);
    else
        context.selection.hold(pick);
}

void point_at_word(PanelContext& context, std::optional<Index> word, int list) {
    if (!word) return;
    const Pick pick = pick_item(*word, list);
    context.selection.hover(pick);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) hold_clicked(context, pick);
}

Point pointer_in(Point origin) {
    // An open list counts as a child of the window that it covers.
    if (ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup) ||
        !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows |
                                ImGuiHoveredFlags_AllowWhenBlockedByActiveItem))
        return {-1e6f, -1e6f};
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    return {mouse.x - origin.x, mouse.y - origin.y};
}

}  // namespace headlight::widgets

namespace headlight {

bool draw_chip(PanelContext& context, const char* label, const char* tooltip, Chosen chosen) {
    const Theme& theme = context.theme;
    const bool is_chosen = chosen == Chosen::Yes;
    ImGui::PushStyleColor(ImGuiCol_Button, im_vec(is_chosen ? theme.accent_soft : theme.card));
    ImGui::PushStyleColor(ImGuiCol_Text, im_vec(is_chosen ? theme.accent : theme.text));
    ImGui::PushStyleColor(ImGuiCol_Border, im_vec(is_chosen ? theme.accent : theme.border));
    const bool is_pressed = widgets::button(context, label, nullptr);
    ImGui::PopStyleColor(3);
    if (tooltip) widgets::tooltip(tooltip);
    return is_pressed;
}

std::string text_for_user(const Error& error) {
    if (error.place().name.find_first_of("./ ") != std::string::npos) return error.what();
    std::string text = error.without_name();
    const std::size_t word =
        std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), text.size());
    const bool is_word = word == text.size() || text[word] == ' ' || text[word] == ',';
    if (is_word && word > 0) text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

}  // namespace headlight

namespace headlight::widgets {

namespace {

constexpr float kSliderHeight = 16, kKnob = 6, kLine = 4;

/// Returns the value so many steps to the right: each a hundredth of the slider's length, or the
/// least change.
double stepped(double value, const SliderRange& range, int steps) {
    constexpr double kStep = 0.01;
    const Spacing spacing = spacing_between(range.from, range.to);
    const double share = share_at(range.from, range.to, value, spacing) + kStep * steps;
    const double moved = number_at(range.from, range.to, std::clamp(share, 0.0, 1.0), spacing);
    if (std::abs(moved - value) >= range.step) return moved;
    const double way = range.to > range.from ? range.step : -range.step;
    return std::clamp(value + way * steps, std::min(range.from, range.to),
                      std::max(range.from, range.to));
}

}  // namespace

bool slider(PanelContext& context, const std::string& name, double& value, SliderRange range,
            float width) {
    const Spacing spacing = spacing_between(range.from, range.to);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton(("slider " + name).c_str(), {width, kSliderHeight});
    name_item(context, "slider " + name);
    const bool is_active = ImGui::IsItemActive(), is_hovered = ImGui::IsItemHovered();
    if (is_hovered || is_active) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const float left = at.x + kKnob, length = std::max(1.0f, width - 2 * kKnob);
    double moved = value;
    if (is_active) {
        const double share = std::clamp((ImGui::GetIO().MousePos.x - left) / length, 0.0f, 1.0f);
        moved = number_at(range.from, range.to, share, spacing);
    } else if (const int steps = arrow_steps(context, "slider " + name); steps != 0) {
        moved = stepped(value, range, steps);
    }
    const auto share = static_cast<float>(share_at(range.from, range.to, moved, spacing));
    const float x = left + share * length, y = at.y + kSliderHeight / 2;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 accent = im_color(context.theme.accent);
    list.AddRectFilled({left, y - kLine / 2}, {left + length, y + kLine / 2},
                       im_color(context.theme.border), kLine / 2);
    list.AddRectFilled({left, y - kLine / 2}, {x, y + kLine / 2}, accent, kLine / 2);
    list.AddCircleFilled({x, y}, is_hovered || is_active ? kKnob : kKnob - 1, accent);
    list.AddCircleFilled({x, y}, kKnob - 3, im_color(context.theme.field));
    return std::exchange(value, moved) != moved;
}

bool play_mark(PanelContext& context, const std::string& name, float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool is_pressed =
        ImGui::InvisibleButton(("play " + name).c_str(), {width, kSliderHeight});
    name_item(context, "play " + name);
    const bool is_hovered = ImGui::IsItemHovered();
    if (is_hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const ImU32 ink = im_color(is_hovered ? context.theme.accent : context.theme.muted);
    const float x = at.x + width / 2 - 3, y = at.y + kSliderHeight / 2;
    ImGui::GetWindowDrawList()->AddTriangleFilled({x, y - 5}, {x + 8, y}, {x, y + 5}, ink);
    tooltip("Animates it between two values, while everything follows");
    return is_pressed;
}

}  // namespace headlight::widgets
