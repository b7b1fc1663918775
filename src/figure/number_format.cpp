// Numbers as short text, and the round numbers of a legend.
#include "figure/number_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "core/numeric/read_digits.h"
#include "text/strings.h"

namespace headlight {
namespace {

std::string minus_if_negative(double value) {
    return value < 0 ? "\u2212" : "";
}

std::string fixed(double magnitude, int decimals) {
    char buffer[400];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, magnitude,
                                   std::chars_format::fixed, decimals);
    return {buffer, end.ptr};
}

std::string without_trailing_zeros(std::string text) {
    if (text.find('.') == std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string with_exponent(double magnitude, int decimals) {
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, magnitude,
                                   std::chars_format::scientific, decimals);
    const std::string text(buffer, end.ptr);
    const auto e = text.find('e');
    const int exponent = std::stoi(text.substr(e + 1));
    return fmt::format("{}e{}{}", without_trailing_zeros(text.substr(0, e)),
                       minus_if_negative(exponent), std::abs(exponent));
}

std::string format_magnitude(double magnitude, int digits) {
    if (magnitude < 0.5 * std::pow(10.0, -digits) || magnitude >= std::pow(10.0, digits + 2))
        return with_exponent(magnitude, std::max(0, digits - 2));
    const int before_point =
        magnitude < 1 ? 0 : static_cast<int>(std::floor(std::log10(magnitude))) + 1;
    const int decimals = std::max(0, digits - before_point);
    const std::string text = fixed(magnitude, decimals);
    double rounded = 0;
    read_digits(text.data(), text.data() + text.size(), rounded);
    // 0.9996 is written as 1 is, 9.999 as 10 is.
    return rounded < std::pow(10.0, before_point) ? text
                                                  : fixed(rounded, std::max(0, decimals - 1));
}

int decimals_for(double spacing) {
    if (!(spacing > 0)) return 3;
    for (int decimals = 0; decimals < 9; ++decimals) {
        const double scaled = spacing * std::pow(10.0, decimals);
        if (std::abs(scaled - std::round(scaled)) < 1e-3 * scaled) return decimals;
    }
    return 9;
}

double tick_step(double span, int count) {
    const double raw = span / std::max(1, count - 1);
    const double decade = std::pow(10.0, std::floor(std::log10(raw)));
    for (double step : {1.0, 2.0, 2.5, 5.0})
        if (step * decade >= raw * (1 - 1e-9)) return step * decade;
    return 10 * decade;
}

}  // namespace

std::string format_value(Scalar value, int digits) {
    if (std::isnan(value)) return "NaN";
    const std::string sign = minus_if_negative(value);
    if (std::isinf(value)) return sign + "∞";
    if (value == 0) return "0";
    return sign + format_magnitude(std::abs(static_cast<double>(value)), digits);
}

std::string format_listed(Scalar value, Scalar largest) {
    constexpr Scalar kTwoDigitsOfThree = Scalar(0.0095), kLeastFixed = Scalar(0.0005);
    const Scalar magnitude = std::abs(value);
    if (magnitude <= 1 && magnitude >= Scalar(0.9995) && largest <= 1)
        return format_fixed(value, 3);
    if (!(magnitude >= kLeastFixed && magnitude < kTwoDigitsOfThree)) return format_value(value);
    const int place = static_cast<int>(std::floor(std::log10(static_cast<double>(magnitude))));
    return minus_if_negative(value) + fixed(static_cast<double>(magnitude), 1 - place);
}

double as_read(Scalar value, int digits) {
    if (!std::isfinite(value)) return static_cast<double>(value);
    const std::string text = replaced_all(format_value(value, digits), "\u2212", "-");
    double read = 0;
    read_digits(text.data(), text.data() + text.size(), read);
    return read;
}

std::optional<int> digits_for(const std::string& result, int result_digits, int fewest,
                              const std::function<double(int digits)>& compute) {
    constexpr int kMostMore = 2;
    for (int digits = fewest; digits <= fewest + kMostMore; ++digits)
        if (format_value(static_cast<Scalar>(compute(digits)), result_digits) == result)
            return digits;
    return std::nullopt;
}

std::string format_cell(Scalar value, int decimals) {
    return std::abs(value) >= 10 ? format_value(value, decimals + 1)
                                 : format_fixed(value, decimals);
}

std::string format_fixed(Scalar value, int decimals) {
    if (value == 0 || !std::isfinite(value)) return format_value(value);
    const std::string text = fixed(std::abs(static_cast<double>(value)), decimals);
    const bool is_zero = text.find_first_not_of("0.") == std::string::npos;
    return (is_zero ? "" : minus_if_negative(value)) + text;
}

std::string format_short_cell(Scalar value) {
    const double magnitude = std::abs(static_cast<double>(value));
    const bool is_below_one = magnitude < 0.995;
    std::string text = format_cell(value, is_below_one ? 2 : 1);
    if (const auto at = text.find("0."); is_below_one && at != std::string::npos) text.erase(at, 1);
    return text;
}

std::string format_count(Index count) {
    std::string text = std::to_string(count);
    for (int place = static_cast<int>(text.size()) - 3; place > 0; place -= 3)
        text.insert(place, 1, ',');
    return text;
}

std::vector<Scalar> ticks(Scalar low, Scalar high, int count) {
    const double span = static_cast<double>(high) - low;
    if (!std::isfinite(span) || !(span > 0)) return {low};
    const double step = tick_step(span, count);
    std::vector<Scalar> values;
    const double slack = 1e-6 * step;
    for (double k = std::ceil((low - slack) / step); k * step <= high + slack; ++k)
        values.push_back(std::clamp(static_cast<Scalar>(k * step), low, high));
    return values.empty() ? std::vector<Scalar>{low} : values;
}

std::string format_tick(Scalar tick, const std::vector<Scalar>& all) {
    if (tick == 0) return "0";
    const double magnitude = std::abs(static_cast<double>(tick));
    const double spacing = all.size() > 1 ? static_cast<double>(all[1]) - all[0] : magnitude;
    const int decimals = decimals_for(spacing);
    if (decimals > 4 || magnitude >= 1e5) return format_value(tick, 3);
    return minus_if_negative(tick) + fixed(magnitude, decimals);
}

}  // namespace headlight
