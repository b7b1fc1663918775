#include "text/subwords/text_pattern.h"

#include <algorithm>
#include <utility>

#include "text/subwords/character_classes.h"
#include "text/utf8.h"

namespace headlight {
namespace {

/// A character of the text; size_bytes is 0 at the end.
struct Scanned {
    char32_t value = 0;
    std::size_t size_bytes = 0;

    bool is_there() const { return size_bytes > 0; }
};

Scanned scanned_at(std::string_view utf8, std::size_t at) {
    if (at >= utf8.size()) return {};
    const auto byte = static_cast<unsigned char>(utf8[at]);
    if (byte < 0x80) return {byte, 1};
    const CodePoint point = decode_code_point(utf8, at);
    return {point.value, point.size_bytes};
}

/// Returns the end of the run of such characters that begins at `at`.
template <typename IsInRun>
std::size_t run_end(std::string_view utf8, std::size_t at, IsInRun is_in_run) {
    for (Scanned next = scanned_at(utf8, at); next.is_there() && is_in_run(next.value);
         next = scanned_at(utf8, at))
        at += next.size_bytes;
    return at;
}

enum class ContractionCase { LowerOnly, Any };

/// Returns the letter as the contractions have it; ſ is an s in any case.
char contraction_letter(char32_t c, ContractionCase case_of_letters) {
    constexpr char32_t kLongS = 0x17F;
    if (case_of_letters == ContractionCase::Any && c == kLongS) return 's';
    if (c >= 0x80) return 0;
    const char letter = static_cast<char>(c);
    const bool is_capital = letter >= 'A' && letter <= 'Z';
    return is_capital && case_of_letters == ContractionCase::Any
               ? static_cast<char>(letter - 'A' + 'a')
               : letter;
}

/// Returns the end of 's, 't, 're, 've, 'm, 'll or 'd that begins here; `begin` if there is none.
std::size_t contraction_end(std::string_view utf8, std::size_t begin,
                            ContractionCase case_of_letters) {
    if (utf8[begin] != '\'') return begin;
    const Scanned first = scanned_at(utf8, begin + 1);
    const char letter = contraction_letter(first.value, case_of_letters);
    const std::size_t end = begin + 1 + first.size_bytes;
    if (letter == 's' || letter == 't' || letter == 'm' || letter == 'd') return end;
    const Scanned second = scanned_at(utf8, end);
    const char last = contraction_letter(second.value, case_of_letters);
    const bool is_two = (letter == 'r' && last == 'e') || (letter == 'v' && last == 'e') ||
                        (letter == 'l' && last == 'l');
    return is_two ? end + second.size_bytes : begin;
}

bool is_other(char32_t c) {
    return !is_pattern_blank(c) && !is_pattern_letter(c) && !is_pattern_number(c);
}

/// Matches \s+(?!\S)|\s+: the last blank of a run is left to the text after it.
std::size_t blank_end(std::string_view utf8, std::size_t begin) {
    const std::size_t end = run_end(utf8, begin, is_pattern_blank);
    if (end == utf8.size()) return end;
    std::size_t last = end - 1;  // the place of the last blank
    while (last > begin && (static_cast<unsigned char>(utf8[last]) & 0xC0) == 0x80) --last;
    return last == begin ? end : last;
}

bool is_line_end(char32_t c) {
    return c == U'\r' || c == U'\n';
}

}  // namespace

std::size_t gpt2_match_end(std::string_view utf8, std::size_t begin) {
    const std::size_t contraction = contraction_end(utf8, begin, ContractionCase::LowerOnly);
    if (contraction > begin) return contraction;
    const std::size_t at = begin + (utf8[begin] == ' ' ? 1 : 0);
    const Scanned first = scanned_at(utf8, at);
    if (first.is_there() && !is_pattern_blank(first.value)) {
        if (is_pattern_letter(first.value)) return run_end(utf8, at, is_pattern_letter);
        if (is_pattern_number(first.value)) return run_end(utf8, at, is_pattern_number);
        return run_end(utf8, at, is_other);
    }
    return blank_end(utf8, begin);
}

std::size_t llama3_match_end(std::string_view utf8, std::size_t begin, int most_digits,
                             MarksAre marks) {
    const auto is_letter = [marks](char32_t c) {
        return is_pattern_letter(c) || (marks == MarksAre::Letters && is_pattern_mark(c));
    };
    const auto is_symbol = [&](char32_t c) { return is_other(c) && !is_letter(c); };
    const std::size_t contraction = contraction_end(utf8, begin, ContractionCase::Any);
    if (contraction > begin) return contraction;

    const Scanned first = scanned_at(utf8, begin);
    const std::size_t second = begin + first.size_bytes;
    if (is_letter(first.value)) return run_end(utf8, begin, is_letter);
    if (is_pattern_number(first.value)) {
        int n_digits = 0;
        return run_end(utf8, begin, [&](char32_t c) {
            return is_pattern_number(c) && n_digits++ < most_digits;
        });
    }
    const Scanned next = scanned_at(utf8, second);
    if (!is_line_end(first.value) && next.is_there() && is_letter(next.value))
        return run_end(utf8, second, is_letter);

    const std::size_t at = first.value == U' ' ? second : begin;
    const std::size_t symbols = run_end(utf8, at, is_symbol);
    if (symbols > at) return run_end(utf8, symbols, is_line_end);

    // \s*[\r\n]+: up to the last line end of the run.
    const std::size_t blanks = run_end(utf8, begin, is_pattern_blank);
    const std::size_t last = utf8.substr(begin, blanks - begin).find_last_of("\r\n");
    return last != std::string_view::npos ? begin + last + 1 : blank_end(utf8, begin);
}

namespace {

/// Splits the text at matches; `find(from)` gives the next match there or later, empty if there is
/// none.
template <typename FindMatch>
std::vector<TextPart> parts_by_matches(std::size_t size, FindMatch find) {
    std::vector<TextPart> parts;
    std::size_t at = 0;
    while (at < size) {
        const TextPart match = find(at);
        if (match.begin == match.end) break;
        if (match.begin > at) parts.push_back({at, match.begin, false});
        parts.push_back({match.begin, match.end, true});
        at = match.end;
    }
    if (at < size) parts.push_back({at, size, false});
    return parts;
}

/// Returns the runs of at least `n_least` such characters.
template <typename IsInRun>
std::vector<TextPart> runs(std::string_view utf8, std::size_t n_least, IsInRun is_in_run) {
    const std::u32string characters = code_points_in(utf8);
    std::vector<TextPart> parts;
    std::size_t at = 0, unmatched = 0;  // bytes
    for (std::size_t k = 0; k < characters.size();) {
        const std::size_t begin = at, first = k;
        const bool is_run = is_in_run(characters[k]);
        for (; k < characters.size() && is_in_run(characters[k]) == is_run; ++k)
            at += characters[k] < 0x80      ? 1
                  : characters[k] < 0x800   ? 2
                  : characters[k] < 0x10000 ? 3
                                            : 4;
        if (!is_run || k - first < n_least) continue;
        if (begin > unmatched) parts.push_back({unmatched, begin, false});
        parts.push_back({begin, at, true});
        unmatched = at;
    }
    if (unmatched < at) parts.push_back({unmatched, at, false});
    return parts;
}

std::vector<TextPart> contiguous(const std::vector<TextPart>& parts) {
    std::vector<TextPart> kept;
    bool was_match = false;
    for (const TextPart& part : parts) {
        if (part.is_match == was_match && !kept.empty())
            kept.back().end = part.end;
        else
            kept.push_back(part);
        was_match = part.is_match;
    }
    return kept;
}

std::vector<TextPart> merged_with_previous(const std::vector<TextPart>& parts) {
    std::vector<TextPart> kept;
    bool was_match = false;
    for (const TextPart& part : parts) {
        if (part.is_match && !was_match && !kept.empty())
            kept.back().end = part.end;
        else
            kept.push_back(part);
        was_match = part.is_match;
    }
    return kept;
}

std::vector<TextPart> merged_with_next(const std::vector<TextPart>& parts) {
    std::vector<TextPart> kept;
    bool was_match = false;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        if (part->is_match && !was_match && !kept.empty())
            kept.back().begin = part->begin;
        else
            kept.push_back(*part);
        was_match = part->is_match;
    }
    std::ranges::reverse(kept);
    return kept;
}

}  // namespace

// The texts are compared, never run.
const TextPattern::Known TextPattern::kKnown[] = {
    {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", Kind::Gpt2},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     Kind::Llama3},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     Kind::Qwen2},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     Kind::Qwen35},
    {" {2,}", Kind::TwoSpaces},
    {R"(\s+)", Kind::Blanks},
};

TextPattern TextPattern::literal(std::string text) {
    TextPattern pattern(Kind::Literal);
    pattern.literal_ = std::move(text);
    return pattern;
}

std::optional<TextPattern> TextPattern::find_regex(std::string_view regex) {
    for (const auto& [known, kind] : kKnown)
        if (known == regex) return TextPattern(kind);
    return std::nullopt;
}

TextPattern TextPattern::gpt2() {
    return TextPattern(Kind::Gpt2);
}

std::vector<TextPart> TextPattern::parts_in(std::string_view utf8) const {
    const auto by_scanner = [&](auto match_end) {
        return parts_by_matches(utf8.size(), [&](std::size_t at) {
            return TextPart{at, match_end(at), true};
        });
    };
    switch (kind_) {
        case Kind::Literal:
            return parts_by_matches(utf8.size(), [&](std::size_t at) {
                const std::size_t found = utf8.find(literal_, at);
                if (found == std::string_view::npos) return TextPart{at, at, false};
                return TextPart{found, found + literal_.size(), true};
            });
        case Kind::Gpt2:
            return by_scanner([&](std::size_t at) { return gpt2_match_end(utf8, at); });
        case Kind::Llama3:
            return by_scanner(
                [&](std::size_t at) { return llama3_match_end(utf8, at, 3, MarksAre::Symbols); });
        case Kind::Qwen2:
            return by_scanner(
                [&](std::size_t at) { return llama3_match_end(utf8, at, 1, MarksAre::Symbols); });
        case Kind::Qwen35:
            return by_scanner(
                [&](std::size_t at) { return llama3_match_end(utf8, at, 1, MarksAre::Letters); });
        case Kind::TwoSpaces:
            return runs(utf8, 2, [](char32_t c) { return c == U' '; });
        case Kind::Blanks:
            return runs(utf8, 1, is_pattern_blank);
    }
    return {};
}

std::vector<TextPart> apply_behaviour(std::vector<TextPart> parts, SplitBehaviour behaviour) {
    switch (behaviour) {
        case SplitBehaviour::Removed:
            std::erase_if(parts, [](const TextPart& part) { return part.is_match; });
            return parts;
        case SplitBehaviour::Isolated:
            return parts;
        case SplitBehaviour::MergedWithPrevious:
            return merged_with_previous(parts);
        case SplitBehaviour::MergedWithNext:
            return merged_with_next(parts);
        case SplitBehaviour::Contiguous:
            return contiguous(parts);
    }
    return parts;
}

}  // namespace headlight
