// Files that are something else than their name says.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// "; this is a zip archive", to end a message with; "" if the first bytes say nothing.
std::string recognised_as(std::string_view bytes);

}  // namespace headlight
