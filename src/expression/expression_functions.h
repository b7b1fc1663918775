// The functions that expressions can call, and arithmetic on their values.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "expression/expression.h"
#include "expression/expression_node.h"

namespace headlight {

/// What a function is called with.
struct FunctionCall {
    std::span<const Value> arguments;
    ExpressionPlace place;
};

struct ExpressionFunction {
    FunctionWords words;
    int least, most;    // arguments
    int name_argument;  // which one may be a word without quotes; −1: none
    Value (*call)(const FunctionCall&);
};

/// Throws Error with a near name.
const ExpressionFunction& function_named(std::string_view name, const ExpressionPlace& place);

/// Each throws Error if shapes or kinds do not fit; a number or a row goes with every row of a
/// matrix.
Value arithmetic(std::string_view sign, const Value& a, const Value& b,
                 const ExpressionPlace& place);  // + - * / ^
Value comparison(std::string_view sign, const Value& a, const Value& b,
                 const ExpressionPlace& place);
/// Whether it holds for each number of one and that of the other which belongs to it.
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

/// What a whole number is taken for before the other is tried.
enum class NumberIs { Index, Name };
/// Where that name, or whole number, stands in the row. Throws Error with near names.
Eigen::Index place_in_row(const Value& row, const std::string& name, NumberIs number_is,
                          const ExpressionPlace& place);

}  // namespace headlight
