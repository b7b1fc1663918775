// Which header of the standard library defines a name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight::style {

/// The headers that define std::NAME. Any one of them suffices; the usual one comes first. Empty if
/// any header will do; null if the table does not have the name.
const std::vector<std::string>* find_headers(std::string_view name);

}  // namespace headlight::style
