// The tree of an expression, as the parser makes it and the evaluation walks it.
#pragma once

#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

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

}  // namespace headlight
