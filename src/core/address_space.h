// Checks for address space before libraries run that end the process where they get no memory.
#pragma once

#include <cstddef>

namespace headlight {

/// Throws Error, naming the purpose, unless the process may take so many bytes more. Some libraries
/// are stopped by a signal where memory ends, so they are started only with room for them.
void need_address_space(std::size_t bytes, const char* for_what);

}  // namespace headlight
