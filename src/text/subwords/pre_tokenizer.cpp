#include "text/subwords/pre_tokenizer.h"

#include <utility>

#include "text/subwords/character_classes.h"
#include "text/subwords/text_normalizer.h"
#include "text/utf8.h"

namespace headlight {
namespace {

/// Each character that is a delimiter is a match by itself.
template <typename IsDelimiter>
std::vector<TextPart> parts_by_characters(std::string_view utf8, IsDelimiter is_delimiter) {
    std::vector<TextPart> parts;
    std::size_t unmatched = 0;
    for (std::size_t at = 0; at < utf8.size();) {
        const auto byte = static_cast<unsigned char>(utf8[at]);
        const CodePoint point =
            byte < 0x80 ? CodePoint{byte, 1, true} : decode_code_point(utf8, at);
        const std::size_t end = at + point.size_bytes;
        if (is_delimiter(point.value)) {
            if (at > unmatched) parts.push_back({unmatched, at, false});
            parts.push_back({at, end, true});
            unmatched = end;
        }
        at = end;
    }
    if (unmatched < utf8.size()) parts.push_back({unmatched, utf8.size(), false});
    return parts;
}

std::vector<AlignedText> cut(const AlignedText& text, const std::vector<TextPart>& parts) {
    std::vector<AlignedText> words;
    words.reserve(parts.size());
    for (const TextPart& part : parts) words.push_back(text.part(part.begin, part.end));
    return words;
}

/// The runs of words and of symbols are matches, what is between them not.
std::vector<TextPart> word_parts(std::string_view utf8) {
    enum class Kind { Blank, Word, Symbol };
    const auto kind = [](char32_t c) {
        return is_pattern_word(c) ? Kind::Word : is_pattern_blank(c) ? Kind::Blank : Kind::Symbol;
    };
    std::vector<TextPart> parts;
    Kind last = Kind::Blank;
    for (std::size_t at = 0; at < utf8.size();) {
        const CodePoint point = decode_code_point(utf8, at);
        const std::size_t end = at + point.size_bytes;
        const Kind here = kind(point.value);
        if (parts.empty() || here != last)
            parts.push_back({at, end, here != Kind::Blank});
        else
            parts.back().end = end;
        last = here;
        at = end;
    }
    return parts;
}

/// Rust's numbers, which are of Unicode 17.
bool is_splitting_digit(char32_t c) {
    if (c < 0x80) return c >= U'0' && c <= U'9';
    const bool is_newest = (c >= 0x11DE0 && c <= 0x11DE9) || (c >= 0x16FF4 && c <= 0x16FF6);
    return is_newest || is_pattern_number(c);
}

struct Split {
    AlignedText text;

    std::vector<AlignedText> operator()(const ByteLevelSplit& step) {
        if (step.first == ByteLevelSplit::First::WithSpace && !text.text().starts_with(' '))
            text.prepend(" ");
        std::vector<AlignedText> words;
        if (step.words == ByteLevelSplit::Words::ByPattern)
            words = cut(text, TextPattern::gpt2().parts_in(text.text()));
        else
            words.push_back(std::move(text));
        for (AlignedText& word : words) write_as_byte_letters(word);
        return words;
    }
    std::vector<AlignedText> operator()(const BertSplit&) {
        std::vector<AlignedText> words;
        for (const AlignedText& word : (*this)(BlankSplit()))
            for (AlignedText& part :
                 cut(word, parts_by_characters(word.text(), is_bert_punctuation)))
                words.push_back(std::move(part));
        return words;
    }
    std::vector<AlignedText> operator()(const MetaspaceSplit& step) {
        const TextPattern mark = TextPattern::literal(step.mark);
        text.replace(TextPattern::literal(" ").parts_in(text.text()), step.mark);
        const bool prepends =
            step.prepends == MetaspaceSplit::Prepends::Always ||
            (step.prepends == MetaspaceSplit::Prepends::First && text.begins_at() == 0);
        if (prepends && !text.text().starts_with(step.mark)) text.prepend(step.mark);
        if (step.words == MetaspaceSplit::Words::Whole) return {std::move(text)};
        return cut(text,
                   apply_behaviour(mark.parts_in(text.text()), SplitBehaviour::MergedWithNext));
    }
    std::vector<AlignedText> operator()(const WordSplit&) {
        std::vector<AlignedText> words;
        for (const TextPart& part : word_parts(text.text()))
            if (part.is_match) words.push_back(text.part(part.begin, part.end));
        return words;
    }
    std::vector<AlignedText> operator()(const BlankSplit&) {
        return cut(text, apply_behaviour(parts_by_characters(text.text(), is_pattern_blank),
                                         SplitBehaviour::Removed));
    }
    std::vector<AlignedText> operator()(const DigitSplit& step) {
        return cut(text, apply_behaviour(parts_by_characters(text.text(), is_splitting_digit),
                                         step.behaviour));
    }
    std::vector<AlignedText> operator()(const PunctuationSplit& step) {
        return cut(text, apply_behaviour(parts_by_characters(text.text(), is_bert_punctuation),
                                         step.behaviour));
    }
    std::vector<AlignedText> operator()(const PatternSplit& step) {
        std::vector<TextPart> parts = step.pattern.parts_in(text.text());
        if (step.matches == PatternSplit::Matches::Words)
            for (TextPart& part : parts) part.is_match = !part.is_match;
        return cut(text, apply_behaviour(std::move(parts), step.behaviour));
    }
};

}  // namespace

std::vector<AlignedText> split_text(AlignedText text, const PreTokenizer& pre_tokenizer) {
    return std::visit(Split{std::move(text)}, pre_tokenizer);
}

}  // namespace headlight
