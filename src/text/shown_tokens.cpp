#include "text/shown_tokens.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utf8proc.h>
#include <utility>

#include "text/subwords/aligned_text.h"
#include "text/subwords/byte_letters.h"
#include "text/subwords/character_classes.h"
#include "text/utf8.h"
#include "text/words.h"

namespace headlight {
namespace {

constexpr std::string_view kWordMark = "▁", kContinuationMark = "##";

/// Returns the text that a token stands for, without the marks of tokenizers.
std::string marked_text(std::string_view token) {
    if (token.starts_with(kWordMark)) token.remove_prefix(kWordMark.size());
    if (token.starts_with(kContinuationMark) && token != kContinuationMark)
        token.remove_prefix(kContinuationMark.size());
    if (const auto bytes = find_bytes(token); bytes && !find_invalid_utf8(*bytes)) return *bytes;
    return std::string(token);
}

}  // namespace

bool is_punctuation_token(std::string_view token) {
    if (is_special_token(token)) return false;
    const std::string text = marked_text(token);
    bool has_any = false;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = decode_code_point(text, at);
        at += point.size_bytes;
        if (point.value == U' ') continue;
        if (!point.is_valid || !is_bert_punctuation(point.value)) return false;
        has_any = true;
    }
    return has_any;
}

namespace {

constexpr char32_t kBlankSign = U'␣', kBreakSign = U'⏎', kTabSign = U'⇥', kEmptySign = U'∅';
constexpr char32_t kReturnSign = U'↵';
constexpr char32_t kPieceBlank = U'▁';
constexpr char32_t kByteBlank = U'Ġ', kByteBreak = U'Ċ', kByteTab = U'ĉ', kByteReturn = U'č';

bool is_blank(char32_t c) {
    return c == U' ' || (c >= 0x80 && utf8proc_category(static_cast<utf8proc_int32_t>(c)) ==
                                          UTF8PROC_CATEGORY_ZS);
}

char32_t sign_of_control(char32_t c) {
    if (c == U'\n' || c == 0x85 || c == 0x2028 || c == 0x2029) return kBreakSign;
    if (c == U'\t') return kTabSign;
    if (c == U'\r') return kReturnSign;
    return is_control(c) ? kControlSign : c;
}

bool is_byte_mark(char32_t c) {
    return c == kByteBlank || c == kByteBreak || c == kByteTab || c == kByteReturn;
}

/// True of a name without special characters, as most are. It is fast, since it is called at every
/// evaluation.
bool is_plain(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) { return c > 0x20 && c < 0x7F; });
}

/// Returns the text of a token of byte-level BPE. If the token ends within a letter, only its marks
/// are replaced.
std::string from_bytes(const std::string& token) {
    std::string bytes, unmarked;
    for (const char32_t c : code_points_in(token)) {
        const unsigned char byte = find_byte(c).value_or(0);
        bytes += static_cast<char>(byte);
        unmarked +=
            is_byte_mark(c) ? std::string(1, static_cast<char>(byte)) : encode_code_point(c);
    }
    return find_invalid_utf8(bytes) ? unmarked : bytes;
}

/// Replaces SentencePiece's marks: ▁ for a blank, and <0x0A> for a byte that is no piece.
std::string from_piece(const std::string& token) {
    if (token == "<0x0A>") return "\n";
    if (token == "<0x09>") return "\t";
    std::string text;
    for (const char32_t c : code_points_in(token))
        text += c == kPieceBlank ? " " : encode_code_point(c);
    return text;
}

}  // namespace

// The letters of other control characters do not count, since no text has these, while ġ, which
// would be one, is a letter of Maltese.
bool is_byte_level(const std::vector<std::string>& tokens) {
    bool has_mark = false;
    for (const std::string& token : tokens)
        for (const char32_t c : code_points_in(token)) {
            const auto byte = find_byte(c);
            if (!byte || ((*byte <= 0x20 || *byte == 0x7F) && !is_byte_mark(c))) return false;
            has_mark = has_mark || is_byte_mark(c);
        }
    return has_mark;
}

bool is_sign_of_unseen(char32_t c) {
    constexpr std::u32string_view kSigns = U"␣⏎⇥∅↵▯";
    return kSigns.find(c) != std::u32string_view::npos;
}

std::vector<ByteRange> signs_in(std::string_view utf8) {
    std::vector<ByteRange> signs;
    for (std::size_t at = 0; at < utf8.size();) {
        const CodePoint next = decode_code_point(utf8, at);
        const std::size_t end = at + next.size_bytes;
        const bool goes_on = !signs.empty() && signs.back().end == at;
        if (is_sign_of_unseen(next.value))
            goes_on ? void(signs.back().end = end) : signs.push_back({at, end});
        at = end;
    }
    return signs;
}

std::string shown_name(std::string_view name) {
    if (name.empty()) return encode_code_point(kEmptySign);
    const std::u32string characters = code_points_in(name);
    const auto first = std::find_if_not(characters.begin(), characters.end(), is_blank);
    const auto last = std::find_if_not(characters.rbegin(), characters.rend(), is_blank).base();
    std::string shown;
    for (auto at = characters.begin(); at != characters.end(); ++at) {
        const bool is_outside = at < first || at >= last;
        const bool ends_return = at != characters.begin() && at[-1] == U'\r' && *at == U'\n';
        if (ends_return) shown.resize(shown.size() - encode_code_point(kReturnSign).size());
        shown += encode_code_point(is_outside ? kBlankSign : sign_of_control(*at));
    }
    return shown;
}

std::vector<std::string> shown_names(const std::vector<std::string>& names) {
    std::vector<std::string> shown;
    for (std::size_t k = 0; k < names.size(); ++k) {
        if (is_plain(names[k])) continue;
        std::string name = shown_name(names[k]);
        if (shown.empty() && name == names[k]) continue;
        if (shown.empty()) shown.assign(names.begin(), names.end());
        shown[k] = std::move(name);
    }
    return shown;
}

std::vector<std::string> shown_tokens(const std::vector<std::string>& tokens) {
    const bool is_bytes = is_byte_level(tokens);
    std::vector<std::string> texts;
    for (const std::string& token : tokens)
        texts.push_back(is_bytes ? from_bytes(token) : from_piece(token));
    std::vector<std::string> shown = shown_names(texts);
    if (shown.empty() && texts != tokens) return texts;
    return shown;
}

}  // namespace headlight
