#include "graph/text_lines.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/error.h"
#include "graph/graph_builder.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\v\f";

/// Returns the number of bytes of the UTF-8 sequence at the start of `text`, 0 if it is none.
std::size_t utf8_sequence_bytes(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    if (byte(0) < 0x80) return 1;
    const std::size_t n_bytes = byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
    if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < n_bytes) return 0;
    for (std::size_t k = 1; k < n_bytes; ++k)
        if ((byte(k) & 0xC0) != 0x80) return 0;
    const bool is_overlong =
        (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xF0 && byte(1) < 0x90);
    const bool is_surrogate = byte(0) == 0xED && byte(1) > 0x9F;
    const bool is_too_large = byte(0) == 0xF4 && byte(1) > 0x8F;
    return is_overlong || is_surrogate || is_too_large ? 0 : n_bytes;
}

/// Returns the end of the quoted text that begins at `begin`; two quotes in it stand for one.
std::size_t closing_quote(std::string_view line, std::size_t begin) {
    for (std::size_t at = begin + 1; at < line.size(); ++at) {
        if (line[at] != '"') continue;
        if (at + 1 == line.size() || line[at + 1] != '"') return at;
        ++at;
    }
    return std::string_view::npos;
}

/// True of "a and of "a, "": a quote begins the cell, and each other one closes or opens another.
bool has_open_quote(std::string_view cell) {
    return cell.starts_with('"') && std::ranges::count(cell, '"') % 2 == 1;
}

std::string unescaped(std::string_view cell) {
    std::string text;
    for (std::size_t at = 0; at < cell.size(); ++at) {
        text += cell[at];
        if (cell[at] == '"') ++at;
    }
    return text;
}

}  // namespace

TextLines::TextLines(std::string_view text, std::string format, std::string_view source)
    : rest_(text), format_(std::move(format)), source_(source) {
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        fail_whole("is in UTF-16; save it as UTF-8");
    if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
}

bool TextLines::next() {
    if (rest_.empty()) return false;
    ++number_;
    line_ = rest_.substr(0, rest_.find_first_of("\r\n"));
    rest_.remove_prefix(line_.size());
    rest_.remove_prefix(rest_.starts_with("\r\n") ? 2 : rest_.empty() ? 0 : 1);
    check();
    return true;
}

void TextLines::check() const {
    if (line_.size() > kMaxTextLineBytes)
        fail(fmt::format("this line has {} bytes; at most {} are read", line_.size(),
                         kMaxTextLineBytes));
    if (line_.find('\0') != std::string_view::npos)
        fail("there is a NUL byte in this line; the file must be plain text");
    if (!is_utf8(line_)) fail("this line is not valid UTF-8; save the file as UTF-8");
}

void TextLines::fail(const std::string& what) const {
    throw Error(format_, "{}:{}: {}", source_, number_, what);
}

void TextLines::fail_whole(const std::string& what) const {
    throw Error(format_, "{}: {}", source_, what);
}

Separator detect_separator(std::string_view line) {
    bool is_quoted = false, has_tab = false, has_semicolon = false, has_comma = false;
    line = trimmed(line);
    bool has_blank = false, may_open = true;  // a quote, at the beginning of a cell
    for (const char c : line) {
        if (c == '"') {
            if (may_open) is_quoted = !is_quoted;
            continue;
        }
        if (is_quoted) continue;
        may_open = c == ',' || c == ';' || kBlanks.find(c) != std::string_view::npos;
        has_tab |= c == '\t';
        has_semicolon |= c == ';';
        has_comma |= c == ',';
        has_blank |= kBlanks.find(c) != std::string_view::npos;
    }
    if (has_tab) return Separator::Tab;
    if (has_semicolon) return Separator::Semicolon;
    if (has_comma) return Separator::Comma;
    return has_blank ? Separator::Blank : Separator::Unknown;
}

const std::vector<std::string_view>& Cells::split(std::string_view line, Separator separator) {
    cells_.clear();
    unescaped_.clear();
    open_ = {};
    if (separator == Separator::Unknown || separator == Separator::Blank) {
        split_blank(line);
        return cells_;
    }
    const char between = separator == Separator::Tab     ? '\t'
                         : separator == Separator::Comma ? ','
                                                         : ';';
    while (true) {
        cells_.push_back(take_cell(line, between));
        if (line.empty()) break;
        line.remove_prefix(1);
    }
    while (!cells_.empty() && cells_.back().empty()) cells_.pop_back();
    return cells_;
}

void Cells::split_blank(std::string_view line) {
    while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
        if (line.empty() || line.starts_with('#')) return;
        cells_.push_back(line.substr(0, line.find_first_of(kBlanks)));
        if (open_.empty() && has_open_quote(cells_.back())) open_ = cells_.back();
        line.remove_prefix(cells_.back().size());
    }
}

void Cells::check_quotes(const TextLines& lines) const {
    if (!open_.empty())
        lines.fail(
            "the quote before {} is not closed in its cell on this line; close it there, or write "
            "a name that has a quote between quotes, with two for each of its own",
            shown(open_.substr(1)));
}

/// Takes a cell up to the separator, which stays.
std::string_view Cells::take_cell(std::string_view& line, char separator) {
    const std::size_t begin = line.find_first_not_of(separator == '\t' ? " " : " \t");
    if (begin != std::string_view::npos && line[begin] == '"') {
        const std::size_t end = closing_quote(line, begin);
        const std::size_t after = std::min(line.find(separator, end), line.size());
        if (end != std::string_view::npos &&
            trimmed(line.substr(end + 1, after - end - 1)).empty()) {
            const std::string_view cell = line.substr(begin + 1, end - begin - 1);
            line.remove_prefix(after);
            return cell.find('"') == std::string_view::npos
                       ? cell
                       : unescaped_.emplace_back(unescaped(cell));
        }
    }
    const std::string_view cell = line.substr(0, line.find(separator));
    line.remove_prefix(cell.size());
    if (open_.empty() && has_open_quote(trimmed(cell))) open_ = trimmed(cell);
    return trimmed(cell);
}

std::string_view find_doubtful(const std::vector<std::string_view>& cells) {
    const auto is_separator = [](char c) { return c == ',' || c == ';'; };
    for (const std::string_view cell : cells)
        if (!cell.empty() && (is_separator(cell.front()) || is_separator(cell.back()))) return cell;
    return {};
}

void check_separators(const TextLines& lines, const std::vector<std::string_view>& cells,
                      Separator separator) {
    const std::string_view cell =
        separator == Separator::Blank ? find_doubtful(cells) : std::string_view();
    if (!cell.empty())
        lines.fail(
            "{} begins or ends with a comma or a semicolon, but blanks separate the names of this "
            "file, as its first line with two names has them; use one separator in all lines",
            shown(cell));
}

bool TableLines::next() {
    while (lines_.next()) {
        if (is_comment(lines_.line())) continue;
        if (separator_ == Separator::Unknown) separator_ = detect_separator(lines_.line());
        now_ = &cells_.split(lines_.line(), separator_);
        if (!now_->empty()) return true;
    }
    return false;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t n_bytes = utf8_sequence_bytes(text);
        if (n_bytes == 0) return false;
        text.remove_prefix(n_bytes);
    }
    return true;
}

std::string ascii_lower(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

bool is_comment(std::string_view line) {
    line = trimmed(line);
    return line.starts_with('#') || line.starts_with('%');
}

}  // namespace headlight
