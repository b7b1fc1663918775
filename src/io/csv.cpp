#include "io/csv.h"

#include <algorithm>

#include "io/json_text.h"

namespace headlight {
namespace {

/// A text that no spreadsheet takes for a formula.
std::string plain(const std::string& label) {
    const bool is_formula = label.find_first_of("=+-@\t\r") == 0;
    return is_formula ? "'" + label : label;
}

std::string csv_field(const std::string& label) {
    const std::string text = plain(label);
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string tsv_field(const std::string& label) {
    std::string text = plain(label);
    std::ranges::replace_if(
        text, [](char c) { return c == '\t' || c == '\r' || c == '\n'; }, ' ');
    return text;
}

struct CsvStyle {
    const char *between, *line_end;
    std::string (*field)(const std::string& label);
};

std::string written(const Trace& trace, const Tensor& tensor, const CsvStyle& style,
                    const Steps& steps) {
    const Matrix& values = *tensor.value;
    std::string text =
        style.field(axis_name(trace, tensor.rows) + " \\ " + axis_name(trace, tensor.columns));
    for (Index j = 0; j < values.cols(); ++j)
        text += style.between + style.field(axis_label(trace, tensor.columns, j));
    text += style.line_end;
    for (Index i = 0; i < values.rows(); ++i) {
        text += style.field(axis_label(trace, tensor.rows, i));
        for (Index j = 0; j < values.cols(); ++j) text += style.between + number_text(values(i, j));
        text += style.line_end;
        steps.advance(1.0 / static_cast<double>(values.rows()));
    }
    return text;
}

}  // namespace

std::string write_csv(const Trace& trace, const Tensor& tensor, const Steps& steps) {
    return written(trace, tensor, {",", "\r\n", csv_field}, steps);
}

std::string write_tsv(const Trace& trace, const Tensor& tensor, const Steps& steps) {
    return written(trace, tensor, {"\t", "\n", tsv_field}, steps);
}

}  // namespace headlight
