#include "text/subwords/unicode_forms.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utf8proc.h>

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

/// Marks in a row ascend by their class; those of the same class keep their order.
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

/// The character that two together are, if there is one.
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

/// Joins each mark, and each starter that follows a starter, with the starter before it where
/// nothing between them keeps it away. What is joined replaces all that it consists of.
std::vector<ChangedCharacter> compose(const std::vector<Decomposed>& characters) {
    std::vector<ChangedCharacter> result;
    std::optional<std::size_t> starter;  // its place in the result
    int last_class = -1;                 // of what stands between; −1: nothing
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

/// Capital letters that Unicode 16 and 17 brought.
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

}  // namespace headlight
