// The tree of an expression, as the parser makes it and the evaluation walks it, the functions that
// it can call, and arithmetic on their values.
#pragma once

#include <fmt/format.h>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "expression/expression.h"

namespace headlight {

struct ExpressionNode {
    enum class Kind {
        Number,
        Truth,     // number: 0, 1
        Text,      // in quotes
        Name,      // of a tensor, a setting, or a word
        List,      // children: its numbers
        Index,     // children: what is indexed, then one or two indices
        All,       // an index *
        Computed,  // an index in parentheses; its child
        Call,      // text: the function; children: its arguments
        Minus,
        Not,
        Binary,   // text: + - * / @ ^ and or
        Compare,  // operators: one fewer than children
    };

    Kind kind = Kind::Number;
    std::size_t offset = 0;  // of its first byte, or of its operator
    std::string text = {};   // of a number: as it was written
    double number = 0;
    std::vector<ExpressionNode> children = {};
    std::vector<std::string> operators = {};
    int depth = 1;
};

/// A place in an expression, for errors: "[a.lecture] line 12: column 9 of 'pattern[it, dog]': …"
struct ExpressionPlace {
    const ErrorPlace& where;
    const std::string& text;
    std::size_t offset = 0;

    [[noreturn]] void fail(const std::string& what) const;
    /// `what` is a format of libfmt.
    template <typename First, typename... Rest>
    [[noreturn]] void fail(fmt::format_string<First, Rest...> what, First&& first,
                           Rest&&... rest) const {
        fail(fmt::format(what, std::forward<First>(first), std::forward<Rest>(rest)...));
    }
};

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
