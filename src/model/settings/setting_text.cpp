#include "model/settings/setting_text.h"

#include <algorithm>
#include <charconv>

namespace headlight {
std::string setting_text(int value) {
    return std::to_string(value);
}

std::string setting_text(float value) {
    char buffer[32];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string setting_text(Switch value) {
    return value == Switch::On ? "on" : "off";
}

std::string setting_text(const Widths& value) {
    std::string text;
    for (const int width : value.values) text += (text.empty() ? "" : ", ") + std::to_string(width);
    return text;
}

std::string spoken(const Widths& value) {
    return value.follow_the_model() ? "d_model / heads" : setting_text(value);
}

std::string spoken(std::string_view word) {
    std::string text(word);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string within_sentence(std::string label) {
    const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (label.size() > 1 && is_capital(label[0]) && !is_capital(label[1]))
        label[0] = static_cast<char>(label[0] - 'A' + 'a');
    return label;
}

std::string change_name(const Field& field, const std::string& value) {
    return "Set " + within_sentence(field.label) + " to " + value;
}

std::string change_name(const Field& field, Switch value) {
    return "Set " + within_sentence(field.label) + " " + setting_text(value);
}

std::optional<Widths> parse_widths(std::string_view text, Range<int> range) {
    Widths widths{{}};
    while (true) {
        const std::size_t comma = text.find(',');
        std::string_view number = text.substr(0, comma);
        while (number.starts_with(' ')) number.remove_prefix(1);
        while (number.ends_with(' ')) number.remove_suffix(1);
        const char* end = number.data() + number.size();
        int width = 0;
        const auto [rest, failure] = std::from_chars(number.data(), end, width);
        if (failure != std::errc() || rest != end) return std::nullopt;
        widths.values.push_back(width);
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    if (!is_within(widths, range)) return std::nullopt;
    return widths;
}

bool is_within(const Widths& value, Range<int> range) {
    const Range<int> one = value.is_list() ? Range{1, range.high} : range;
    return !value.values.empty() && value.values.size() <= std::size_t{kMaxHeads} &&
           std::ranges::all_of(value.values, [&](int width) { return is_within(width, one); });
}

}  // namespace headlight
