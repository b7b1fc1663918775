#include "ui/wrapped_field.h"

#include <algorithm>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "ui/widgets.h"

namespace headlight {
namespace {

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

int wrap_callback(ImGuiInputTextCallbackData* data) {
    const std::string before(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    wrap_at_spaces(data->Buf, data->BufTextLen, *static_cast<const float*>(data->UserData));
    if (before != std::string_view(data->Buf, before.size())) data->BufDirty = true;
    return 0;
}

std::string without_breaks(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

}  // namespace

std::optional<std::string> WrappedField::draw(PanelContext& context, const std::string& name,
                                              const std::string& text) {
    if (text != shown_) show(context, text);
    context.painter.need_glyphs(text);
    const float width = ImGui::GetContentRegionAvail().x;
    float wrap_width = width - 2 * ImGui::GetStyle().FramePadding.x - 12;
    wrap_at_spaces(buffer_.data(), static_cast<int>(buffer_.size()), wrap_width);
    const auto lines = 1 + std::count(buffer_.begin(), buffer_.end(), '\n');
    const float height =
        ImGui::GetTextLineHeight() * static_cast<float>(std::clamp<long>(lines, 2, 7)) +
        2 * ImGui::GetStyle().FramePadding.y + 4;
    const bool is_edited = ImGui::InputTextMultiline(
        ("##" + name).c_str(), &buffer_, {width, height},
        ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CtrlEnterForNewLine, wrap_callback,
        &wrap_width);
    widgets::name_item(context, "text " + name);
    has_focus_ = ImGui::IsItemActive();
    if (ImGui::IsItemDeactivated()) context.edits.end_gesture();
    // ImGui's Escape would take back all that was typed.
    if (ImGui::IsItemDeactivated() && compat::is_key_pressed(Key::Escape)) {
        show(context, shown_);
        return std::nullopt;
    }
    if (!is_edited) return std::nullopt;
    shown_ = context.codes.decode(without_breaks(buffer_));
    return shown_;
}

void WrappedField::show(PanelContext& context, const std::string& text) {
    shown_ = text;
    buffer_ = context.codes.encode(text);
}

}  // namespace headlight
