#include "text/word_pieces.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "text/shown_tokens.h"
#include "text/subwords/byte_letters.h"
#include "text/utf8.h"
#include "text/words.h"

namespace headlight {
namespace {

constexpr std::string_view kBlankPiece = "▁", kBlanks = " \t\r\n\v\f";
constexpr std::string_view kGoesOn = "##", kGoesOnBehind = "@@", kWordEnd = "</w>";

/// True if the token begins with the mark and is not only the mark.
bool begins_with(std::string_view token, std::string_view mark) {
    return token.size() > mark.size() && token.starts_with(mark);
}
bool ends_with(std::string_view token, std::string_view mark) {
    return token.size() > mark.size() && token.ends_with(mark);
}

/// Returns the byte of SentencePiece's "<0x0A>".
std::optional<char> byte_piece(std::string_view token) {
    if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return std::nullopt;
    unsigned char byte = 0;
    const char* const end = token.data() + 5;
    if (std::from_chars(token.data() + 3, end, byte, 16).ptr != end) return std::nullopt;
    return static_cast<char>(byte);
}

bool is_apart(std::string_view token) {
    return is_special_token(token) && !byte_piece(token);
}

std::string with_blanks(std::string_view piece) {
    std::string text;
    for (std::size_t at = 0; at < piece.size();) {
        const std::size_t mark = std::min(piece.find(kBlankPiece, at), piece.size());
        text += piece.substr(at, mark - at);
        if (mark < piece.size()) text += ' ';
        at = mark < piece.size() ? mark + kBlankPiece.size() : mark;
    }
    return text;
}

/// Returns the bytes that each token stands for; a letter may be parted between two.
std::vector<std::string> bytes_of(const std::vector<std::string>& tokens) {
    const bool is_bytes = is_byte_level(tokens);
    std::vector<std::string> bytes;
    for (const std::string& token : tokens)
        if (const auto byte = byte_piece(token))
            bytes.emplace_back(1, *byte);
        else
            bytes.push_back(is_bytes ? find_bytes(token).value_or(token) : with_blanks(token));
    return bytes;
}

bool is_blank_byte(char c) {
    return kBlanks.find(c) != std::string_view::npos;
}

/// The words of tokens that mark blanks, in a text without special tokens.
class MarkedText {
  public:
    explicit MarkedText(std::span<const std::string> tokens) {
        for (const std::string& token : tokens) {
            begins_.push_back(text_.size());
            text_ += token;
        }
        begins_.push_back(text_.size());
        for (std::size_t at = 0; at < text_.size();) {
            const std::size_t begin = std::min(text_.find_first_not_of(kBlanks, at), text_.size());
            const std::size_t end = std::min(text_.find_first_of(kBlanks, begin), text_.size());
            if (begin < end) add_words(begin, std::string_view(text_).substr(begin, end - begin));
            at = end;
        }
    }

    /// Appends the words; their tokens are counted from `first`.
    void append_words(std::size_t first, std::vector<PieceWord>& words) const {
        std::optional<std::size_t> open;  // the word that the last token ends in
        for (std::size_t k = 0; k + 1 < begins_.size(); ++k) {
            const auto seen = seen_part(k);
            const auto word = seen ? std::optional(word_at(seen->begin)) : std::nullopt;
            if (word && word == open)
                ++words.back().count;
            else
                words.push_back({"", first + k, 1});
            open = seen ? std::optional(word_at(seen->end - 1)) : word_behind_blank(k);
        }
        for (PieceWord& word : words)
            if (word.first >= first) word.word = text_of(word.first - first, word.count);
    }

  private:
    /// Returns the part of the token that is not blank.
    std::optional<ByteRange> seen_part(std::size_t k) const {
        ByteRange part{begins_[k], begins_[k + 1]};
        while (part.begin < part.end && is_blank_byte(text_[part.begin])) ++part.begin;
        while (part.begin < part.end && is_blank_byte(text_[part.end - 1])) --part.end;
        return part.begin < part.end ? std::optional(part) : std::nullopt;
    }

    /// Returns, for a token that is a blank, the word that begins right after it.
    std::optional<std::size_t> word_behind_blank(std::size_t k) const {
        const bool is_blank = text_.substr(begins_[k], begins_[k + 1] - begins_[k]) == " ";
        if (!is_blank || k + 2 >= begins_.size()) return std::nullopt;
        const auto next = seen_part(k + 1);
        return next && next->begin == begins_[k + 1] ? std::optional(word_at(next->begin))
                                                     : std::nullopt;
    }

    std::size_t word_at(std::size_t byte) const {
        return static_cast<std::size_t>(std::ranges::upper_bound(word_begins_, byte) -
                                        word_begins_.begin());
    }

    std::string text_of(std::size_t k, std::size_t count) const {
        ByteRange all{begins_[k], begins_[k + count]};
        while (all.begin < all.end && is_blank_byte(text_[all.begin])) ++all.begin;
        while (all.begin < all.end && is_blank_byte(text_[all.end - 1])) --all.end;
        if (all.begin == all.end) all = {begins_[k], begins_[k + count]};
        return repair_utf8(std::string_view(text_).substr(all.begin, all.end - all.begin));
    }

    /// Adds the words between blanks. A part that split_words() does not give back byte by byte is
    /// one word.
    void add_words(std::size_t begin, std::string_view between_blanks) {
        word_begins_.push_back(begin);
        if (find_invalid_utf8(between_blanks)) return;
        std::vector<std::size_t> begins;
        std::size_t at = 0;
        for (const std::string& word : split_words(between_blanks)) {
            if (!between_blanks.substr(at).starts_with(word)) return;
            if (at > 0) begins.push_back(begin + at);
            at += word.size();
        }
        word_begins_.insert(word_begins_.end(), begins.begin(), begins.end());
    }

    std::string text_;
    std::vector<std::size_t> begins_;       // of the tokens, and the end
    std::vector<std::size_t> word_begins_;  // ascending
};

/// Tokens that say by themselves if they go on with the one before them, or with the next one.
class ContinuedTokens {
  public:
    explicit ContinuedTokens(const std::vector<std::string>& tokens) : tokens_(tokens) {
        for (const std::string_view mark : {kGoesOn, kGoesOnBehind, kWordEnd})
            if (mark_.empty() && std::ranges::any_of(tokens, [&](const std::string& token) {
                    return has(mark, token);
                }))
                mark_ = mark;
    }

    bool are_marked() const { return !mark_.empty(); }

    std::vector<PieceWord> words() const {
        std::vector<PieceWord> words;
        for (std::size_t k = 0; k < tokens_.size(); ++k)
            if (goes_on(k)) {
                words.back().word += text(k);
                ++words.back().count;
            } else {
                words.push_back({mark_ == kGoesOn ? tokens_[k] : std::string(text(k)), k, 1});
            }
        return words;
    }

  private:
    static bool has(std::string_view mark, std::string_view token) {
        return mark == kGoesOn ? begins_with(token, mark) : ends_with(token, mark);
    }

    bool goes_on(std::size_t k) const {
        if (k == 0 || is_apart(tokens_[k]) || is_apart(tokens_[k - 1])) return false;
        if (mark_ == kGoesOn) return has(mark_, tokens_[k]);
        return has(mark_, tokens_[k - 1]) == (mark_ == kGoesOnBehind);
    }

    std::string_view text(std::size_t k) const {
        std::string_view token = tokens_[k];
        if (!has(mark_, token)) return token;
        mark_ == kGoesOn ? token.remove_prefix(mark_.size()) : token.remove_suffix(mark_.size());
        return token;
    }

    const std::vector<std::string>& tokens_;
    std::string_view mark_;  // empty: none of them has one
};

}  // namespace

std::vector<PieceWord> words_of_pieces(const std::vector<std::string>& tokens,
                                       const std::vector<std::string>& alike) {
    const ContinuedTokens continued(tokens);
    if (continued.are_marked()) return continued.words();
    std::vector<std::string> all = tokens;
    all.insert(all.end(), alike.begin(), alike.end());
    const std::vector<std::string> bytes = bytes_of(all);
    const auto has_blank = [](const std::string& text) {
        return !text.empty() && is_blank_byte(text.front());
    };
    std::vector<PieceWord> words;
    if (std::ranges::none_of(bytes, has_blank)) {
        for (const std::string& token : tokens) words.push_back({token, words.size(), 1});
        return words;
    }
    for (std::size_t k = 0; k < tokens.size();) {
        if (is_apart(tokens[k])) {
            words.push_back({tokens[k], k, 1});
            ++k;
            continue;
        }
        std::size_t end = k;
        while (end < tokens.size() && !is_apart(tokens[end])) ++end;
        MarkedText(std::span(bytes).subspan(k, end - k)).append_words(k, words);
        k = end;
    }
    return words;
}

}  // namespace headlight
