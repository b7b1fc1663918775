// Pixels as a PNG file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headlight {

/// The bytes of a PNG. rgba: 4 · width · height bytes, rows from the top, alpha not multiplied in.
/// Throws Error if the sizes are not positive or do not fit the bytes.
std::string encode_png(int width, int height, const std::vector<std::uint8_t>& rgba);

struct DecodedPng {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
};

/// Of a picture without transparency that encode_png wrote. Throws Error if it is none.
DecodedPng decode_png(const std::string& bytes);

}  // namespace headlight
