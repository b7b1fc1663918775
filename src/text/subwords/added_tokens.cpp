#include "text/subwords/added_tokens.h"

#include <algorithm>

#include "text/subwords/character_classes.h"
#include "text/utf8.h"

namespace headlight {
namespace {

std::uint64_t trie_key(std::uint64_t node, char byte) {
    return node << 8 | static_cast<unsigned char>(byte);
}

/// The character that ends at `end` > 0.
CodePoint character_before(std::string_view utf8, std::size_t end) {
    std::size_t begin = end - 1;
    while (begin > 0 && (static_cast<unsigned char>(utf8[begin]) & 0xC0) == 0x80) --begin;
    return decode_code_point(utf8, begin);
}

bool stands_alone(std::string_view utf8, std::size_t begin, std::size_t end) {
    const bool is_free_before = begin == 0 || !is_pattern_word(character_before(utf8, begin).value);
    const bool is_free_after =
        end == utf8.size() || !is_pattern_word(decode_code_point(utf8, end).value);
    return is_free_before && is_free_after;
}

std::size_t blanks_begin(std::string_view utf8, std::size_t end) {
    while (end > 0) {
        const CodePoint before = character_before(utf8, end);
        if (!is_pattern_blank(before.value)) break;
        end -= before.size_bytes;
    }
    return end;
}

std::size_t blanks_end(std::string_view utf8, std::size_t begin) {
    while (begin < utf8.size()) {
        const CodePoint next = decode_code_point(utf8, begin);
        if (!is_pattern_blank(next.value)) break;
        begin += next.size_bytes;
    }
    return begin;
}

}  // namespace

bool AddedTokenFinder::add(const AddedToken& token, std::string_view spelling) {
    std::uint64_t node = 0;
    for (const char byte : spelling) {
        if (const std::uint64_t* next = edges_.find(trie_key(node, byte))) {
            node = *next;
            continue;
        }
        edges_.set(trie_key(node, byte), leaves_.size());
        node = leaves_.size();
        leaves_.push_back(nullptr);
    }
    if (leaves_[node]) return false;
    leaves_[node] = &token;
    begins_[static_cast<unsigned char>(spelling.front())] = true;
    return true;
}

AddedTokenFinder::Match AddedTokenFinder::longest_at(std::string_view utf8,
                                                     std::size_t begin) const {
    Match longest;
    if (!begins_[static_cast<unsigned char>(utf8[begin])]) return longest;
    std::uint64_t node = 0;
    for (std::size_t at = begin; at < utf8.size();) {
        const std::uint64_t* next = edges_.find(trie_key(node, utf8[at]));
        if (!next) break;
        node = *next;
        ++at;
        if (leaves_[node]) longest = {at, leaves_[node]};
    }
    return longest;
}

std::vector<AddedTokenPart> AddedTokenFinder::parts_in(std::string_view utf8,
                                                       SpecialInText special) const {
    std::vector<AddedTokenPart> parts;
    std::size_t reached = 0;  // the parts cover what is before it
    for (std::size_t at = 0; at < utf8.size();) {
        const Match match = longest_at(utf8, at);
        if (!match.token) {
            ++at;
            continue;
        }
        std::size_t begin = at, end = match.end;
        at = match.end;
        const AddedToken& token = *match.token;
        if (special == SpecialInText::PlainText && token.is_special) continue;
        if (token.is_single_word && !stands_alone(utf8, begin, end)) continue;
        if (token.strips_left) begin = std::max(blanks_begin(utf8, begin), reached);
        if (token.strips_right) end = blanks_end(utf8, end);
        if (reached < begin) parts.push_back({reached, begin, nullptr});
        parts.push_back({begin, end, &token});
        reached = end;
    }
    if (reached != utf8.size()) parts.push_back({reached, utf8.size(), nullptr});
    return parts;
}

}  // namespace headlight
