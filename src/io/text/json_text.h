// Numbers, texts and paths as JSON writes them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"

namespace headlight {

/// Writes the fewest digits from which the very same number is read again: "0.1", "-0.0", "1e+20";
/// "-inf", "inf" and "nan" where there are no digits. The text is the same in every locale.
std::string number_text(float number);
std::string number_text(double number);

/// Writes a number as a JSON value; one that is not finite becomes a text, "\"-inf\"".
std::string json_number(Scalar number);

/// Writes a text between quotes, escaped; bytes that are not UTF-8 become �.
std::string json_string(std::string_view text);

/// Writes texts as a JSON list.
std::string json_list(const std::vector<std::string>& texts);

/// Writes a text that any path can be read from again: the path itself if it is valid UTF-8; else
/// "file:" and the path, in which bytes that are not ASCII letters are % and two digits. [RFC 8089]
std::string stored_path(const std::filesystem::path& path);

std::filesystem::path path_from_stored(const std::string& text);

/// Writes one row of a matrix: "[0.5, -1.25]".
std::string json_row(const Matrix& matrix, Index row);

}  // namespace headlight
