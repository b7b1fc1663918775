// How large a picture from outside may be.
#pragma once

#include <cstdint>
#include <string>

namespace headlight {

/// Throws Error, with `source`, if a side is 0 or the picture is larger than the limits.
void check_picture_size(std::uint64_t width, std::uint64_t height, const std::string& source);

}  // namespace headlight
