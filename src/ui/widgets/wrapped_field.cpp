#include "ui/widgets/wrapped_field.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <string_view>
#include <utility>

#include "ui/compat.h"
#include "ui/fonts/visual_order.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr long kLeastLines = 2, kMostLines = 7;  // that are seen; of more some are, and it scrolls

constexpr ImWchar kLineEndSign = 0x23CE, kTabSign = 0x21E5;  // ⏎ and ⇥
constexpr std::pair<char, const char*> kSigns[] = {{'\n', "\u23CE"}, {'\t', "\u21E5"}};

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

/// ImGui's text field does not wrap. A sentence has no line breaks of its own, so a space where a
/// line is full is shown as a line break; both are one byte, and the cursor stays where it is.
void wrap_at_spaces(char* text, int size, float width) {
    int line = 0, last_space = -1;
    std::replace(text, text + size, '\n', ' ');
    for (int i = 0; i <= size; ++i) {
        if (i < size && text[i] != ' ') continue;
        if (last_space >= line && ImGui::CalcTextSize(text + line, text + i).x > width) {
            text[last_space] = '\n';
            line = last_space + 1;
        }
        last_space = i;
    }
}

/// What the field's callback knows of it.
struct Wrapping {
    float width = 0;
    bool selects_all = false;
    LineEnds line_ends = LineEnds::AreBlanks;
};

/// Of one letter that is typed or pasted.
void keep_line_end(ImGuiInputTextCallbackData* data) {
    if (data->EventChar == '\n') data->EventChar = kLineEndSign;
    if (data->EventChar == '\t') data->EventChar = kTabSign;
}

/// ImGui takes a tab only where the Tab key makes one; here that key leads on. A field that takes
/// tabs gets no keyboard from ImGui 1.90, so only one that has it can be pasted into.
ImGuiInputTextFlags flags_for(LineEnds line_ends, bool has_focus) {
    const ImGuiInputTextFlags flags =
        ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CtrlEnterForNewLine;
    if (line_ends == LineEnds::AreBlanks) return flags;
    const bool can_be_paste = has_focus && (ImGui::GetIO().KeyCtrl || ImGui::GetIO().KeySuper);
    return flags | ImGuiInputTextFlags_CallbackCharFilter |
           (can_be_paste ? ImGuiInputTextFlags_AllowTabInput : 0);
}

int wrap_callback(ImGuiInputTextCallbackData* data) {
    const auto& wrapping = *static_cast<const Wrapping*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter) {
        if (wrapping.line_ends == LineEnds::AreKept) keep_line_end(data);
        return 0;
    }
    const std::string before(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    wrap_at_spaces(data->Buf, data->BufTextLen, wrapping.width);
    if (before != std::string_view(data->Buf, before.size())) data->BufDirty = true;
    if (wrapping.selects_all) data->SelectAll();
    return 0;
}

std::string without_breaks(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

/// The background of a field that has none itself, so that what is drawn now is seen through it.
void draw_background(ImVec2 low, ImVec2 size) {
    ImGui::GetWindowDrawList()->AddRectFilled(low, {low.x + size.x, low.y + size.y},
                                              ImGui::GetColorU32(ImGuiCol_FrameBg),
                                              ImGui::GetStyle().FrameRounding);
}

}  // namespace

std::optional<std::string> WrappedField::draw(PanelContext& context, const std::string& name,
                                              const std::string& text) {
    if (text != shown_) {
        if (has_focus_) context.edits.end_gesture();
        show(context, text);
        ++filled_;
    }
    context.painter.need_glyphs(line_ends_ == LineEnds::AreKept ? text + "\u23CE\u21E5" : text);
    const float width = ImGui::GetContentRegionAvail().x;
    float wrap_width = width - 2 * ImGui::GetStyle().FramePadding.x - 12;
    wrap_at_spaces(buffer_.data(), static_cast<int>(buffer_.size()), wrap_width);
    const auto lines = 1 + std::count(buffer_.begin(), buffer_.end(), '\n');
    const float height = ImGui::GetTextLineHeight() *
                             static_cast<float>(std::clamp(lines, kLeastLines, kMostLines)) +
                         2 * ImGui::GetStyle().FramePadding.y + 4;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool runs_left = has_right_to_left(text);
    const bool reads_inside = runs_left && !has_focus_ && lines <= kMostLines;
    if (reads_inside) {
        draw_background(at, {width, height});
        ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
        ImGui::PushStyleColor(ImGuiCol_Text, 0);
    }
    // As a field of one line, when the keyboard leads to it.
    Wrapping wrapping{wrap_width, !has_focus_ && !ImGui::IsMouseDown(ImGuiMouseButton_Left),
                      line_ends_};
    if (takes_focus_) compat::focus_next_item();
    takes_focus_ = false;
    const bool is_edited = ImGui::InputTextMultiline(
        fmt::format("##{}{}", name, filled_).c_str(), &buffer_, {width, height},
        flags_for(line_ends_, has_focus_), wrap_callback, &wrapping);
    if (reads_inside) ImGui::PopStyleColor(2);
    widgets::name_item(context, "text " + name);
    has_focus_ = ImGui::IsItemActive();
    const bool is_left = ImGui::IsItemDeactivated();
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    if (reads_inside)
        draw_as_read(context, {at.x + padding.x, at.y + padding.y, wrap_width, 0},
                     ImGui::GetColorU32(ImGuiCol_Text));
    else if (runs_left)
        draw_as_read_below(context, wrap_width);
    if (is_left) context.edits.end_gesture();
    // ImGui's Escape would take back all that was typed.
    if (is_left && compat::is_key_pressed(Key::Escape)) {
        show(context, shown_);
        return std::nullopt;
    }
    if (!is_edited) return std::nullopt;
    shown_ = text_in_buffer(context);
    return shown_;
}

std::string WrappedField::text_in_buffer(const PanelContext& context) const {
    std::string text = without_breaks(buffer_);
    if (line_ends_ == LineEnds::AreKept)
        for (const auto& [letter, sign] : kSigns) text = replaced(text, sign, {&letter, 1});
    return context.codes.decode(text);
}

void WrappedField::show(PanelContext& context, const std::string& text) {
    shown_ = text;
    buffer_ = context.codes.encode(text);
    if (line_ends_ == LineEnds::AreBlanks) return;
    for (const auto& [letter, sign] : kSigns) buffer_ = replaced(buffer_, {&letter, 1}, sign);
}

/// Its lines from the top of the box, at the right where the text runs from there.
float WrappedField::draw_as_read(PanelContext& context, Box box, unsigned int color) const {
    const std::string text = context.codes.decode(buffer_);
    const bool at_right = runs_right_to_left(text);
    float y = box.y;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line =
            context.painter.drawn_text(text.substr(begin, end - begin), Font::Regular);
        const float free = box.width - ImGui::CalcTextSize(line.c_str()).x;
        const float x = box.x + (at_right ? std::max(0.0f, free) : 0);
        ImGui::GetWindowDrawList()->AddText({x, y}, color, line.c_str());
        y += ImGui::GetTextLineHeight();
        begin = end + 1;
    }
    return y - box.y;
}

void WrappedField::draw_as_read_below(PanelContext& context, float width) const {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height =
        draw_as_read(context, {at.x + ImGui::GetStyle().FramePadding.x, at.y, width, 0},
                     ImGui::GetColorU32(ImGuiCol_TextDisabled));
    ImGui::Dummy({width, height});
}

}  // namespace headlight
