#include "text/subwords/character_classes.h"

#include <utf8proc.h>

#include "text/subwords/character_ranges.h"

namespace headlight {
namespace {

utf8proc_category_t known_category(char32_t c) {
    return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

bool is_between(utf8proc_category_t category, utf8proc_category_t first, utf8proc_category_t last) {
    return category >= first && category <= last;
}

bool is_ascii_letter(char32_t c) {
    return (c | 0x20) >= U'a' && (c | 0x20) <= U'z';
}

bool is_ascii_digit(char32_t c) {
    return c >= U'0' && c <= U'9';
}

/// True of letters that are symbols by their category: circled and squared ones.
bool is_symbol_letter(char32_t c) {
    return (c >= 0x24B6 && c <= 0x24E9) || (c >= 0x1F130 && c <= 0x1F149) ||
           (c >= 0x1F150 && c <= 0x1F169) || (c >= 0x1F170 && c <= 0x1F189);
}

}  // namespace

bool is_pattern_letter(char32_t c) {
    if (c < 0x80) return is_ascii_letter(c);
    if (is_in(kNewLetters, c)) return true;
    return is_between(known_category(c), UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO) &&
           !is_in(kLaterLetters, c);
}

bool is_pattern_number(char32_t c) {
    if (c < 0x80) return is_ascii_digit(c);
    if (is_in(kNewNumbers, c)) return true;
    return is_between(known_category(c), UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO) &&
           !is_in(kLaterNumbers, c);
}

bool is_pattern_mark(char32_t c) {
    if (c < 0x80) return false;
    if (is_in(kNewMarks, c)) return true;
    return is_between(known_category(c), UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME) &&
           !is_in(kLaterMarks, c);
}

bool is_pattern_blank(char32_t c) {
    if (c < 0x80) return c == U' ' || (c >= 9 && c <= 13);
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
           c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_pattern_word(char32_t c) {
    if (c < 0x80) return is_ascii_letter(c) || is_ascii_digit(c) || c == U'_';
    if (is_pattern_letter(c) || is_pattern_mark(c) || is_symbol_letter(c)) return true;
    const utf8proc_category_t category = known_category(c);
    if (category == UTF8PROC_CATEGORY_PC || c == 0x200C || c == 0x200D) return true;
    // All numbers that Unicode 16 added are decimal digits.
    return is_pattern_number(c) && category != UTF8PROC_CATEGORY_NO;
}

bool is_bert_control(char32_t c) {
    if (c < 0x80) return (c < 0x20 && c != U'\t' && c != U'\n' && c != U'\r') || c == 0x7F;
    const utf8proc_category_t category = known_category(c);
    if (category == UTF8PROC_CATEGORY_CF) return !is_in(kLaterFormats, c);
    return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CO;
}

bool is_bert_punctuation(char32_t c) {
    if (c < 0x80) return c > 0x20 && c < 0x7F && !is_ascii_letter(c) && !is_ascii_digit(c);
    if (c == 0x166D || c == 0x111C9) return true;  // were punctuation
    return is_between(known_category(c), UTF8PROC_CATEGORY_PC, UTF8PROC_CATEGORY_PO) &&
           !is_in(kLaterPunctuation, c);
}

bool is_bert_accent(char32_t c) {
    if (c < 0x300) return false;
    if (c == 0x1734) return true;  // was without width
    return known_category(c) == UTF8PROC_CATEGORY_MN && !is_in(kLaterAccents, c);
}

bool is_bert_ideograph(char32_t c) {
    // The gap from U+2B820 to U+2B91F is Hugging Face's.
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
           (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B81F) ||
           (c >= 0x2B920 && c <= 0x2CEAF) || (c >= 0xF900 && c <= 0xFAFF) ||
           (c >= 0x2F800 && c <= 0x2FA1F);
}

}  // namespace headlight
