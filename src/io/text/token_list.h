// Lists of tokens, as they come with recorded attention.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headlight {

/// Reads a file of tokens. JSON: ["The", "cat"], or an object with such a list as "tokens". Text:
/// one token a line, or, if those are not `n_wanted`, between white space. Throws Error, naming the
/// file, for anything else.
std::vector<std::string> read_token_file(const std::filesystem::path& file, std::size_t n_wanted);

/// Reads tokens from the bytes of a file that `source` names.
std::vector<std::string> read_tokens(const std::string& bytes, const std::string& source,
                                     std::size_t n_wanted);

/// Reads tokens from JSON in a text that `source` names.
std::vector<std::string> parse_tokens(const std::string& json, const std::string& source);

}  // namespace headlight
