// Value: what an expression gives: a number, a row, a matrix, a condition or a text.
//
// Goals: rows and columns keep the names of their words; arithmetic is in double.
// Not goals: expressions (expression.h).
#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace headlight {

using NumberMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Names = std::vector<std::string>;

struct Value {
    enum class Shape { Single, Row, Matrix };
    enum class Of { Numbers, Truths, Text };

    Shape shape = Shape::Single;
    Of of = Of::Numbers;
    NumberMatrix numbers = NumberMatrix::Zero(1, 1);  // a row is 1 × n; truths are 0 and 1
    Names row_names = {}, column_names = {};          // a row has column names; empty: none
    std::string text = {};                            // a text is always Single
    int occurrence = 0;  // of a name in its row, from 1: "it" is its second "it"; 0: of no row

    bool is_text() const { return of == Of::Text; }
    bool is_number() const { return shape == Shape::Single && of == Of::Numbers; }
    bool is_truth() const { return shape == Shape::Single && of == Of::Truths; }
    double number() const { return numbers(0, 0); }
};

Value number_value(double number);
Value truth_value(bool truth);
Value text_value(std::string text, int occurrence = 0);
/// The k-th name of a row; its number where it has no names.
Value name_in_row(const Value& row, Eigen::Index k);

/// Rows as columns, with their names.
Value transposed(Value matrix);

/// "a number", "a row of 11 numbers", "a matrix of 11 × 11 conditions", "a text"
std::string kind_text(const Value& value);

/// Equal but for the rounding of single precision: within 10⁻⁶ of the larger magnitude. −∞ is equal
/// to −∞.
bool are_equal(double a, double b);
/// True if the two differ by at most `tolerance`, but for the rounding of single precision.
bool are_within(double a, double b, double tolerance);
/// The same word; "it#2" is also the second "it" of a row.
bool are_same_name(const Value& a, const Value& b);

/// The value in words and digits. `format` is "" (about three digits, as everywhere in the
/// program), the number of decimals ("3"), "%" or "1%" (per cent, with that many decimals). A long
/// row ends with "…". Throws Error naming `where` if there is no such format.
std::string value_text(const Value& value, std::string_view format, const ErrorPlace& where);
/// Throws the same error.
void check_format(std::string_view format, const ErrorPlace& where);

}  // namespace headlight
