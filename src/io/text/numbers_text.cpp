#include "io/text/numbers_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "core/error.h"
#include "core/numeric/read_digits.h"
#include "figure/number_format.h"
#include "io/text/json_text.h"
#include "text/strings.h"

namespace headlight {
namespace {

using CellLine = std::vector<std::string>;  // the cells of one row, as they were written
using Lines = std::vector<CellLine>;

constexpr std::string_view kBlank = " \t\r\n\v\f";

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

/// Takes a sign off the front, and returns −1 or 1.
Scalar take_sign(std::string_view& text) {
    if (take_prefix(text, "-") || take_prefix(text, "\u2212")) return -1;
    take_prefix(text, "+");
    return 1;
}

bool is_infinity(std::string_view text) {
    take_prefix(text, "np.");
    return text == "inf" || text == "Inf" || text == "INF" || text == "Infinity" || text == "∞";
}

/// True if a number that is out of range is too small.
bool is_tiny(std::string_view text) {
    if (text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos)
        return true;
    return text.find_first_of("123456789") > text.find('.');
}

Lines split(std::string_view text, char separator) {
    Lines lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        if (trimmed(line).empty()) continue;
        CellLine& cells = lines.emplace_back();
        for (std::size_t at = 0; at <= line.size();) {
            const std::size_t next = std::min(line.find(separator, at), line.size());
            cells.emplace_back(trimmed(line.substr(at, next - at)));
            at = next + 1;
        }
    }
    return lines;
}

/// Splits a text into cells at any run of blanks.
Lines split_at_blanks(std::string_view text) {
    Lines lines = split(text, ' ');
    for (CellLine& line : lines)
        std::erase_if(line, [](const std::string& cell) { return cell.empty(); });
    return lines;
}

bool has_two_numbers(const std::string& cell) {
    return cell.find_first_of(kBlank) != std::string::npos;
}

/// Turns decimal commas into points. A cell with a point keeps its comma, and so is not a number.
void use_points(Lines& lines) {
    for (CellLine& line : lines)
        for (std::string& cell : line)
            if (std::count(cell.begin(), cell.end(), ',') == 1 &&
                cell.find('.') == std::string::npos)
                std::replace(cell.begin(), cell.end(), ',', '.');
}

Lines split_cells(std::string_view text) {
    Lines lines;
    if (text.find('\t') != std::string_view::npos) {
        lines = split(text, '\t');
    } else if (text.find(';') != std::string_view::npos) {
        lines = split(text, ';');
    } else if (text.find(',') != std::string_view::npos) {
        lines = split(text, ',');
        const bool are_decimal = std::any_of(lines.begin(), lines.end(), [](const CellLine& line) {
            return std::any_of(line.begin(), line.end(), has_two_numbers);
        });
        if (!are_decimal) return lines;
        lines = split_at_blanks(text);
    } else {
        return split_at_blanks(text);
    }
    use_points(lines);
    return lines;
}

/// One row of a list, its numbers separated by commas or blanks.
CellLine split_row(std::string row) {
    std::replace_if(
        row.begin(), row.end(), [](char c) { return kBlank.find(c) != kBlank.npos; }, ' ');
    const bool has_commas = row.find(',') != std::string::npos;
    const Lines lines = has_commas ? split(row, ',') : split_at_blanks(row);
    return lines.empty() ? CellLine() : lines.front();
}

/// The innermost brackets are the rows; between them are commas and blanks only.
Lines split_brackets(std::string_view text) {
    Lines lines;
    int depth = 0;
    bool is_row = false;  // since the last bracket
    for (std::size_t at = 0, begin = 0; at < text.size(); ++at) {
        if (text[at] != '[' && text[at] != ']') continue;
        const std::string between(trimmed(text.substr(begin, at - begin)));
        const bool ends_row = is_row && text[at] == ']';
        if (ends_row && !between.empty()) lines.push_back(split_row(between));
        if (!ends_row && !between.empty() && between != ",")
            throw Error("paste", "{} stands between the rows of the list", in_quotes(between));
        is_row = text[at] == '[';
        depth += is_row ? 1 : -1;
        begin = at + 1;
        if (depth == 0) return lines;
    }
    throw Error("paste", "a bracket [ is opened and not closed");
}

Lines split_pasted(std::string_view text) {
    text = trimmed(text);
    std::string_view array = text;
    for (const std::string_view prefix : {"numpy.", "np."}) take_prefix(array, prefix);
    take_prefix(array, "array(");
    return array.starts_with('[') ? split_brackets(array) : split_cells(text);
}

Scalar number_at(const std::string& cell, std::size_t row, std::size_t column) {
    std::string_view text = cell;
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"')  // as CSV may have it
        text = trimmed(text.substr(1, text.size() - 2));
    if (const auto number = parse_number(text)) return *number;
    const std::string place = fmt::format("row {}, column {}", row + 1, column + 1);
    if (text.empty()) throw Error("paste", "{} is empty", place);
    throw Error("paste", "{} in {} is not a number that a cell can have",
                in_quotes(std::string(text)), place);
}

std::string numpy_number(Scalar value) {
    if (std::isfinite(value)) return number_text(value);
    return std::isnan(value) ? "np.nan" : value < 0 ? "-np.inf" : "np.inf";
}

/// The texts around rows and cells.
struct NumberStyle {
    std::string_view begin, row_begin, between, row_end, between_rows, end;
    std::string (*number)(Scalar);
};

std::string written(const Matrix& values, const NumberStyle& style) {
    std::string text(style.begin);
    for (Index i = 0; i < values.rows(); ++i) {
        if (i > 0) text += style.between_rows;
        text += style.row_begin;
        for (Index j = 0; j < values.cols(); ++j) {
            if (j > 0) text += style.between;
            text += style.number(values(i, j));
        }
        text += style.row_end;
    }
    return text += style.end;
}

std::string markdown_head(Index n_columns) {
    std::string names = "|", rule = "|";
    for (Index j = 0; j < n_columns; ++j) {
        names += fmt::format(" {} |", j);
        rule += "---:|";
    }
    return fmt::format("{}\n{}\n", names, rule);
}

}  // namespace

std::string latex_number(Scalar value) {
    std::string text = format_value(value);
    text = replaced_all(std::move(text), "\u2212", "-");
    text = replaced_all(std::move(text), "∞", "\\infty");
    if (const std::size_t e = text.find('e'); e != std::string::npos)
        text = text.substr(0, e) + " \\cdot 10^{" + text.substr(e + 1) + "}";
    return text;
}

std::string write_numbers(const Matrix& values, NumbersFormat format) {
    const auto exact = [](Scalar value) { return number_text(value); };
    const auto rounded = [](Scalar value) { return format_value(value); };
    switch (format) {
        case NumbersFormat::Tsv:
            return written(values, {"", "", "\t", "\n", "", "", exact});
        case NumbersFormat::NumPy:
            return written(values, {"np.array([", "[", ", ", "]", ",\n          ",
                                    "], dtype=np.float32)", numpy_number});
        case NumbersFormat::Latex:
            return written(values, {"\\begin{bmatrix}\n", "  ", " & ", "", " \\\\\n",
                                    "\n\\end{bmatrix}\n", latex_number});
        case NumbersFormat::Markdown:
            return markdown_head(values.cols()) +
                   written(values, {"", "| ", " | ", " |\n", "", "", rounded});
    }
    throw Error("copy", "the format is none of those that there are");
}

std::optional<Scalar> parse_number(std::string_view text) {
    text = trimmed(text);
    const Scalar sign = take_sign(text);
    if (is_infinity(text)) return -sign * kMasked;
    if (text.find_first_of("0123456789.") != 0) return std::nullopt;
    Scalar number = 0;
    const auto [end, problem] = read_digits(text.data(), text.data() + text.size(), number);
    if (problem == std::errc::result_out_of_range) {
        if (!is_tiny(text)) return std::nullopt;
        number = 0;
    }
    if (problem == std::errc::invalid_argument || end != text.data() + text.size())
        return std::nullopt;
    return sign * number;
}

std::optional<Scalar> parse_typed_number(std::string_view text) {
    std::string with_point(text);
    if (with_point.find('.') == std::string::npos)
        std::replace(with_point.begin(), with_point.end(), ',', '.');
    return parse_number(with_point);
}

Matrix read_numbers(std::string_view text) {
    const Lines lines = split_pasted(text);
    if (lines.empty()) throw Error("paste", "there is no number in the clipboard");
    Matrix values(static_cast<Index>(lines.size()), static_cast<Index>(lines[0].size()));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].size() != lines[0].size())
            throw Error("paste", "row {} has {}, the first row has {}", i + 1,
                        counted(std::ssize(lines[i]), "number"), lines[0].size());
        for (std::size_t j = 0; j < lines[i].size(); ++j)
            values(static_cast<Index>(i), static_cast<Index>(j)) = number_at(lines[i][j], i, j);
    }
    return values;
}

}  // namespace headlight
