// TextPattern finds the places where a tokenizer splits or replaces a text.
//
// Goals: the split patterns of known tokenizers, by scanners that take linear time. Not goals:
// regular expressions; one that is not known by its exact text is refused, never run.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/subwords/aligned_text.h"

namespace headlight {

/// Returns the end of a match of GPT-2 and GPT-NeoX [encoder.py]:
///     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
/// `begin` < utf8.size().
std::size_t gpt2_match_end(std::string_view utf8, std::size_t begin);

enum class MarksAre { Symbols, Letters };

/// Returns the end of a match of LLaMA 3, Qwen2, Qwen3.5, up to `most_digits` digits together:
///     (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,most_digits}|
///      ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
/// If marks are letters, \p{L} reads [\p{L}\p{M}], but not within the first bracket.
std::size_t llama3_match_end(std::string_view utf8, std::size_t begin, int most_digits,
                             MarksAre marks);

class TextPattern {
  public:
    /// Matches exactly this text, which is not empty.
    static TextPattern literal(std::string text);
    /// Returns the pattern of a regular expression that is known here: the splits of GPT-2, LLaMA
    /// 3, Qwen2 and Qwen3.5, and runs of blanks.
    static std::optional<TextPattern> find_regex(std::string_view regex);
    /// Returns GPT-2's pattern, which ByteLevel uses by itself.
    static TextPattern gpt2();

    /// Returns the matches and the parts between them; they cover the text in order, and none is
    /// empty.
    std::vector<TextPart> parts_in(std::string_view utf8) const;

  private:
    enum class Kind { Literal, Gpt2, Llama3, Qwen2, Qwen35, TwoSpaces, Blanks };
    struct Known {
        std::string_view regex;
        Kind kind;
    };
    static const Known kKnown[];

    explicit TextPattern(Kind kind) : kind_(kind) {}

    Kind kind_;
    std::string literal_;
};

/// The treatment of the matches at which a text is split.
enum class SplitBehaviour { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

/// Returns the parts that are left, in order; is_match has no meaning in them.
std::vector<TextPart> apply_behaviour(std::vector<TextPart> parts, SplitBehaviour behaviour);

}  // namespace headlight
