// The letters that byte-level BPE writes bytes with.             [GPT-2, bytes_to_unicode]
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

/// The letter of each byte: what is printed in Latin-1 stands for itself, the other 68 bytes in
/// their order for U+0100 and what follows: a blank is Ġ, a line end Ċ.
const std::array<char32_t, 256>& byte_letters();

/// The byte that a letter stands for.
std::optional<unsigned char> find_byte(char32_t letter);

/// The bytes that a piece stands for; nothing if not all its characters are such letters.
std::optional<std::string> find_bytes(std::string_view piece);

}  // namespace headlight
