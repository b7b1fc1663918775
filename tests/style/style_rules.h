// The rules of style that a program can check. Each takes the text of one file.
#pragma once

#include <string>
#include <vector>

namespace headlight::style {

inline constexpr int kLongestSource = 700, kLongestHeader = 250;  // lines

struct Finding {
    std::string file;
    int line = 0;
    std::string what;
};

/// One "file:line: what" a line.
std::string report(const std::vector<Finding>& findings);

/// The folder under src/ that a file lies in; "main" for src/main.cpp, "" outside of src/.
std::string room_of(const std::string& file);

/// `file` is a path from the root of the repository, such as "src/core/trace.h".
std::vector<Finding> check_includes(const std::string& file, const std::string& text);
std::vector<Finding> check_length(const std::string& file, const std::string& text);
/// A comment that begins with a noun clause, such as "What is held.", says nothing by itself.
std::vector<Finding> check_comments(const std::string& file, const std::string& text);
std::vector<Finding> check_functions(const std::string& file, const std::string& text);
std::vector<Finding> check_macros(const std::string& file, const std::string& text);
std::vector<Finding> check_pragma_once(const std::string& file, const std::string& text);

/// Names that only some rooms may use: ImGui::, gl…, glfw…, nlohmann, files and threads.
std::vector<Finding> check_vocabulary(const std::string& file, const std::string& text);

/// For CMake files too: nothing may assume finite arithmetic.
std::vector<Finding> check_arithmetic(const std::string& file, const std::string& text);

/// `lengths` of all functions: 90 % are at most 30 lines.
bool most_are_short(const std::vector<int>& lengths);

}  // namespace headlight::style
