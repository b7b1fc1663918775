#include "ui/look_words.h"

#include <charconv>

#include "io/json_text.h"

namespace headlight {

ThemeName name_of(const Theme& theme) {
    for (const auto& [word, name] : kThemeWords)
        if (&theme_named(name) == &theme) return name;
    return ThemeName::Light;
}

std::string width_text(const FigureWidth& width) {
    std::string number = number_text(width.value);
    if (number.ends_with(".0")) number.resize(number.size() - 2);
    return number + std::string(word_for(kUnitWords, width.unit));
}

std::optional<FigureWidth> width_from(std::string_view text) {
    using Unit = FigureWidth::Unit;
    struct Limits {
        float least, most;
    };
    for (const auto& [word, unit] : kUnitWords) {
        if (!text.ends_with(word)) continue;
        const Limits limits = unit == Unit::Millimetres ? Limits{5, 5000}
                              : unit == Unit::Pixels    ? Limits{16, 32767}
                                                        : Limits{16, 14400};
        text.remove_suffix(word.size());
        float value = 0;
        const char* end = text.data() + text.size();
        const auto [rest, failure] = std::from_chars(text.data(), end, value);
        const bool is_number = failure == std::errc() && rest == end;
        if (!is_number || !(value >= limits.least && value <= limits.most)) return std::nullopt;
        return FigureWidth{unit, value};
    }
    return std::nullopt;
}

}  // namespace headlight
