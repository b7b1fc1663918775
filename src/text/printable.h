// Text from files, made fit for a message: one line, valid UTF-8, not too long.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headlight {

/// True for characters that would break a line, change the text direction, or control a terminal.
bool is_unprintable(char32_t character);

/// Text of several lines, for a terminal: all but line ends and tabs as below, however long it is.
std::string printable_lines(std::string_view text);

/// Control characters as \n, \t, \x1b; bytes that are not UTF-8 as �; shortened with "…".
std::string printable(std::string_view text);

/// The same between ' and '.
std::string in_quotes(std::string_view text);

/// "'none', 'causal'"
std::string list_in_quotes(std::span<const std::string_view> texts);

/// ", did you mean 'heads'?", or "" if none of the texts is near.
std::string suggestion(std::string_view text, std::span<const std::string_view> known);

}  // namespace headlight
