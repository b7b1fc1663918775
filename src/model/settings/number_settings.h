// The numbers among the settings of a document, each with a path, for sliders and animations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/document.h"

namespace headlight {

struct NumberSetting {
    std::string path;   // "layer.attention.temperature": the keys of the study format; or "seed"
    std::string label;  // "Temperature"
    double value = 0, low = 0, high = 0;
    bool is_whole = false;
};

/// Returns the number settings that have an effect with the other settings as they are. A width is
/// one if all heads have the same.
std::vector<NumberSetting> number_settings(const Document& document);
std::optional<NumberSetting> find_number_setting(const Document& document, const std::string& path);

/// Sets the nearest value in its range. Throws Error if there is no such setting.
void set_number_setting(Document& document, const std::string& path, double value);

}  // namespace headlight
