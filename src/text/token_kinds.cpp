#include "text/token_kinds.h"

#include <string>

#include "text/subwords/byte_letters.h"
#include "text/subwords/character_classes.h"
#include "text/utf8.h"
#include "text/words.h"

namespace headlight {
namespace {

constexpr std::string_view kWordMark = "▁", kContinuationMark = "##";

/// The text that a token stands for, without the marks of tokenizers.
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

}  // namespace headlight
