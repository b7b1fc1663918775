// A word of a text within a sentence or a title.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight {

/// “cat”; a word that is or has a quotation mark stands between others: «"», but “didn't”.
std::string quoted_word(std::string_view word);

/// Where the first quoted word begins; npos if there is none.
std::size_t find_quoted_word(std::string_view text);

}  // namespace headlight
