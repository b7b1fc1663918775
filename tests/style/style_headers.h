// The rules of headers. Every file must include the standard headers of the names that it uses,
// directly or through headers of the project: indirect includes of one standard library may be
// missing in the next. A header that serves one source is a part of that source.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "style/style_rules.h"

namespace headlight::style {

/// `texts` by path from the root of the repository, such as "src/core/trace.h". Headers of the
/// project are looked up among them. One finding for each header that a file lacks.
std::vector<Finding> check_standard_headers(const std::map<std::string, std::string>& texts);

/// One finding for each header of src that only one source includes, beside its own source, if the
/// three would fit into one file.
std::vector<Finding> check_single_includers(const std::map<std::string, std::string>& texts);

}  // namespace headlight::style
