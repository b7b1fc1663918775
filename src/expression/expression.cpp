// The names of the values of expressions, and the texts in which they are written.
#include "expression/expression.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <utility>

#include "core/error.h"
#include "paint/number_format.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr Eigen::Index kMostShown = 12;  // numbers of a row
constexpr Eigen::Index kMostRows = 8;    // rows of a matrix

struct Format {
    int decimals = -1;  // −1: as the program writes numbers
    bool is_percent = false;
};

std::optional<Format> find_format(std::string_view text) {
    Format format;
    if (text.ends_with('%')) {
        format = {0, true};
        text.remove_suffix(1);
    }
    if (text.empty()) return format;
    if (text.size() > 1 || text[0] < '0' || text[0] > '9') return std::nullopt;
    format.decimals = text[0] - '0';
    return format;
}

/// Writes a number with exactly that many decimals; one that rounds to zero has no sign.
std::string fixed_text(double number, int decimals) {
    if (!std::isfinite(number)) return format_value(static_cast<Scalar>(number));
    char buffer[400];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, std::abs(number),
                                   std::chars_format::fixed, decimals);
    const std::string digits(buffer, end.ptr);
    const bool is_zero = digits.find_first_not_of("0.") == std::string::npos;
    return (number < 0 && !is_zero ? "\u2212" : "") + digits;
}

/// A whole number, such as a count or a setting, has no decimals.
std::string plain_text(double number) {
    const bool is_count = number == std::floor(number) && std::abs(number) < 1e6;
    return is_count ? fixed_text(number, 0) : format_value(static_cast<Scalar>(number));
}

std::string number_text(double number, const Format& format) {
    if (format.is_percent) return fixed_text(100 * number, format.decimals) + " %";
    if (format.decimals < 0) return plain_text(number);
    return fixed_text(number, format.decimals);
}

std::string cell_text(const Value& value, Eigen::Index i, Eigen::Index j, const Format& format) {
    const double number = value.numbers(i, j);
    if (value.of == Value::Of::Truths) return number != 0 ? "true" : "false";
    return number_text(number, format);
}

std::string row_text(const Value& value, Eigen::Index i, const Format& format) {
    const Eigen::Index size = value.numbers.cols();
    std::string text = "[";
    for (Eigen::Index j = 0; j < std::min(size, kMostShown); ++j)
        text += (j > 0 ? ", " : "") + cell_text(value, i, j, format);
    return text + (size > kMostShown ? ", …]" : "]");
}

}  // namespace

Value number_value(double number) {
    Value value;
    value.numbers(0, 0) = number;
    return value;
}

Value truth_value(bool truth) {
    Value value = number_value(truth ? 1 : 0);
    value.of = Value::Of::Truths;
    return value;
}

Value text_value(std::string text, int occurrence) {
    Value value;
    value.of = Value::Of::Text;
    value.text = std::move(text);
    value.occurrence = occurrence;
    return value;
}

Value name_in_row(const Value& row, Eigen::Index k) {
    if (row.column_names.empty()) return text_value(std::to_string(k));
    const auto end = row.column_names.begin() + k + 1;
    const std::string& name = *(end - 1);
    return text_value(name, static_cast<int>(std::count(row.column_names.begin(), end, name)));
}

Value transposed(Value matrix) {
    matrix.numbers.transposeInPlace();
    std::swap(matrix.row_names, matrix.column_names);
    return matrix;
}

std::string kind_text(const Value& value) {
    if (value.is_text()) return "a text";
    const bool are_truths = value.of == Value::Of::Truths;
    const std::string what = are_truths ? "condition" : "number";
    if (value.shape == Value::Shape::Single) return "a " + what;
    if (value.shape == Value::Shape::Row) return "a row of " + counted(value.numbers.cols(), what);
    return fmt::format("a matrix of {} × {}", value.numbers.rows(),
                       counted(value.numbers.cols(), what));
}

bool are_equal(double a, double b) {
    constexpr double kRounding = 1e-6;
    if (a == b) return true;
    if (!std::isfinite(a) || !std::isfinite(b)) return false;
    return std::abs(a - b) <= kRounding * std::max(std::abs(a), std::abs(b));
}

bool are_within(double a, double b, double tolerance) {
    constexpr double kRoundings = 4 * double{std::numeric_limits<float>::epsilon()};
    if (a == b) return true;
    if (!std::isfinite(a) || !std::isfinite(b)) return false;
    const double slack = kRoundings * std::max({std::abs(a), std::abs(b), tolerance});
    return std::abs(a - b) <= tolerance + slack;
}

bool are_same_name(const Value& a, const Value& b) {
    const auto is_numbered = [](const Value& name, const Value& text) {
        return name.occurrence > 0 && text.text == fmt::format("{}#{}", name.text, name.occurrence);
    };
    return a.text == b.text || is_numbered(a, b) || is_numbered(b, a);
}

void check_format(std::string_view format, const ErrorPlace& where) {
    if (!find_format(format))
        throw Error(
            where,
            "there is no format {}; a format is a number of decimals, 0 to 9, or %, or both: 1%",
            in_quotes(format));
}

std::string value_text(const Value& value, std::string_view format, const ErrorPlace& where) {
    check_format(format, where);
    const Format how = *find_format(format);
    if (value.is_text()) return value.text;
    if (value.shape == Value::Shape::Single) return cell_text(value, 0, 0, how);
    if (value.shape == Value::Shape::Row) return row_text(value, 0, how);
    std::string text = "[";
    for (Eigen::Index i = 0; i < std::min(value.numbers.rows(), kMostRows); ++i)
        text += (i > 0 ? ", " : "") + row_text(value, i, how);
    return text + (value.numbers.rows() > kMostRows ? ", …]" : "]");
}

}  // namespace headlight
