// A picture of pixels.
#pragma once

#include <cstdint>
#include <vector>

namespace headlight {

/// RGBA, 8 bits each, rows from the top, alpha not multiplied in.
struct Pixels {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;  // 4 · width · height

    const std::uint8_t* at(int x, int y) const {
        return rgba.data() + 4 * (static_cast<std::size_t>(y) * width + x);
    }
};

}  // namespace headlight
