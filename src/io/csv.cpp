#include "io/csv.h"

#include "io/json_text.h"

namespace headlight {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

std::string field(const std::string& label) {
    const bool is_formula = label.find_first_of("=+-@\t\r") == 0;
    const std::string text = is_formula ? "'" + label : label;
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

}  // namespace

std::string write_csv(const Trace& trace, const Tensor& tensor) {
    const Matrix& values = *tensor.value;
    std::string text =
        field(axis_name(trace, tensor.rows) + " \\ " + axis_name(trace, tensor.columns));
    for (Index j = 0; j < values.cols(); ++j)
        text += "," + field(axis_label(trace, tensor.columns, j));
    text += kLineEnd;
    for (Index i = 0; i < values.rows(); ++i) {
        text += field(axis_label(trace, tensor.rows, i));
        for (Index j = 0; j < values.cols(); ++j) text += "," + number_text(values(i, j));
        text += kLineEnd;
    }
    return text;
}

}  // namespace headlight
