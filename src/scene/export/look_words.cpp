#include "scene/export/look_words.h"

#include <charconv>

#include "io/text/json_text.h"

namespace headlight {
namespace {

/// What a length may be written in, and how many of the unit that is kept one of it is.
struct LengthWord {
    std::string_view word;
    FigureLength::Unit unit;
    float times = 1;
};
constexpr LengthWord kLengthWords[] = {{"mm", FigureLength::Unit::Millimetres},
                                       {"cm", FigureLength::Unit::Millimetres, 10},
                                       {"in", FigureLength::Unit::Millimetres, 25.4f},
                                       {"px", FigureLength::Unit::Pixels},
                                       {"pt", FigureLength::Unit::Points}};

struct LengthLimits {
    float least, most;
};

std::optional<FigureLength> length_from(std::string_view text, LengthLimits millimetres,
                                        LengthLimits pixels, LengthLimits points) {
    using Unit = FigureLength::Unit;
    for (const auto& [word, unit, times] : kLengthWords) {
        if (!text.ends_with(word)) continue;
        const LengthLimits& limits = unit == Unit::Millimetres ? millimetres
                                     : unit == Unit::Pixels    ? pixels
                                                               : points;
        text.remove_suffix(word.size());
        float value = 0;
        const char* end = text.data() + text.size();
        const auto [rest, failure] = std::from_chars(text.data(), end, value);
        const bool is_number = failure == std::errc() && rest == end;
        value *= times;
        if (!is_number || !(value >= limits.least && value <= limits.most)) return std::nullopt;
        return FigureLength{unit, value};
    }
    return std::nullopt;
}

}  // namespace

ThemeName theme_name(const Theme& theme) {
    for (const auto& [word, name] : kThemeWords)
        if (&theme_named(name) == &theme) return name;
    return ThemeName::Light;
}

std::string length_text(const FigureLength& length) {
    std::string number = number_text(length.value);
    if (number.ends_with(".0")) number.resize(number.size() - 2);
    return number + std::string(word_for(kUnitWords, length.unit));
}

std::optional<FigureLength> width_from(std::string_view text) {
    return length_from(text, {5, 5000}, {16, 32767}, {16, 14400});
}

std::optional<FigureLength> type_from(std::string_view text) {
    return length_from(text, {1, 100}, {4, 1000}, {3, 300});
}

}  // namespace headlight
