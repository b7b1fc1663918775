// Reads C++ just well enough to judge its style: comments, literals and where functions begin.
//
// Goals: right for this code base, whose layout clang-format fixes.
// Not goals: parsing C++. A #if whose branches open different braces would be misread.
#pragma once

#include <string>
#include <vector>

namespace headlight::style {

/// The same text with comments turned into blanks; every line keeps its number.
std::string without_comments(const std::string& text);

/// Also without string literals and preprocessor lines: only code is left.
std::string code_only(const std::string& text);

std::vector<std::string> split_lines(const std::string& text);

struct Function {
    std::string name;
    int line = 0;    // of the brace that opens the body, counted from 1
    int length = 0;  // lines from that brace to the one that closes it, both included
};

/// Every function with a body that is not inside another one; a lambda counts as part of the
/// function around it.
std::vector<Function> functions_in(const std::string& text);

}  // namespace headlight::style
