// AlignedText: a text that was changed, and the origin of each of its bytes.
//
// Goals: a token's range in the original text is the one that Hugging Face's tokenizers report,
// however the text was normalised. Not goals: going from the original text to the changed one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// The most bytes that a step puts in at one place of a text.
inline constexpr std::size_t kMostReplacementBytes = 64;

/// Bytes of the original text, from `begin` to before `end`.
struct TextSource {
    std::uint32_t begin = 0, end = 0;

    bool operator==(const TextSource&) const = default;
};

/// A character of a changed text. change = 0: it takes the place of the next character of the old
/// text; 1: it is inserted after the one before it; −n: it takes the place of the next, and n
/// more characters are left out.
struct ChangedCharacter {
    char32_t character = 0;
    int change = 0;
};

/// Bytes of a text; is_match has a meaning for the code that splits the text there.
struct TextPart {
    std::size_t begin = 0, end = 0;
    bool is_match = false;
};

class AlignedText {
  public:
    /// `original` is UTF-8 and at most 4 GB.
    explicit AlignedText(std::string_view original);

    const std::string& text() const { return text_; }
    bool is_empty() const { return text_.empty(); }

    /// Returns the beginning of the part of the original text that this object covers.
    std::uint32_t begins_at() const { return begins_at_; }

    /// Returns the origin of bytes of the text. The range is not empty.
    TextSource source(std::size_t begin, std::size_t end) const {
        return {sources_[begin].begin, sources_[end - 1].end};
    }

    /// Replaces the whole text. The first `n_left_out` characters of the old one are left out.
    void change(std::span<const ChangedCharacter> characters, std::size_t n_left_out = 0);
    /// Inserts text that counts as a part of the first character. An empty text stays empty.
    void prepend(std::string_view text);
    /// Puts `content` into the place of each part that is a match. The parts cover the text, and no
    /// match is empty.
    void replace(std::span<const TextPart> parts, std::string_view content);

    AlignedText part(std::size_t begin, std::size_t end) const;

  private:
    AlignedText() = default;

    std::string text_;
    std::vector<TextSource> sources_;  // of each byte
    std::uint32_t begins_at_ = 0;
};

/// Returns the characters of UTF-8 text, in order.
std::u32string code_points_in(std::string_view utf8);

}  // namespace headlight
