#include "io/text/csv.h"

#include <algorithm>
#include <string_view>

#include "core/axis_names.h"
#include "io/text/json_text.h"
#include "text/utf8.h"

namespace headlight {
namespace {

constexpr std::string_view kFormulaStarts = "=+-@";
constexpr std::string_view kCellEnds = ",;\t\r\n";

/// A text that no spreadsheet takes for a formula, not even one that cuts cells elsewhere.
std::string plain(const std::string& label) {
    std::string text;
    if (label.starts_with('\t') || label.starts_with('\r')) text = "'";
    bool may_begin_cell = text.empty();
    for (const char c : label) {
        if (may_begin_cell && kFormulaStarts.find(c) != std::string_view::npos) text += '\'';
        const bool stays_at_begin = may_begin_cell && (c == ' ' || c == '"');
        may_begin_cell = stays_at_begin || kCellEnds.find(c) != std::string_view::npos;
        text += c == '\0' ? ' ' : c;
    }
    return text;
}

std::string between_quotes(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + "\"";
}

std::string csv_field(const std::string& label) {
    const std::string text = plain(repair_utf8(label));
    const bool needs_quotes = text.find_first_of(",;\t\"\r\n") != std::string::npos ||
                              text.starts_with(' ') || text.ends_with(' ');
    return needs_quotes ? between_quotes(text) : text;
}

std::string tsv_field(const std::string& label) {
    std::string text = plain(repair_utf8(label));
    std::ranges::replace_if(
        text, [](char c) { return c == '\t' || c == '\r' || c == '\n'; }, ' ');
    return text.find('"') != std::string::npos ? between_quotes(text) : text;
}

struct CsvStyle {
    const char *between, *line_end;
    std::string (*field)(const std::string& label);
};

std::string written(const Trace& trace, const Tensor& tensor, const CsvStyle& style,
                    const Steps& steps) {
    const Matrix& values = *tensor.value;
    std::string text =
        style.field(axis_name(trace, tensor.rows()) + " \\ " + axis_name(trace, tensor.columns()));
    for (Index j = 0; j < values.cols(); ++j)
        text += style.between + style.field(column_head(trace, tensor, j));
    text += style.line_end;
    for (Index i = 0; i < values.rows(); ++i) {
        text += style.field(axis_label(trace, tensor.rows(), i));
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
