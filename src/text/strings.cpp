#include "text/strings.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "text/utf8.h"

namespace headlight {
namespace {

struct QuotationMarks {
    std::string_view before, after;
};
constexpr QuotationMarks kUsual{"“", "”"}, kOther{"«", "»"};

constexpr std::size_t kMaxShown = 200;  // code points

bool has_mark(std::string_view word) {
    constexpr std::string_view kDouble[] = {"\"", "“", "”", "„"};
    constexpr std::string_view kAlone[] = {"'", "‘", "’", "‚", "`", "''", "``"};
    constexpr std::string_view kBlank = "␣";
    if (word.starts_with(kBlank)) word.remove_prefix(kBlank.size());
    return std::ranges::find(kAlone, word) != std::end(kAlone) ||
           std::ranges::any_of(kDouble, [&](std::string_view mark) {
               return word.find(mark) != std::string_view::npos;
           });
}

std::string escaped(char32_t c) {
    if (c == '\n') return "\\n";
    if (c == '\t') return "\\t";
    const auto code = static_cast<std::uint32_t>(c);
    return code < 0x100 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
}

/// Returns how many letters must be put in, left out or changed.           [Levenshtein 1966]
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

}  // namespace

std::string counted(std::int64_t n, std::string_view one, std::string_view many) {
    if (n == 1) return fmt::format("1 {}", one);
    return many.empty() ? fmt::format("{} {}s", n, one) : fmt::format("{} {}", n, many);
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n\v\f";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string replaced_all(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

void append_part(std::string& text, std::string_view between, std::string_view part) {
    if (!text.empty()) text += between;
    text += part;
}

std::string quoted_word(std::string_view word) {
    const QuotationMarks& marks = has_mark(word) ? kOther : kUsual;
    return fmt::format("{}{}{}", marks.before, word, marks.after);
}

std::size_t find_quoted_word(std::string_view text) {
    return std::min(text.find(kUsual.before), text.find(kOther.before));
}

bool is_unprintable(char32_t c) {
    const bool is_line_break = c == 0x2028 || c == 0x2029;
    const bool turns_direction = c == 0x61C || c == 0x200E || c == 0x200F ||
                                 (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    return is_control(c) || is_line_break || turns_direction;
}

std::string printable_lines(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const char byte = text[at];
        if ((byte >= ' ' && byte < 0x7F) || byte == '\n' || byte == '\t') {
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
    // The text is cut before anything is measured: a file may hold a label of a megabyte. A code
    // point has at most 4 bytes, so shorten() still sees that something is missing.
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
    return fmt::format("'{}'", printable(text));
}

std::string list_in_quotes(std::span<const std::string_view> texts) {
    return joined(texts, ", ", in_quotes);
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
    return nearest.empty() ? "" : fmt::format("; did you mean {}?", in_quotes(nearest));
}

std::string xml_escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '"')
            result += "&quot;";
        else
            result += c;
    }
    return result;
}

}  // namespace headlight
