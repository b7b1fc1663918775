#include "text/subwords/text_normalizer.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utf8proc.h>

#include "text/subwords/byte_letters.h"
#include "text/subwords/character_classes.h"
#include "text/subwords/character_ranges.h"
#include "text/utf8.h"

namespace headlight {
namespace {

struct Decomposed {
    ChangedCharacter changed;
    int combining_class = 0;
};

int combining_class(char32_t c) {
    if (c < 0x300) return 0;
    const int found = utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->combining_class;
    return found == 0 || is_in(kLaterCombining, c) ? 0 : found;
}

void append_decomposed(char32_t c, bool is_compatible, std::vector<Decomposed>& to) {
    if (c < 0xA0 || is_in(kLaterDecompositions, c)) {
        to.push_back({{c, 0}, combining_class(c)});
        return;
    }
    std::array<utf8proc_int32_t, 32> parts;  // the longest has 18
    int last_boundary = 0;
    const int options =
        UTF8PROC_DECOMPOSE | (is_compatible ? static_cast<int>(UTF8PROC_COMPAT) : 0);
    const auto n_parts =
        utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts.data(), parts.size(),
                                static_cast<utf8proc_option_t>(options), &last_boundary);
    for (std::size_t k = 0; k < static_cast<std::size_t>(std::max<utf8proc_ssize_t>(n_parts, 0));
         ++k) {
        const auto part = static_cast<char32_t>(parts[k]);
        to.push_back({{part, k == 0 ? 0 : 1}, combining_class(part)});
    }
}

/// Sorts marks in a row by their class; those of the same class keep their order.
void put_marks_in_order(std::vector<Decomposed>& characters) {
    const auto is_mark = [](const Decomposed& d) { return d.combining_class != 0; };
    for (auto at = characters.begin(); at != characters.end();) {
        const auto first = std::find_if(at, characters.end(), is_mark);
        at = std::find_if_not(first, characters.end(), is_mark);
        std::stable_sort(first, at, [](const Decomposed& a, const Decomposed& b) {
            return a.combining_class < b.combining_class;
        });
    }
}

/// Returns the character that two together are, if there is one.
std::optional<char32_t> composed(char32_t first, char32_t second) {
    if (second < 0x300) return std::nullopt;
    std::array<utf8proc_int32_t, 2> pair = {static_cast<utf8proc_int32_t>(first),
                                            static_cast<utf8proc_int32_t>(second)};
    const auto options = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
    if (utf8proc_normalize_utf32(pair.data(), 2, options) != 1) return std::nullopt;
    const auto whole = static_cast<char32_t>(pair[0]);
    if (is_in(kLaterDecompositions, whole)) return std::nullopt;
    return whole;
}

/// Joins each mark, and each starter that follows a starter, with the starter before it, unless a
/// character between them prevents it. The joined character replaces all that it consists of.
std::vector<ChangedCharacter> compose(const std::vector<Decomposed>& characters) {
    std::vector<ChangedCharacter> result;
    std::optional<std::size_t> starter;  // its place in the result
    int last_class = -1;                 // of the character between; −1: none
    for (const auto& [changed, mark_class] : characters) {
        const bool is_blocked = last_class >= mark_class;
        const auto whole = starter && !is_blocked
                               ? composed(result[*starter].character, changed.character)
                               : std::nullopt;
        if (whole) {
            result[*starter] = {*whole, result[*starter].change + changed.change - 1};
            continue;
        }
        result.push_back(changed);
        last_class = mark_class;
        if (mark_class != 0) continue;
        starter = result.size() - 1;
        last_class = -1;
    }
    return result;
}

/// The capital letters that Unicode 16 and 17 added.
struct NewCapitals {
    char32_t first, last;
    int to_lower;
};
constexpr NewCapitals kNewCapitals[] = {
    {0x1C89, 0x1C89, 1},      {0xA7CB, 0xA7CB, 0x264 - 0xA7CB},
    {0xA7CC, 0xA7CC, 1},      {0xA7CE, 0xA7CE, 1},
    {0xA7D2, 0xA7D2, 1},      {0xA7D4, 0xA7D4, 1},
    {0xA7DA, 0xA7DA, 1},      {0xA7DC, 0xA7DC, 0x19B - 0xA7DC},
    {0x10D50, 0x10D65, 0x20}, {0x16EA0, 0x16EB8, 0x1B},
};

char32_t lower_case_character(char32_t c) {
    if (c < 0x80) return c >= U'A' && c <= U'Z' ? c + 0x20 : c;
    for (const auto& [first, last, to_lower] : kNewCapitals)
        if (c >= first && c <= last)
            return static_cast<char32_t>(static_cast<std::int32_t>(c) + to_lower);
    return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}

}  // namespace

std::vector<ChangedCharacter> unicode_form(std::string_view utf8, UnicodeForm form) {
    const bool is_compatible = form == UnicodeForm::Nfkc || form == UnicodeForm::Nfkd;
    std::vector<Decomposed> characters;
    characters.reserve(utf8.size());
    for (const char32_t c : code_points_in(utf8)) append_decomposed(c, is_compatible, characters);
    put_marks_in_order(characters);
    if (form == UnicodeForm::Nfc || form == UnicodeForm::Nfkc) return compose(characters);
    std::vector<ChangedCharacter> result;
    result.reserve(characters.size());
    for (const Decomposed& character : characters) result.push_back(character.changed);
    return result;
}

std::vector<ChangedCharacter> lower_case_characters(std::string_view utf8) {
    constexpr char32_t kCapitalDottedI = 0x130, kPointAbove = 0x307;
    std::vector<ChangedCharacter> result;
    result.reserve(utf8.size());
    for (const char32_t c : code_points_in(utf8)) {
        result.push_back({c == kCapitalDottedI ? U'i' : lower_case_character(c), 0});
        if (c == kCapitalDottedI) result.push_back({kPointAbove, 1});
    }
    return result;
}

namespace {

constexpr std::size_t kUnitBytes = 4;

std::uint32_t little_endian_unit(std::string_view bytes) {
    std::uint32_t unit = 0;
    for (std::size_t k = kUnitBytes; k-- > 0;)
        unit = unit << 8 | static_cast<std::uint8_t>(bytes[k]);
    return unit;
}

// True if the unit has a leaf, by the layout of darts-clone.
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

/// Characters that Unicode 17 joins with the one before them to a grapheme cluster.
constexpr CodePointRange kNewExtenders[] = {
    {0x897, 0x897},     {0x1ACF, 0x1ADD},   {0x1AE0, 0x1AEB},   {0x10D69, 0x10D6D},
    {0x10EFA, 0x10EFC}, {0x113B8, 0x113C0}, {0x113C2, 0x113C2}, {0x113C5, 0x113C5},
    {0x113C7, 0x113CA}, {0x113CC, 0x113D0}, {0x113D2, 0x113D2}, {0x113E1, 0x113E2},
    {0x11B60, 0x11B67}, {0x11F5A, 0x11F5A}, {0x1611E, 0x1612F}, {0x1E5EE, 0x1E5EF},
    {0x1E6E3, 0x1E6E3}, {0x1E6E6, 0x1E6E6}, {0x1E6EE, 0x1E6EF}, {0x1E6F5, 0x1E6F5}};

/// Characters reserved for invisible ones: each is a grapheme cluster by itself.
constexpr CodePointRange kClusterControls[] = {{0x2065, 0x2065},   {0xFFF0, 0xFFF8},
                                               {0xE0000, 0xE0000}, {0xE0002, 0xE001F},
                                               {0xE0080, 0xE00FF}, {0xE01F0, 0xE0FFF}};

/// Returns a character that joins with its neighbours to clusters as this one does in Unicode 17.
char32_t cluster_stand_in(char32_t c) {
    constexpr char32_t kExtender = 0x301, kControl = 1, kPrefix = 0x600, kOther = U'a';
    if (c < 0x897) return c;
    if (is_in(kNewExtenders, c)) return kExtender;
    if (is_in(kClusterControls, c)) return kControl;
    return c == 0x113D1 ? kPrefix : c == 0x11A3A ? kOther : c;
}

/// Returns the end of a cluster as grapheme_end does, with the same clusters in every release of
/// utf8proc.
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

/// Returns the length of the longest of the texts, each of which ends with a zero byte.
std::size_t longest_of(std::string_view texts) {
    std::size_t longest = 0;
    while (!texts.empty()) {
        const std::size_t size = std::min(texts.find('\0'), texts.size());
        longest = std::max(longest, size);
        texts.remove_prefix(std::min(size + 1, texts.size()));
    }
    return longest;
}

/// Appends `replacement` for `n_replaced` characters: extra characters are inserted, missing ones
/// left out.
void append_replacement(std::string_view replacement, std::size_t n_replaced,
                        std::vector<ChangedCharacter>& to) {
    const std::u32string characters = code_points_in(replacement);
    for (const char32_t c : characters) to.push_back({c, 0});
    const std::size_t n = characters.size();
    if (n > n_replaced) {
        // Inserted characters count as a part of the one before them.
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
        throw std::invalid_argument(
            fmt::format("the table of characters should have {} bytes of units, but {} follow",
                        n_bytes, bytes.size()));
    for (std::size_t at = 0; at < n_bytes; at += kUnitBytes)
        units_.push_back(little_endian_unit(bytes.substr(at)));
    replacements_ = bytes.substr(n_bytes);
    if (longest_of(replacements_) > kMostReplacementBytes)
        throw std::invalid_argument(
            fmt::format("a replacement of the table of characters has more than {} bytes",
                        kMostReplacementBytes));
    if (const auto bad = find_invalid_utf8(replacements_))
        throw std::invalid_argument(fmt::format(
            "the replacements of the table of characters are not UTF-8 at byte {}", *bad));
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

namespace {

/// Leaves out the characters that are not to be kept.
template <typename Keeps>
void filter(AlignedText& text, Keeps keeps) {
    std::vector<ChangedCharacter> kept;
    std::size_t n_first = 0;
    for (const char32_t c : code_points_in(text.text())) {
        if (keeps(c))
            kept.push_back({c, 0});
        else if (kept.empty())
            ++n_first;
        else
            --kept.back().change;
    }
    text.change(kept, n_first);
}

template <typename Change>
void change_each(AlignedText& text, Change changed) {
    std::vector<ChangedCharacter> characters;
    characters.reserve(text.text().size());
    for (const char32_t c : code_points_in(text.text())) characters.push_back({changed(c), 0});
    text.change(characters);
}

void isolate_ideographs(AlignedText& text) {
    std::vector<ChangedCharacter> characters;
    characters.reserve(text.text().size());
    for (const char32_t c : code_points_in(text.text())) {
        const bool is_ideograph = is_bert_ideograph(c);
        if (is_ideograph) characters.push_back({U' ', 0});
        characters.push_back({c, is_ideograph ? 1 : 0});
        if (is_ideograph) characters.push_back({U' ', 1});
    }
    text.change(characters);
}

bool is_nmt_control(char32_t c) {
    return (c >= 1 && c <= 8) || c == 0xB || (c >= 0xE && c <= 0x1F) || c == 0x7F || c == 0x8F ||
           c == 0x9F;
}

bool is_nmt_blank(char32_t c) {
    return c == 9 || c == 0xA || c == 0xC || c == 0xD || c == 0x1680 ||
           (c >= 0x200B && c <= 0x200F) || c == 0x2028 || c == 0x2029 || c == 0x2581 ||
           c == 0xFEFF || c == 0xFFFD;
}

struct Normalize {
    AlignedText& text;

    void operator()(const BertCleaning& step) const {
        if (step.cleans) {
            filter(text, [](char32_t c) {
                return c != 0 && c != kReplacementCharacter && !is_bert_control(c);
            });
            change_each(text, [](char32_t c) { return is_pattern_blank(c) ? U' ' : c; });
        }
        if (step.isolates_ideographs) isolate_ideographs(text);
        if (step.strips_accents) {
            (*this)(FormChange{UnicodeForm::Nfd});
            filter(text, [](char32_t c) { return !is_bert_accent(c); });
        }
        if (step.lowers_case) (*this)(LowerCase());
    }
    void operator()(const FormChange& step) const {
        text.change(unicode_form(text.text(), step.form));
    }
    void operator()(const LowerCase&) const { text.change(lower_case_characters(text.text())); }
    void operator()(const EndStripping& step) const {
        const std::u32string characters = code_points_in(text.text());
        const auto is_kept = [](char32_t c) { return !is_pattern_blank(c); };
        auto first = characters.begin();
        auto last = characters.end();
        if (step.at_begin) first = std::find_if(first, last, is_kept);
        if (step.at_end)
            last = std::find_if(characters.rbegin(), std::make_reverse_iterator(first), is_kept)
                       .base();
        std::vector<ChangedCharacter> kept;
        for (auto at = first; at != last; ++at) kept.push_back({*at, 0});
        text.change(kept, static_cast<std::size_t>(first - characters.begin()));
    }
    void operator()(const Replacement& step) const {
        text.replace(step.pattern.parts_in(text.text()), step.content);
    }
    void operator()(const Prefix& step) const { text.prepend(step.text); }
    void operator()(const ByteLettering&) const { write_as_byte_letters(text); }
    void operator()(const CharacterMapping& step) const {
        text.change(step.map->apply(text.text()));
    }
    void operator()(const NmtCleaning&) const {
        filter(text, [](char32_t c) { return !is_nmt_control(c); });
        change_each(text, [](char32_t c) { return is_nmt_blank(c) ? U' ' : c; });
    }
};

}  // namespace

void normalize_text(AlignedText& text, const TextNormalizer& normalizer) {
    std::visit(Normalize{text}, normalizer);
}

void write_as_byte_letters(AlignedText& text) {
    std::vector<ChangedCharacter> letters;
    letters.reserve(text.text().size());
    for (const char byte : text.text()) {
        const auto value = static_cast<unsigned char>(byte);
        letters.push_back({byte_letters()[value], (value & 0xC0) == 0x80 ? 1 : 0});
    }
    text.change(letters);
}

}  // namespace headlight
