// Every file must include the standard headers of the names that it uses, directly or through
// headers of the project. Indirect includes of one standard library may be missing in the next.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "style/style_rules.h"

namespace headlight::style {

/// `texts` by path from the root of the repository, such as "src/core/trace.h". Headers of the
/// project are looked up among them. One finding for each header that a file lacks.
std::vector<Finding> check_standard_headers(const std::map<std::string, std::string>& texts);

}  // namespace headlight::style
