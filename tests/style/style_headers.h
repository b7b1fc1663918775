// Every file gets the headers of the standard library whose names it says, from itself or from what
// it includes of the project. What one standard library includes by itself, the next one may not.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "style/style_rules.h"

namespace headlight::style {

/// `texts` by path from the root of the repository, such as "src/core/trace.h"; what they include
/// of the project is looked up among them. One finding for each header that a file lacks.
std::vector<Finding> check_standard_headers(const std::map<std::string, std::string>& texts);

}  // namespace headlight::style
