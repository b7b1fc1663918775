// Tokens as they are written in pictures: invisible characters get a sign.
//
// Goals: a reader can tell a blank, a line break and an empty token from each other and from
// nothing. Not goals: changing the token; files, scripts and commands have it unchanged.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Kinds of tokens that heads are often found to read. words.h recognises special tokens.
//
// Goals: only the token's name is needed, so that recordings and models without a tokenizer have
// kinds, too.

/// True if all characters are punctuation as BERT's tokenizer has it (everything in ASCII that is
/// no letter, digit or blank, and Unicode's category P), beside the marks of tokenizers: Ġ, ▁, ##.
/// A special token is none.
bool is_punctuation_token(std::string_view token);

/// True of ␣ ⏎ ⇥ ∅, ↵ and ▯ (other control characters): pictures draw these fainter.
bool is_sign_of_unseen(char32_t character);

/// The opacity of signs relative to the text around them.
inline constexpr float kSignOpacity = 0.6f;

/// The place of a sign in a text: bytes from `begin` to before `end`, ascending.
struct ByteRange {
    std::size_t begin, end;
};
std::vector<ByteRange> signs_in(std::string_view utf8);

/// Returns the name as it is shown: blanks at either end are ␣, a line break anywhere is ⏎, a tab
/// ⇥, an empty name ∅.
std::string shown_name(std::string_view name);

/// Returns all names as they are shown; empty if none is written differently.
std::vector<std::string> shown_names(const std::vector<std::string>& names);

/// True if the tokens are spelled in the letters of byte-level BPE [GPT-2, bytes_to_unicode], and
/// one of them marks a blank or a line end.
bool is_byte_level(const std::vector<std::string>& tokens);

/// Returns the tokens of a tokenizer without its own marks: "Ġthe" and "▁the" become "␣the", "Ċ"
/// and "<0x0A>" become "⏎". Ġ counts as a mark only if is_byte_level; then "Ã©" becomes "é" as
/// well.
std::vector<std::string> shown_tokens(const std::vector<std::string>& tokens);

}  // namespace headlight
