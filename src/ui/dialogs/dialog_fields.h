// The fields of a dialog: a label, and a choice at its right.
#pragma once

#include <array>
#include <imgui.h>
#include <span>

#include "ui/widgets/widgets.h"

namespace headlight {

inline constexpr float kDialogField = 88;

/// Every field begins and ends below the one before, whatever it holds.
inline void begin_field(widgets::SettingName name) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name.label);
    if (name.help) widgets::tooltip(name.help);
    ImGui::SameLine(kDialogField);
    ImGui::SetNextItemWidth(widgets::right_edge() - kDialogField);
}

inline bool draw_choice(PanelContext& context, widgets::SettingName name, int& picked,
                        std::span<const char* const> choices) {
    begin_field(name);
    return widgets::choice_field(context, name.label, picked, choices);
}

}  // namespace headlight
