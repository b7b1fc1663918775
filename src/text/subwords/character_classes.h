// The properties of a character that tokenizers use. Each tokenizer knows the Unicode release that
// its library was made with, so the answers are the same with every release of utf8proc.
#pragma once

namespace headlight {

// ---- \p{L}, \p{N}, \p{M}, \s and \w of the split patterns: Unicode 16 ----

bool is_pattern_letter(char32_t c);
bool is_pattern_number(char32_t c);
bool is_pattern_mark(char32_t c);
/// True of White_Space: U+0009 to U+000D, U+0020, U+0085, U+00A0 and others, but not U+200B or
/// U+FEFF.
bool is_pattern_blank(char32_t c);
/// True of a letter, mark, decimal digit, letter-like number or symbol, connector, or joiner.
bool is_pattern_word(char32_t c);

// ---- BERT's rules: Unicode 7 ----

/// True of Cc, Cf and Co, but of no tab and no line end.
bool is_bert_control(char32_t c);
/// True of everything in ASCII that is no letter, digit or blank ("$" too), and of category P.
bool is_bert_punctuation(char32_t c);
/// True of category Mn: the characters that stripping accents removes.
bool is_bert_accent(char32_t c);
/// True of a Chinese character, in the blocks that BERT names.
bool is_bert_ideograph(char32_t c);

}  // namespace headlight
