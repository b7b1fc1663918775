// The settings of a study as a form: one row each, in sections that fold.
#pragma once

#include <set>
#include <string>

#include "model/document.h"
#include "ui/widgets/widgets.h"

namespace headlight {

/// The state of a form between frames.
struct SettingsFormState {
    std::set<std::string> open = {"Stack", "Attention", "Score", "Recurrent", "Image"};
    widgets::TextEntry entry;  // a list of widths that is being typed
    std::string asked;         // the label of a number that takes the keyboard
};

/// A change of the study that the user has made.
struct SettingChange {
    std::string name;   // "Set heads to 4"; empty: there is none
    std::string field;  // "Heads"
};

/// Draws the settings of `study` that matter; a change is made in `study`.
SettingChange draw_settings(PanelContext& context, SettingsFormState& state, Study& study);

}  // namespace headlight
