// Tables of commands: CSV.
#pragma once

#include <string>

namespace headlight {

/// In quotes where a comma, a quote or a line end would be read as more than text.
std::string csv_cell(const std::string& text);

/// Throws Error if the extension of a file that becomes CSV says something else. `others`: which
/// other extensions the command takes, ", .png".
void check_is_csv_name(const std::string& file, const std::string& others = "");

}  // namespace headlight
