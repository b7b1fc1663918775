#include "paint/arithmetic.h"

#include <algorithm>
#include <cmath>

#include "core/explain.h"
#include "core/operations.h"
#include "paint/number_format.h"

namespace headlight {
namespace {

std::string number(Scalar value) {
    return format_value(value, 3);
}

/// A factor or summand after an operator: negative numbers in parentheses.
std::string operand(Scalar value) {
    return value < 0 ? "(" + number(value) + ")" : number(value);
}

bool is_softmax(const Tensor& tensor) {
    return tensor.operation == &operations::softmax_rows ||
           tensor.operation == &operations::edge_softmax;
}

/// The input that the same cell comes from, if the operation works cell by cell.
const CellRef* same_cell(const Explanation& explanation, Index row, Index column) {
    for (const Term& term : explanation.terms)
        for (const CellRef& cell : term.cells)
            if (term.cells.size() == 1 && cell.row == row && cell.column == column) return &cell;
    return nullptr;
}

std::string sum_line(const Explanation& explanation, std::size_t max_terms) {
    std::vector<const Term*> terms;
    for (const Term& term : explanation.terms) terms.push_back(&term);
    if (terms.size() > max_terms)
        std::partial_sort(
            terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(max_terms), terms.end(),
            [](const Term* a, const Term* b) { return std::abs(a->value) > std::abs(b->value); });
    std::string line;
    for (std::size_t i = 0; i < std::min(max_terms, terms.size()); ++i) {
        if (i > 0) line += " + ";
        for (std::size_t k = 0; k < terms[i]->cells.size(); ++k)
            line += (k > 0 ? "·" : "") + operand(terms[i]->cells[k].value);
    }
    return terms.size() > max_terms ? line + " + …" : line;
}

/// "S = 3.2·1.4 + … " and "= 8.92"; on one line when it is short.
std::vector<std::string> sum_lines(const Tensor& tensor, const Explanation& explanation,
                                   std::size_t max_terms) {
    const std::string sum = sum_line(explanation, max_terms);
    const std::string left = tensor.symbol + " = ", right = "= " + number(explanation.sum);
    const bool is_single = explanation.terms.size() == 1;
    if (is_single) return {left + sum};
    const bool is_short = explanation.terms.size() <= 2 && explanation.terms[0].cells.size() == 1;
    if (is_short) return {left + sum + " " + right};
    return {left + sum, right};
}

std::vector<std::string> softmax_lines(const Tensor& tensor, const Explanation& explanation) {
    if (explanation.finish.size() < 2) return {explanation.finish.front().what, "= 0"};
    const bool is_shifted = explanation.rule.find("max") != std::string::npos;
    const std::string shift = is_shifted ? " − max" : "";
    const std::string symbol = tensor.rows.kind == AxisKind::Edge ? "e" : "S";
    return {"exp(" + symbol + shift + ") / Σ exp(" + symbol + shift + ")",
            "= " + number(explanation.finish[0].value) + " / " + number(explanation.sum) + " = " +
                number(explanation.finish[1].value)};
}

}  // namespace

std::vector<ArithmeticStep> arithmetic_steps(const Trace& trace, TensorId id, Index row,
                                             Index column) {
    std::vector<ArithmeticStep> steps{{id, row, column, explain(trace, id, row, column)}};
    while (trace[steps.front().tensor].stage == Stage::Score) {
        const CellRef* cell = same_cell(steps.front().explanation, row, column);
        if (!cell) break;
        const Tensor& tensor = trace[steps.front().tensor];
        const TensorId input = tensor.inputs[cell->input];
        const bool is_same_place =
            trace[input].rows == tensor.rows && trace[input].columns == tensor.columns;
        if (!is_same_place || trace[input].is_leaf()) break;
        steps.insert(steps.begin(), {input, row, column, explain(trace, input, row, column)});
    }
    return steps;
}

std::vector<std::string> arithmetic_lines(const Trace& trace, const ArithmeticStep& step,
                                          std::size_t max_terms) {
    const Tensor& tensor = trace[step.tensor];
    const Explanation& e = step.explanation;
    std::vector<std::string> lines;
    std::size_t n_told = 0;  // finishes that a line above has told
    if (is_softmax(tensor)) {
        lines = softmax_lines(tensor, e);
        n_told = 2;
    } else if (e.terms.size() == 1 && !e.finish.empty()) {
        lines = {tensor.symbol + " = " + tensor.operation->name + "(" + number(e.sum) +
                 ") = " + number(e.finish[0].value)};
        n_told = 1;
    } else if (!e.terms.empty()) {
        lines = sum_lines(tensor, e, max_terms);
    }
    for (std::size_t i = n_told; i < e.finish.size(); ++i) {
        const std::string text = e.finish[i].what + " = " + number(e.finish[i].value);
        const bool joins = i == 0 && lines.size() > 1;
        joins ? void(lines.back() += "   " + text) : lines.push_back(text);
    }
    return lines;
}

}  // namespace headlight
