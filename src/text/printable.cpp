#include "text/printable.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <utility>
#include <vector>

#include "text/utf8.h"

namespace headlight {
namespace {

constexpr std::size_t kMaxShown = 200;  // code points

std::string escaped(char32_t c) {
    if (c == '\n') return "\\n";
    if (c == '\t') return "\\t";
    char text[16];
    std::snprintf(text, sizeof text, c < 0x100 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(c));
    return text;
}

/// How many letters must be put in, left out or changed.                 [Levenshtein 1966]
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t change = diagonal + (a[i] != b[j] ? 1 : 0);
            diagonal = row[j + 1];
            row[j + 1] = std::min({change, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

bool is_plain(char byte) {
    return (byte >= ' ' && byte < 0x7F) || byte == '\n' || byte == '\t';
}

}  // namespace

bool is_unprintable(char32_t c) {
    const bool is_control = c < 0x20 || (c >= 0x7F && c < 0xA0);
    const bool is_line_break = c == 0x2028 || c == 0x2029;
    const bool turns_direction = c == 0x61C || c == 0x200E || c == 0x200F ||
                                 (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    return is_control || is_line_break || turns_direction;
}

std::string printable_lines(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        if (is_plain(text[at])) {
            result += text[at++];
            continue;
        }
        const CodePoint c = decode_code_point(text, at);
        result += is_unprintable(c.value) ? escaped(c.value) : encode_code_point(c.value);
        at += c.size_bytes;
    }
    return result;
}

std::string printable(std::string_view text) {
    // Cut before anything is measured: a file may hold a label of a megabyte. A code point has at
    // most 4 bytes, so shorten() still sees that something is missing.
    const std::string shown = shorten(repair_utf8(text.substr(0, 4 * (kMaxShown + 1))), kMaxShown);
    std::string result;
    for (std::size_t at = 0; at < shown.size();) {
        const CodePoint c = decode_code_point(shown, at);
        result += is_unprintable(c.value) ? escaped(c.value) : shown.substr(at, c.size_bytes);
        at += c.size_bytes;
    }
    return result;
}

std::string in_quotes(std::string_view text) {
    return "'" + printable(text) + "'";
}

std::string list_in_quotes(std::span<const std::string_view> texts) {
    std::string list;
    for (const std::string_view text : texts) list += (list.empty() ? "" : ", ") + in_quotes(text);
    return list;
}

std::string suggestion(std::string_view text, std::span<const std::string_view> known) {
    constexpr std::size_t kMaxLength = 64;
    if (text.size() > kMaxLength) return "";
    std::string_view nearest;
    std::size_t least = std::max<std::size_t>(2, text.size() / 3) + 1;
    for (const std::string_view candidate : known) {
        const bool is_part = text.size() >= 3 && candidate.find(text) != std::string_view::npos;
        const std::size_t distance = is_part ? 1 : edit_distance(text, candidate);
        if (distance < least) least = distance, nearest = candidate;
    }
    return nearest.empty() ? "" : "; did you mean " + in_quotes(nearest) + "?";
}

}  // namespace headlight
