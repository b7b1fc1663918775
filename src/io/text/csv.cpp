#include "io/text/csv.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <string_view>

#include "io/text/json_text.h"
#include "io/text/table.h"
#include "text/utf8.h"

namespace headlight {
namespace {

constexpr std::string_view kFormulaStarts = "=+-@";
constexpr std::string_view kCellEnds = ",;\t\r\n";

/// Returns valid UTF-8 without characters that could control the reader's terminal: \x1b is spelt
/// out, a zero byte becomes a blank. Tabs and line ends stay; their effect in a cell depends on the
/// format.
std::string without_controls(const std::string& text) {
    const std::string valid = repair_utf8(text);
    std::string result;
    for (std::size_t at = 0; at < valid.size();) {
        const CodePoint c = decode_code_point(valid, at);
        const std::string_view bytes = std::string_view(valid).substr(at, c.size_bytes);
        at += c.size_bytes;
        const bool ends_cell = kCellEnds.find(bytes) != std::string_view::npos;
        if (c.value == 0)
            result += ' ';
        else if (is_control(c.value) && !ends_cell)
            result += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c.value));
        else
            result += bytes;
    }
    return result;
}

/// Returns a text that no spreadsheet takes for a formula, not even one that cuts cells elsewhere.
std::string plain(const std::string& label) {
    std::string text;
    if (label.starts_with('\t') || label.starts_with('\r')) text = "'";
    bool may_begin_cell = text.empty();
    for (const char c : label) {
        if (may_begin_cell && kFormulaStarts.find(c) != std::string_view::npos) text += '\'';
        const bool stays_at_begin = may_begin_cell && (c == ' ' || c == '"');
        may_begin_cell = stays_at_begin || kCellEnds.find(c) != std::string_view::npos;
        text += c;
    }
    return text;
}

std::string between_quotes(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + "\"";
}

std::string csv_field(const std::string& label) {
    const std::string text = plain(without_controls(label));
    const bool needs_quotes = text.find_first_of(",;\t\"\r\n") != std::string::npos ||
                              text.starts_with(' ') || text.ends_with(' ');
    return needs_quotes ? between_quotes(text) : text;
}

std::string tsv_field(const std::string& label) {
    std::string text = plain(without_controls(label));
    std::ranges::replace_if(
        text, [](char c) { return c == '\t' || c == '\r' || c == '\n'; }, ' ');
    return text.find('"') != std::string::npos ? between_quotes(text) : text;
}

std::string as_it_is(const std::string& text) {
    std::string one_line = without_controls(text);
    std::ranges::replace_if(
        one_line, [](char c) { return c == '\t' || c == '\r' || c == '\n'; }, ' ');
    return one_line;
}

/// Puts a label between quotes where a comma, a quote or a line end would be read as more than
/// text.
std::string csv_as_it_is(const std::string& label) {
    const std::string text = without_controls(label);
    return text.find_first_of(",\"\r\n") == std::string::npos ? text : between_quotes(text);
}

struct CsvStyle {
    const char *between, *line_end;
    std::string (*field)(const std::string& label);
};

template <typename Rows>
std::string written(const Rows& rows, const CsvStyle& style, const Steps& steps) {
    std::string text;
    for (Index j = 0; j < rows.n_columns(); ++j)
        text += (j > 0 ? style.between : "") + style.field(rows.head(j));
    text += style.line_end;
    for (Index i = 0; i < rows.n_rows(); ++i) {
        for (Index j = 0; j < rows.n_columns(); ++j) {
            const auto number = rows.number(i, j);
            text += j > 0 ? style.between : "";
            text += number ? number_text(*number) : style.field(rows.text(i, j));
        }
        text += style.line_end;
        steps.advance(1.0 / static_cast<double>(rows.n_rows()));
    }
    return text;
}

constexpr const char* kCsvCorner = " \\ ";

}  // namespace

std::string write_csv(const Trace& trace, const Tensor& tensor, const Steps& steps) {
    return written(TensorRows{trace, tensor, kCsvCorner}, {",", "\r\n", csv_field}, steps);
}

std::string write_tsv(const Trace& trace, const Tensor& tensor, const Steps& steps) {
    return written(TensorRows{trace, tensor, kCsvCorner}, {"\t", "\n", tsv_field}, steps);
}

std::string write_csv(const Table& table, ReadBy reader, const Steps& steps) {
    const auto field = reader == ReadBy::Shell ? csv_as_it_is : csv_field;
    return written(TableRows{table}, {",", "\n", field}, steps);
}

std::string write_tsv(const Table& table, ReadBy reader, const Steps& steps) {
    const auto field = reader == ReadBy::Shell ? as_it_is : tsv_field;
    return written(TableRows{table}, {"\t", "\n", field}, steps);
}

}  // namespace headlight
