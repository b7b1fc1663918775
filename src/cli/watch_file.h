// Waiting for a file to change.
#pragma once

#include <functional>
#include <string>

namespace headlight {

/// Calls `use` now, and whenever the file has other bytes than before, until SIGINT or SIGTERM; a
/// file that is replaced, or away for a while, is the same one. Sleeps in between. Make no other
/// thread before. Throws Error if its folder cannot be watched.
void watch_file(const std::string& file, const std::function<void()>& use);

}  // namespace headlight
