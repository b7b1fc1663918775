#include "text/subwords/aligned_text.h"

#include <algorithm>
#include <utility>

#include "text/utf8.h"

namespace headlight {
namespace {

/// Returns the size of a character of valid UTF-8, by its first byte.
std::size_t n_bytes_from(char first) {
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

}  // namespace

AlignedText::AlignedText(std::string_view original) : text_(original) {
    sources_.reserve(text_.size());
    for (std::size_t at = 0; at < text_.size();) {
        const std::size_t end = std::min(at + n_bytes_from(text_[at]), text_.size());
        sources_.insert(sources_.end(), end - at,
                        {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
        at = end;
    }
}

void AlignedText::change(std::span<const ChangedCharacter> characters, std::size_t n_left_out) {
    std::size_t at = 0;  // in the old text
    const auto leave_out = [&](std::size_t n) {
        for (; n > 0 && at < text_.size(); --n) at += n_bytes_from(text_[at]);
    };
    leave_out(n_left_out);
    std::string text;
    std::vector<TextSource> sources;
    text.reserve(text_.size());
    sources.reserve(text_.size());
    for (const auto& [character, change] : characters) {
        TextSource source{begins_at_, begins_at_};
        if (change > 0 && at > 0) source = sources_[at - 1];
        if (change <= 0 && at < sources_.size()) source = sources_[at];
        if (change <= 0) leave_out(1 + static_cast<std::size_t>(-change));
        if (character < 0x80)
            text += static_cast<char>(character);
        else
            text += encode_code_point(character);
        sources.resize(text.size(), source);
    }
    text_ = std::move(text);
    sources_ = std::move(sources);
}

void AlignedText::prepend(std::string_view text) {
    if (text_.empty()) return;
    text_.insert(0, text);
    const TextSource first = sources_.front();
    sources_.insert(sources_.begin(), text.size(), first);
}

void AlignedText::replace(std::span<const TextPart> parts, std::string_view content) {
    std::string text;
    std::vector<TextSource> sources;
    for (const TextPart& part : parts) {
        if (part.is_match) {
            text += content;
            sources.resize(text.size(), sources_[part.end - 1]);
            continue;
        }
        text.append(text_, part.begin, part.end - part.begin);
        const auto source = [&](std::size_t at) {
            return sources_.begin() + static_cast<std::ptrdiff_t>(at);
        };
        sources.insert(sources.end(), source(part.begin), source(part.end));
    }
    text_ = std::move(text);
    sources_ = std::move(sources);
}

AlignedText AlignedText::part(std::size_t begin, std::size_t end) const {
    AlignedText part;
    if (begin == end) return part;
    part.text_ = text_.substr(begin, end - begin);
    part.sources_.assign(sources_.begin() + static_cast<std::ptrdiff_t>(begin),
                         sources_.begin() + static_cast<std::ptrdiff_t>(end));
    part.begins_at_ = sources_[begin].begin;
    return part;
}

std::u32string code_points_in(std::string_view utf8) {
    std::u32string characters;
    characters.reserve(utf8.size());
    for (std::size_t at = 0; at < utf8.size();) {
        const auto byte = static_cast<unsigned char>(utf8[at]);
        if (byte < 0x80) {
            characters += byte;
            ++at;
            continue;
        }
        const CodePoint point = decode_code_point(utf8, at);
        characters += point.value;
        at += point.size_bytes;
    }
    return characters;
}

}  // namespace headlight
