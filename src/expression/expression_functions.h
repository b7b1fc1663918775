// The functions that expressions can call, and arithmetic on their values.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "expression/expression.h"
#include "expression/expression_node.h"

namespace headlight {

/// The arguments and the place of a call of a function.
struct FunctionCall {
    std::span<const Value> arguments;
    ExpressionPlace place;
};

struct ExpressionFunction {
    FunctionWords words;
    int least, most;    // arguments
    int name_argument;  // the one that may be a word without quotes; −1: none
    Value (*call)(const FunctionCall&);
};

/// Returns the function of that name. Throws Error with a near name.
const ExpressionFunction& function_named(std::string_view name, const ExpressionPlace& place);

/// Each throws Error if shapes or kinds do not fit; a number or a row goes with every row of a
/// matrix.
Value arithmetic(std::string_view sign, const Value& a, const Value& b,
                 const ExpressionPlace& place);  // + - * / ^
Value comparison(std::string_view sign, const Value& a, const Value& b,
                 const ExpressionPlace& place);
/// True if it holds for each number of one and the number of the other that belongs to it.
bool each_pair_holds(const Value& a, const Value& b, const ExpressionPlace& place,
                     const std::function<bool(double, double)>& holds);
Value connected(std::string_view word, const Value& a, const Value& b,
                const ExpressionPlace& place);  // and, or
Value matrix_product(const Value& a, const Value& b, const ExpressionPlace& place);

/// Throws Error if a value is of another kind.
void check_numbers(const Value& value, const ExpressionPlace& place);
void check_truths(const Value& value, const ExpressionPlace& place);
/// Throws Error if a number is NaN.
void check_is_number(const Value& value, const ExpressionPlace& place);

/// A whole number is first taken for this, then for the other.
enum class NumberIs { Index, Name };
/// Returns the place of that name, or whole number, in the row. Throws Error with near names.
Eigen::Index place_in_row(const Value& row, const std::string& name, NumberIs number_is,
                          const ExpressionPlace& place);

}  // namespace headlight
