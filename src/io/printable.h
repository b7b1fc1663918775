// Text from files, made fit for a message: one line, valid UTF-8, not too long.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headlight {

/// Control characters as \n, \t, \x1b; bytes that are not UTF-8 as �; shortened with "…".
std::string printable(std::string_view text);

/// The same between ' and '.
std::string in_quotes(std::string_view text);

/// "'none', 'causal'"
std::string list_in_quotes(std::span<const std::string_view> texts);

/// ", did you mean 'heads'?", or "" if none of the texts is near.
std::string suggestion(std::string_view text, std::span<const std::string_view> known);

}  // namespace headlight
