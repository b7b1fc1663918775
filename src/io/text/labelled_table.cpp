#include "io/text/labelled_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <utility>

#include "figure/number_format.h"
#include "io/text/json_text.h"
#include "io/text/numbers_text.h"
#include "io/text/table.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace headlight {
namespace {

struct Spelling {
    char32_t character;
    std::string_view latex;
};

/// Characters that mean something else to LaTeX, or are other letters in its first fonts (OT1).
/// After the end of a row [ and * would belong to the line break.
constexpr Spelling kSpellings[] = {
    {'&', "\\&"},
    {'%', "\\%"},
    {'$', "\\$"},
    {'#', "\\#"},
    {'_', "\\_"},
    {'{', "\\{"},
    {'}', "\\}"},
    {'~', "\\textasciitilde{}"},
    {'^', "\\textasciicircum{}"},
    {'\\', "\\textbackslash{}"},
    {'<', "\\textless{}"},
    {'>', "\\textgreater{}"},
    {'|', "\\textbar{}"},
    {'"', "\\texttt{\\char34}"},
    {'[', "{[}"},
    {'*', "{*}"},
};

/// Characters two of which in a row become one sign: "--", "``", "''", ",,".
constexpr std::string_view kLigatures = "-`',";

/// True of control characters and of codes that are no characters: they break a line or stop LaTeX.
bool is_blank(char32_t c) {
    return is_unprintable(c) || (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
}

std::string latex_letter(char32_t c, char32_t before) {
    const auto* const spelling = std::ranges::find(kSpellings, c, &Spelling::character);
    if (spelling != std::end(kSpellings)) return std::string(spelling->latex);
    if (is_blank(c)) return " ";
    const bool is_doubled =
        c == before && c < 0x80 && kLigatures.find(static_cast<char>(c)) != std::string_view::npos;
    const bool is_turned = c == '`' && (before == '?' || before == '!');  // ?` is ¿
    return (is_doubled || is_turned ? "{}" : "") + encode_code_point(c);
}

std::string latex_text(const std::string& text) {
    std::string result;
    char32_t before = 0;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint c = decode_code_point(text, at);
        result += latex_letter(c.value, std::exchange(before, c.value));
        at += c.size_bytes;
    }
    return result;
}

/// Escapes the signs that have a meaning; a backslash may precede any of ASCII. [CommonMark,
/// GitHub]
std::string markdown_text(const std::string& text) {
    constexpr std::string_view kEscaped = "\\|`*_<>[]&~$";
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint c = decode_code_point(text, at);
        if (c.value < 0x80 && kEscaped.find(static_cast<char>(c.value)) != std::string_view::npos)
            result += '\\';
        result += is_blank(c.value) ? " " : encode_code_point(c.value);
        at += c.size_bytes;
    }
    return result;
}

struct TableStyle {
    std::string_view row_begin, between, row_end;
    std::string (*text)(const std::string&);
    std::string (*number)(Scalar);
    std::string rule;  // under the names of the columns
};

template <typename Rows>
std::string written_table(const Rows& rows, const TableStyle& style, const Steps& steps) {
    std::string text(style.row_begin);
    for (Index j = 0; j < rows.n_columns(); ++j) {
        if (j > 0) text += style.between;
        text += style.text(rows.head(j));
    }
    text += style.row_end;
    text += style.rule;
    for (Index i = 0; i < rows.n_rows(); ++i) {
        text += style.row_begin;
        for (Index j = 0; j < rows.n_columns(); ++j) {
            if (j > 0) text += style.between;
            const auto number = rows.number(i, j);
            if (!number)
                text += style.text(rows.text(i, j));
            else
                text += rows.is_label(j) ? number_text(*number) : style.number(*number);
        }
        text += style.row_end;
        steps.advance(1.0 / static_cast<double>(rows.n_rows()));
    }
    return text;
}

/// Writes a LaTeX table with numbers at the right of their columns.
template <typename Rows>
std::string latex_table(const Rows& rows, const std::string& comment, const Steps& steps) {
    const auto number = [](Scalar value) { return fmt::format("${}$", latex_number(value)); };
    const TableStyle style{"", " & ", " \\\\\n", latex_text, number, "\\hline\n"};
    std::string columns;
    for (Index j = 0; j < rows.n_columns(); ++j) columns += rows.is_number(j) ? 'r' : 'l';
    return fmt::format("% {}\n\\begin{{tabular}}{{{}}}\n\\hline\n{}\\hline\n\\end{{tabular}}\n",
                       printable(comment), columns, written_table(rows, style, steps));
}

template <typename Rows>
std::string markdown_table(const Rows& rows, const Steps& steps) {
    const auto number = [](Scalar value) { return format_value(value); };
    std::string rule = "|";
    for (Index j = 0; j < rows.n_columns(); ++j) rule += rows.is_number(j) ? "---:|" : "---|";
    return written_table(rows, {"| ", " | ", " |\n", markdown_text, number, rule + "\n"}, steps);
}

constexpr const char* kTableCorner = " / ";

}  // namespace

std::string write_latex_table(const Trace& trace, const Tensor& tensor, const Steps& steps) {
    return latex_table(TensorRows{trace, tensor, kTableCorner},
                       fmt::format("{}: {}", tensor.path(), tensor.equation()), steps);
}

std::string write_markdown_table(const Trace& trace, const Tensor& tensor, const Steps& steps) {
    return markdown_table(TensorRows{trace, tensor, kTableCorner}, steps);
}

std::string write_latex_table(const Table& table, const Steps& steps) {
    return latex_table(TableRows{table}, table.caption, steps);
}

std::string write_markdown_table(const Table& table, const Steps& steps) {
    return markdown_table(TableRows{table}, steps);
}

}  // namespace headlight
