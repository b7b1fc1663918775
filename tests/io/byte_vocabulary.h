// The vocabulary of a byte-level tokenizer, for tests: a letter for each byte.
#pragma once

#include <string>

namespace headlight::test {

/// A vocab.json of the letters of all bytes but one (−1: of all), with ids from 0 on, and `more`
/// members after them. A byte that is not printable has a letter from U+0100 on, as in GPT-2.
inline std::string byte_vocabulary(int without, const std::string& more) {
    std::string json = "{";
    int id = 0;
    char32_t other = 0x100;
    for (int byte = 0; byte < 256; ++byte) {
        const bool is_itself = (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
        const char32_t letter = is_itself ? static_cast<char32_t>(byte) : other++;
        if (byte == without) continue;
        std::string text;
        if (letter >= 0x80) text += static_cast<char>(0xC0 | letter >> 6);
        text += static_cast<char>(letter >= 0x80 ? 0x80 | (letter & 0x3F) : letter);
        if (text == "\"" || text == "\\") text.insert(0, "\\");
        json += "\"" + text + "\": " + std::to_string(id++) + ", ";
    }
    return json + more + "}";
}

}  // namespace headlight::test
