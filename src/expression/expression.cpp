// The values of expressions: their names, the texts in which they are written, and arithmetic.
#include "expression/expression.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/matrix.h"
#include "expression/expression_node.h"
#include "expression/item_names.h"
#include "figure/number_format.h"
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

std::string cell_text(const Value& value, Eigen::Index i, Eigen::Index j, const Format& format) {
    const double number = value.numbers(i, j);
    if (value.of == Value::Of::Truths) return number != 0 ? "true" : "false";
    if (format.is_percent) return fixed_text(100 * number, format.decimals) + " %";
    if (format.decimals >= 0) return fixed_text(number, format.decimals);
    // A whole number, such as a count or a setting, has no decimals.
    const bool is_whole = number == std::floor(number) && std::abs(number) < 1e6;
    return is_whole ? fixed_text(number, 0) : format_value(static_cast<Scalar>(number));
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

namespace {

using Shape = Value::Shape;
using Eigen::Index;

constexpr Index kMostProductSteps = Index(1) << 30;
constexpr Index kMostProductCells = Index(1) << 22;

/// Makes the result with the shape and the names of the wider value.
Value frame(const Value& a, const Value& b, const ExpressionPlace& place) {
    const Value &wide = b.shape > a.shape ? b : a, &narrow = b.shape > a.shape ? a : b;
    const bool has_its_columns = narrow.numbers.cols() == wide.numbers.cols();
    const bool has_its_rows =
        narrow.shape == Shape::Row || narrow.numbers.rows() == wide.numbers.rows();
    if (narrow.shape != Shape::Single && !(has_its_columns && has_its_rows))
        place.fail("the sizes do not fit: {} and {}", kind_text(a), kind_text(b));
    Value value = wide;
    value.of = Value::Of::Numbers;
    return value;
}

/// Applies f to each number of `a` and the number of `b` that belongs to it.
template <class F>
Value each(const Value& a, const Value& b, const ExpressionPlace& place, const F& f) {
    Value value = frame(a, b, place);
    const auto at = [](const Value& v, Index i, Index j) {
        if (v.shape == Shape::Single) return v.numbers(0, 0);
        return v.numbers(v.shape == Shape::Row ? 0 : i, j);
    };
    for (Index i = 0; i < value.numbers.rows(); ++i)
        for (Index j = 0; j < value.numbers.cols(); ++j)
            value.numbers(i, j) = f(at(a, i, j), at(b, i, j));
    return value;
}

template <class F>
Value truths(const Value& a, const Value& b, const ExpressionPlace& place, const F& f) {
    Value value = each(a, b, place, [&](double x, double y) { return f(x, y) ? 1.0 : 0.0; });
    value.of = Value::Of::Truths;
    return value;
}

/// Takes a number beside a text as the text that is written so: a node called 33.
Value as_name(const Value& value) {
    if (!value.is_number() || value.number() != std::floor(value.number())) return value;
    return text_value(
        std::to_string(static_cast<long long>(std::clamp(value.number(), -1e15, 1e15))));
}

Value compared_texts(bool asks_equal, const Value& a, const Value& b,
                     const ExpressionPlace& place) {
    const Value left = as_name(a), right = as_name(b);
    if (!left.is_text() || !right.is_text())
        place.fail("{} is compared with {}", kind_text(a), kind_text(b));
    return truth_value(are_same_name(left, right) == asks_equal);
}

std::optional<Index> find_name(const Names& names, const std::string& name) {
    std::size_t found = 0;
    const NumberedItem numbered = split_numbered(name);
    for (std::size_t k = 0; k < names.size(); ++k)
        if (names[k] == name || (names[k] == numbered.name && ++found == numbered.occurrence))
            return static_cast<Index>(k);
    return std::nullopt;
}

}  // namespace

void check_numbers(const Value& value, const ExpressionPlace& place) {
    if (value.of != Value::Of::Numbers)
        place.fail("numbers are needed; {} is given", kind_text(value));
}

void check_truths(const Value& value, const ExpressionPlace& place) {
    if (value.of != Value::Of::Truths)
        place.fail("a condition is needed; {} is given", kind_text(value));
}

void check_is_number(const Value& value, const ExpressionPlace& place) {
    if (value.numbers.array().isNaN().any())
        place.fail("the result is not a number (NaN), as of ∞ − ∞, 0 · ∞ or √−1");
}

Value arithmetic(std::string_view sign, const Value& a, const Value& b,
                 const ExpressionPlace& place) {
    check_numbers(a, place);
    check_numbers(b, place);
    if (sign == "+") return each(a, b, place, std::plus<>());
    if (sign == "-") return each(a, b, place, std::minus<>());
    if (sign == "*") return each(a, b, place, std::multiplies<>());
    if (sign == "^") return each(a, b, place, [](double x, double y) { return std::pow(x, y); });
    return each(a, b, place, [&](double x, double y) {
        if (y == 0) place.fail("a division by zero");
        return x / y;
    });
}

Value comparison(std::string_view sign, const Value& a, const Value& b,
                 const ExpressionPlace& place) {
    const bool asks_equal = sign == "=";
    if (asks_equal || sign == "!=") {
        if (a.is_text() || b.is_text()) return compared_texts(asks_equal, a, b, place);
        if (a.of != b.of) place.fail("{} is compared with {}", kind_text(a), kind_text(b));
        return truths(a, b, place,
                      [&](double x, double y) { return are_equal(x, y) == asks_equal; });
    }
    check_numbers(a, place);
    check_numbers(b, place);
    const bool holds_if_equal = sign.size() == 2, is_less = sign[0] == '<';
    return truths(a, b, place, [&](double x, double y) {
        return are_equal(x, y) ? holds_if_equal : is_less == (x < y);
    });
}

bool each_pair_holds(const Value& a, const Value& b, const ExpressionPlace& place,
                     const std::function<bool(double, double)>& holds) {
    return (truths(a, b, place, holds).numbers.array() != 0).all();
}

Value connected(std::string_view word, const Value& a, const Value& b,
                const ExpressionPlace& place) {
    check_truths(a, place);
    check_truths(b, place);
    if (word == "and")
        return truths(a, b, place, [](double x, double y) { return x != 0 && y != 0; });
    return truths(a, b, place, [](double x, double y) { return x != 0 || y != 0; });
}

Value matrix_product(const Value& a, const Value& b, const ExpressionPlace& place) {
    check_numbers(a, place);
    check_numbers(b, place);
    if (a.shape == Shape::Single || b.shape == Shape::Single)
        place.fail("@ multiplies rows and matrices; a number goes with *");
    // A row on the right is a column.
    const NumberMatrix right =
        b.shape == Shape::Row ? NumberMatrix(b.numbers.transpose()) : b.numbers;
    if (a.numbers.cols() != right.rows())
        place.fail("the sizes do not fit: {} times {}",
                   shape_text(a.numbers.rows(), a.numbers.cols()),
                   shape_text(right.rows(), right.cols()));
    const Index cells = a.numbers.rows() * right.cols();
    if (cells > kMostProductCells || cells * right.rows() > kMostProductSteps)
        place.fail("the product is too large for an expression");
    Value value;
    value.numbers = a.numbers * right;
    const bool has_rows = a.shape == Shape::Matrix, has_columns = b.shape == Shape::Matrix;
    value.shape = has_rows && has_columns   ? Shape::Matrix
                  : has_rows || has_columns ? Shape::Row
                                            : Shape::Single;
    if (has_columns) value.column_names = b.column_names;
    if (has_rows && has_columns) value.row_names = a.row_names;
    if (has_rows && !has_columns) {
        value.numbers.transposeInPlace();
        value.column_names = a.row_names;
    }
    return value;
}

Index place_in_row(const Value& row, const std::string& name, NumberIs number_is,
                   const ExpressionPlace& place) {
    const Names& names = row.column_names;
    const Index size = row.numbers.cols();
    const auto named = find_name(names, name);
    if (named && number_is == NumberIs::Name) return *named;
    Index index = 0;
    const char* end = name.data() + name.size();
    const auto [rest, failure] = std::from_chars(name.data(), end, index);
    if (failure == std::errc() && rest == end && index >= 0 && index < size) return index;
    if (named) return *named;
    const std::vector<std::string_view> known(names.begin(), names.end());
    place.fail("nothing in the row is called {}; it can be 0 to {}{}{}", in_quotes(name), size - 1,
               names.empty() ? "" : ", or a name", suggestion(name, known));
}

}  // namespace headlight
