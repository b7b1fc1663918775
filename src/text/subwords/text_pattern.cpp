#include "text/subwords/text_pattern.h"

#include <algorithm>
#include <utility>

#include "text/subwords/character_classes.h"
#include "text/subwords/split_scanner.h"

namespace headlight {
namespace {

/// `find(from)` gives the next match there or later; it is empty if there is none.
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

/// Runs of at least `n_least` such characters.
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
