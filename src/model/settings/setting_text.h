// Settings as people read them, and their ranges, which all front ends observe.
#pragma once

#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/document.h"
#include "model/settings/settings.h"

namespace headlight {

/// Writes "4", "0.2" in the fewest digits, "on", "8, 4, 4".
std::string setting_text(int value);
std::string setting_text(float value);
std::string setting_text(Switch value);
std::string setting_text(const Widths& value);

/// Writes widths as a list, or "d_model / heads" if they follow from these.
std::string spoken(const Widths& value, WidthRange range);

/// Returns a word of a table without its underscores: "scaled dot".
std::string spoken(std::string_view word);

/// Returns a label inside a sentence: "Heads" → "heads", but "MLP" as it is.
std::string within_sentence(std::string label);

/// Returns the name of a change: "Set heads to 4", "Set causal on".
std::string change_name(const Field& field, const std::string& value);
std::string change_name(const Field& field, Switch value);

/// Reads "8", or a list: "8, 4, 4". Returns nothing if it is neither, or out of the range.
std::optional<Widths> parse_widths(std::string_view text, WidthRange range);

/// True if the number is in its range.
template <typename Number>
bool is_within(Number value, Range<Number> range) {
    return value >= range.low && value <= range.high;
}
/// True if the width, or each one of a list, is in the range; in a list it is at least 1.
bool is_within(const Widths& value, WidthRange range);

/// "1 to 16"
template <typename Number>
std::string range_text(Range<Number> range) {
    return fmt::format("{} to {}", setting_text(range.low), setting_text(range.high));
}

/// Sets "layer.attention.score" to "cosine", "seed" to "3". Throws Error if the study has no such
/// setting, naming a near one, or if it cannot be that.
void set_named_setting(Document& document, std::string_view path, std::string_view value);

/// Returns the value of a setting as text: "cosine". Throws Error if there is none.
std::string named_setting(const Document& document, std::string_view path);

/// Returns the paths of all settings that the study has.
std::vector<std::string> setting_paths(const Document& document);

/// A setting that is one of a few words.
struct ChoiceSetting {
    std::string label;                    // "Positions"
    std::vector<std::string_view> words;  // "none", "sinusoidal" …; of a switch "on" and "off"
};

/// Returns nothing if the study has no such setting, or it is a number.
std::optional<ChoiceSetting> find_choice_setting(const Document& document, std::string_view path);

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
