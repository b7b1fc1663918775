// Room for libraries that end the process where they get no memory.
#pragma once

#include <cstddef>

namespace headlight {

/// Throws Error, saying what it is for, unless the process may take so many bytes more. Some
/// libraries are stopped by a signal where memory ends: they are begun only with room for them.
void need_address_space(std::size_t bytes, const char* for_what);

}  // namespace headlight
