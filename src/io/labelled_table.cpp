#include "io/labelled_table.h"

#include <array>
#include <string_view>

#include "io/numbers_text.h"
#include "io/printable.h"
#include "paint/number_format.h"

namespace headlight {
namespace {

std::string latex_letter(char c) {
    constexpr std::string_view kEscaped = "&%$#_{}";
    if (kEscaped.find(c) != std::string_view::npos) return std::string("\\") + c;
    if (c == '~') return "\\textasciitilde{}";
    if (c == '^') return "\\textasciicircum{}";
    if (c == '\\') return "\\textbackslash{}";
    return static_cast<unsigned char>(c) < 0x20 ? " " : std::string(1, c);
}

std::string latex_text(const std::string& text) {
    std::string result;
    for (const char c : text) result += latex_letter(c);
    return result;
}

std::string markdown_text(const std::string& text) {
    constexpr std::string_view kEscaped = "\\|`*_<>[]";
    std::string result;
    for (const char c : text) {
        if (kEscaped.find(c) != std::string_view::npos) result += '\\';
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return result;
}

struct TableStyle {
    std::string_view row_begin, between, row_end;
    std::string (*text)(const std::string&);
    std::string (*number)(Scalar);
    std::string rule;  // under the names of the columns
};

std::string rows(const Trace& trace, const Tensor& tensor, const TableStyle& style,
                 const Steps& steps) {
    const Matrix& values = *tensor.value;
    std::string text(style.row_begin);
    text += style.text(axis_name(trace, tensor.rows) + " / " + axis_name(trace, tensor.columns));
    for (Index j = 0; j < values.cols(); ++j) {
        text += style.between;
        text += style.text(axis_label(trace, tensor.columns, j));
    }
    text += style.row_end;
    text += style.rule;
    for (Index i = 0; i < values.rows(); ++i) {
        text += style.row_begin;
        text += style.text(axis_label(trace, tensor.rows, i));
        for (Index j = 0; j < values.cols(); ++j) {
            text += style.between;
            text += style.number(values(i, j));
        }
        text += style.row_end;
        steps.advance(1.0 / static_cast<double>(values.rows()));
    }
    return text;
}

}  // namespace

std::string write_latex_table(const Trace& trace, const Tensor& tensor, const Steps& steps) {
    const auto number = [](Scalar value) { return "$" + latex_number(value) + "$"; };
    const TableStyle style{"", " & ", " \\\\\n", latex_text, number, "\\hline\n"};
    return "% " + printable(tensor.path + ": " + tensor.equation) + "\n\\begin{tabular}{l" +
           std::string(static_cast<std::size_t>(tensor.value->cols()), 'r') + "}\n\\hline\n" +
           rows(trace, tensor, style, steps) + "\\hline\n\\end{tabular}\n";
}

std::string write_markdown_table(const Trace& trace, const Tensor& tensor, const Steps& steps) {
    const auto number = [](Scalar value) { return format_value(value); };
    std::string rule = "|---|";
    for (Index j = 0; j < tensor.value->cols(); ++j) rule += "---:|";
    return rows(trace, tensor, {"| ", " | ", " |\n", markdown_text, number, rule + "\n"}, steps);
}

}  // namespace headlight
