#include "text/subwords/character_map.h"

#include <algorithm>
#include <stdexcept>
#include <utf8proc.h>

#include "text/subwords/character_ranges.h"
#include "text/utf8.h"

namespace headlight {
namespace {

constexpr std::size_t kUnitBytes = 4;

std::uint32_t little_endian_unit(std::string_view bytes) {
    std::uint32_t unit = 0;
    for (std::size_t k = kUnitBytes; k-- > 0;)
        unit = unit << 8 | static_cast<std::uint8_t>(bytes[k]);
    return unit;
}

// A unit, by the layout of darts-clone.
bool has_leaf(std::uint32_t unit) {
    return (unit >> 8 & 1) == 1;
}
std::uint32_t leaf_value(std::uint32_t unit) {
    return unit & 0x7FFFFFFF;
}
std::uint32_t unit_label(std::uint32_t unit) {
    return unit & 0x800000FF;
}
std::size_t unit_offset(std::uint32_t unit) {
    return std::size_t{unit >> 10} << ((unit & 0x200) >> 6);
}

/// What Unicode 17 joins with the character before it to a grapheme cluster.
constexpr CodePointRange kNewExtenders[] = {
    {0x897, 0x897},     {0x1ACF, 0x1ADD},   {0x1AE0, 0x1AEB},   {0x10D69, 0x10D6D},
    {0x10EFA, 0x10EFC}, {0x113B8, 0x113C0}, {0x113C2, 0x113C2}, {0x113C5, 0x113C5},
    {0x113C7, 0x113CA}, {0x113CC, 0x113D0}, {0x113D2, 0x113D2}, {0x113E1, 0x113E2},
    {0x11B60, 0x11B67}, {0x11F5A, 0x11F5A}, {0x1611E, 0x1612F}, {0x1E5EE, 0x1E5EF},
    {0x1E6E3, 0x1E6E3}, {0x1E6E6, 0x1E6E6}, {0x1E6EE, 0x1E6EF}, {0x1E6F5, 0x1E6F5}};

/// Reserved for what is not seen: a grapheme cluster by itself.
constexpr CodePointRange kClusterControls[] = {{0x2065, 0x2065},   {0xFFF0, 0xFFF8},
                                               {0xE0000, 0xE0000}, {0xE0002, 0xE001F},
                                               {0xE0080, 0xE00FF}, {0xE01F0, 0xE0FFF}};

/// A character that joins with its neighbours to clusters as this one does in Unicode 17.
char32_t cluster_stand_in(char32_t c) {
    constexpr char32_t kExtender = 0x301, kControl = 1, kPrefix = 0x600, kOther = U'a';
    if (c < 0x897) return c;
    if (is_in(kNewExtenders, c)) return kExtender;
    if (is_in(kClusterControls, c)) return kControl;
    return c == 0x113D1 ? kPrefix : c == 0x11A3A ? kOther : c;
}

/// As grapheme_end, with the same clusters in every release of utf8proc.
std::size_t cluster_end(std::string_view utf8, std::size_t begin) {
    utf8proc_int32_t state = 0;
    CodePoint last = decode_code_point(utf8, begin);
    std::size_t end = begin + last.size_bytes;
    while (end < utf8.size()) {
        const CodePoint next = decode_code_point(utf8, end);
        const auto stand_in = [](const CodePoint& point) {
            return static_cast<utf8proc_int32_t>(cluster_stand_in(point.value));
        };
        if (utf8proc_grapheme_break_stateful(stand_in(last), stand_in(next), &state)) break;
        end += next.size_bytes;
        last = next;
    }
    return end;
}

/// Of the texts that end with a zero byte each.
std::size_t longest_of(std::string_view texts) {
    std::size_t longest = 0;
    while (!texts.empty()) {
        const std::size_t size = std::min(texts.find('\0'), texts.size());
        longest = std::max(longest, size);
        texts.remove_prefix(std::min(size + 1, texts.size()));
    }
    return longest;
}

/// `replacement` for `n_replaced` characters: what is too much is inserted, what is missing left
/// out.
void append_replacement(std::string_view replacement, std::size_t n_replaced,
                        std::vector<ChangedCharacter>& to) {
    const std::u32string characters = code_points_in(replacement);
    for (const char32_t c : characters) to.push_back({c, 0});
    const std::size_t n = characters.size();
    if (n > n_replaced) {
        // All that is inserted counts as a part of what stands before it.
        const std::size_t n_marked = std::min(n - n_replaced, to.size());
        for (std::size_t k = 0; k < n_marked; ++k)
            (to.end() - 1 - static_cast<std::ptrdiff_t>(k))->change = 1;
    } else if (n < n_replaced && !to.empty()) {
        to.back().change -= static_cast<int>(n_replaced - n);
    }
}

}  // namespace

CharacterMap::CharacterMap(std::string_view bytes) {
    if (bytes.size() < kUnitBytes)
        throw std::invalid_argument("the table of characters is too short");
    const std::size_t n_bytes = little_endian_unit(bytes);
    bytes.remove_prefix(kUnitBytes);
    if (n_bytes > bytes.size() || n_bytes % kUnitBytes != 0 || n_bytes == 0)
        throw std::invalid_argument("the table of characters should have " +
                                    std::to_string(n_bytes) + " bytes of units, but " +
                                    std::to_string(bytes.size()) + " follow");
    for (std::size_t at = 0; at < n_bytes; at += kUnitBytes)
        units_.push_back(little_endian_unit(bytes.substr(at)));
    replacements_ = bytes.substr(n_bytes);
    if (longest_of(replacements_) > kMostReplacementBytes)
        throw std::invalid_argument("a replacement of the table of characters has more than " +
                                    std::to_string(kMostReplacementBytes) + " bytes");
    if (const auto bad = find_invalid_utf8(replacements_))
        throw std::invalid_argument(
            "the replacements of the table of characters are not UTF-8 at byte " +
            std::to_string(*bad));
}

std::optional<std::string_view> CharacterMap::find(std::string_view part) const {
    std::size_t node = unit_offset(units_[0]);
    for (const char byte : part) {
        const auto label = static_cast<std::uint8_t>(byte);
        node ^= label;
        if (label == 0 || node >= units_.size()) return std::nullopt;
        const std::uint32_t unit = units_[node];
        if (unit_label(unit) != label) return std::nullopt;
        node ^= unit_offset(unit);
        if (!has_leaf(unit)) continue;
        if (node >= units_.size()) return std::nullopt;
        const std::size_t begin = leaf_value(units_[node]);
        if (begin > replacements_.size()) return std::nullopt;
        const std::size_t end = std::min(replacements_.find('\0', begin), replacements_.size());
        const auto found = std::string_view(replacements_).substr(begin, end - begin);
        return find_invalid_utf8(found) ? std::nullopt : std::optional(found);
    }
    return std::nullopt;
}

std::vector<ChangedCharacter> CharacterMap::apply(std::string_view utf8) const {
    constexpr std::size_t kMostClusterBytes = 5;
    std::vector<ChangedCharacter> result;
    result.reserve(utf8.size());
    for (std::size_t at = 0; at < utf8.size();) {
        const std::size_t end = cluster_end(utf8, at);
        const std::string_view cluster = utf8.substr(at, end - at);
        at = end;
        if (cluster.size() <= kMostClusterBytes) {
            if (const auto found = find(cluster)) {
                append_replacement(*found, count_code_points(cluster), result);
                continue;
            }
        }
        for (std::size_t k = 0; k < cluster.size();) {
            const CodePoint point = decode_code_point(cluster, k);
            if (const auto found = find(cluster.substr(k, point.size_bytes)))
                append_replacement(*found, 1, result);
            else
                result.push_back({point.value, 0});
            k += point.size_bytes;
        }
    }
    return result;
}

}  // namespace headlight
