// The scanners of split patterns: each says where the match ends that begins here.
#pragma once

#include <cstddef>
#include <string_view>

namespace headlight {

/// GPT-2 and GPT-NeoX [encoder.py]:
///     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
/// `begin` < utf8.size().
std::size_t gpt2_match_end(std::string_view utf8, std::size_t begin);

enum class MarksAre { Symbols, Letters };

/// LLaMA 3, Qwen2, Qwen3.5, where digits are taken up to `most_digits` together:
///     (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,most_digits}|
///      ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
/// If marks are letters, \p{L} reads [\p{L}\p{M}], but not within the first bracket.
std::size_t llama3_match_end(std::string_view utf8, std::size_t begin, int most_digits,
                             MarksAre marks);

}  // namespace headlight
