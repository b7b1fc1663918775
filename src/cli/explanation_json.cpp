#include "cli/explanation.h"
#include "core/axis_names.h"
#include "io/text/json_text.h"

namespace headlight {
namespace {

/// `items` as a list, one a line.
template <typename Items, typename Write>
std::string list(const Items& items, const std::string& indent, Write write) {
    std::string text;
    for (const auto& item : items)
        text += (text.empty() ? "\n" : ",\n") + indent + "  " + write(item);
    return text.empty() ? "[]" : "[" + text + "\n" + indent + "]";
}

std::string place(const Trace& trace, TensorId id, Index row, Index column) {
    const Tensor& tensor = trace[id];
    return "\"path\": " + json_string(tensor.path()) + ", \"row\": " + std::to_string(row) +
           ", \"column\": " + std::to_string(column) +
           ", \"row_label\": " + json_string(axis_label(trace, tensor.rows(), row)) +
           ", \"column_label\": " +
           json_string(axis_label(trace, columns_of_row(trace, tensor, row), column));
}

std::string term_json(const Trace& trace, const Tensor& tensor, const Term& term) {
    std::string cells;
    for (const CellRef& cell : term.cells)
        cells += (cells.empty() ? "{" : ", {") +
                 place(trace, tensor.inputs()[cell.input], cell.row, cell.column) +
                 ", \"value\": " + json_number(cell.value) + "}";
    return "{\"value\": " + json_number(term.value) + ", \"cells\": [" + cells + "]}";
}

std::string finish_json(const Finish& finish) {
    return "{\"what\": " + json_string(finish.what) + ", \"value\": " + json_number(finish.value) +
           "}";
}

std::string step_json(const Trace& trace, const ArithmeticStep& step) {
    const Tensor& tensor = trace[step.tensor];
    const Explanation& e = step.explanation;
    const auto term = [&](const Term& t) { return term_json(trace, tensor, t); };
    return "{" + place(trace, step.tensor, step.row, step.column) +
           ",\n     \"symbol\": " + json_string(tensor.symbol()) +
           ", \"equation\": " + json_string(tensor.equation()) +
           ", \"rule\": " + json_string(e.rule) +
           ",\n     \"terms\": " + list(e.terms, "     ", term) +
           ",\n     \"sum\": " + json_number(e.sum) +
           ",\n     \"finish\": " + list(e.finish, "     ", finish_json) +
           ",\n     \"value\": " + json_number(e.result()) + "}";
}

}  // namespace

std::string write_explanation_json(const Trace& trace, const std::vector<ArithmeticStep>& steps) {
    const ArithmeticStep& cell = steps.back();
    const auto step = [&](const ArithmeticStep& s) { return step_json(trace, s); };
    return "{" + place(trace, cell.tensor, cell.row, cell.column) +
           ",\n  \"value\": " + json_number(cell.explanation.result()) +
           ",\n  \"steps\": " + list(steps, "  ", step) + "}\n";
}

}  // namespace headlight
