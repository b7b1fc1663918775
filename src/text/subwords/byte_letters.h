// The letters that byte-level BPE writes bytes with.             [GPT-2, bytes_to_unicode]
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

/// Returns the letter of each byte: bytes that Latin-1 prints stand for themselves, the other 68
/// bytes, in their order, for the letters from U+0100 on: a blank is Ġ, a line end Ċ.
const std::array<char32_t, 256>& byte_letters();

/// Returns the byte that a letter stands for.
std::optional<unsigned char> find_byte(char32_t letter);

/// Returns the bytes that a piece stands for; nothing if not all its characters are such letters.
std::optional<std::string> find_bytes(std::string_view piece);

}  // namespace headlight
