// A setting by its path and its value as texts, whatever its kind.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/document.h"

namespace headlight {

/// Sets "layer.attention.score" to "cosine", "seed" to "3". Throws Error if the study has no such
/// setting, naming a near one, or if it cannot be that.
void set_named_setting(Document& document, std::string_view path, std::string_view value);

/// The value of a setting as text: "cosine". Throws Error if there is none.
std::string named_setting(const Document& document, std::string_view path);

/// The paths of all settings that the study has.
std::vector<std::string> setting_paths(const Document& document);

/// A setting that is one of a few words.
struct ChoiceSetting {
    std::string label;                    // "Positions"
    std::vector<std::string_view> words;  // "none", "sinusoidal" …; of a switch "on" and "off"
};

/// Nothing if the study has no such setting, or it is a number.
std::optional<ChoiceSetting> find_choice_setting(const Document& document, std::string_view path);

}  // namespace headlight
