// Large pages: for large matrices, whose columns lie in more small pages than a processor knows.
#pragma once

#include <cstddef>

namespace headlight {

/// Asks the system for large pages. Memory that was just allocated is also filled faster then. Does
/// nothing for small memory, and where the system has no such pages.
void prefer_large_pages(void* memory, std::size_t bytes);

}  // namespace headlight
