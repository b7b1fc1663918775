// Tables of commands: CSV.
#pragma once

#include <string>

namespace headlight {

/// In quotes where a comma, a quote or a line end would be read as more than text.
std::string csv_cell(const std::string& text);

}  // namespace headlight
