// Every setting of a study as something that can be found by its name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/document.h"

namespace headlight {

struct SettingEntry {
    std::string name;  // "Heads", "Causal: on"
    std::string what;  // "4 now; attention heads in each layer."
    std::string section, label;
    std::optional<Study> changed;  // with this choice taken; a number is typed into its field
    std::string change;            // "Set causal on"
};

/// The settings that have an effect, in the order of the form. A choice has an entry for each value
/// that is not taken.
std::vector<SettingEntry> setting_entries(const Study& study);

}  // namespace headlight
