#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/explanation.h"
#include "core/explain.h"
#include "core/numeric/softmax.h"
#include "paint/number_format.h"
#include "paint/words/plain_formula.h"
#include "text/utf8.h"

namespace headlight {
namespace {

constexpr std::size_t kTermsInFormula = 6;
constexpr int kDigits = 4;
constexpr const char* kIndent = "    ";

/// One line a term; columns are padded to the same width.
using Row = std::vector<std::string>;

std::string padded(const std::string& text, std::size_t width, bool is_number) {
    const std::string blanks(width - std::min(width, count_code_points(text)), ' ');
    return is_number ? blanks + text : text + blanks;
}

std::string table(const std::vector<Row>& rows, std::size_t n_number_columns) {
    std::vector<std::size_t> widths;
    for (const Row& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t c = 0; c < row.size(); ++c)
            widths[c] = std::max(widths[c], count_code_points(row[c]));
    }
    std::string text;
    for (const Row& row : rows) {
        text += kIndent;
        for (std::size_t c = 0; c + 1 < row.size(); ++c)
            text += padded(row[c], widths[c], c < n_number_columns) + "  ";
        text += row.back() + "\n";
    }
    return text;
}

std::string place_text(const Trace& trace, TensorId id, Index row, Index column) {
    return trace[id].path() + "[" + std::to_string(row) + ", " + std::to_string(column) + "]";
}

std::string how(const Term& term) {
    if (term.of_sum) return term_text(term, kDigits);
    std::string product;
    for (const CellRef& cell : term.cells)
        product += (product.empty() ? "" : " · ") + format_value(cell.value, kDigits);
    return product;
}

Row term_row(const Trace& trace, const Tensor& tensor, const Term& term) {
    Row row{format_value(term.value, kDigits)};
    if (term.cells.size() > 1) row.push_back("= " + how(term));
    for (const CellRef& cell : term.cells)
        row.push_back(shown_cell_name(trace, tensor.inputs()[cell.input], cell.row, cell.column));
    for (const CellRef& cell : term.cells)
        row.push_back(place_text(trace, tensor.inputs()[cell.input], cell.row, cell.column));
    return row;
}

std::string terms_text(const Trace& trace, const ArithmeticStep& step) {
    const Tensor& tensor = trace[step.tensor];
    std::vector<const Term*> terms;
    for (const Term& term : step.explanation.terms) terms.push_back(&term);
    // NaN first: it is what makes the sum NaN.
    const auto size = [](const Term* term) {
        return std::isnan(term->value) ? std::numeric_limits<Scalar>::infinity()
                                       : std::abs(term->value);
    };
    std::ranges::stable_sort(terms,
                             [&](const Term* a, const Term* b) { return size(a) > size(b); });
    std::vector<Row> rows;
    for (const Term* term : terms) rows.push_back(term_row(trace, tensor, *term));
    return table(rows, 1);
}

/// What is computed does not reach a pinned cell, or one of a head that is ablated to zero.
std::string without_effect(const Tensor& tensor, const ArithmeticStep& step) {
    const bool is_pinned =
        tensor.intervention.is_on && tensor.intervention.find(step.row, step.column);
    if (is_pinned) return ", without effect: the cell is pinned";
    const bool is_ablated = tensor.intervention.ablation == Ablation::Zero;
    return is_ablated ? ", without effect: the head is ablated" : "";
}

/// A row's scores on their way to weights.
std::string softmax_text(const Trace& trace, const ArithmeticStep& step) {
    SoftmaxTable softmax = softmax_table(step.explanation);
    std::ranges::stable_sort(softmax.entries, [](const SoftmaxEntry& a, const SoftmaxEntry& b) {
        return a.score.value > b.score.value;
    });
    std::vector<Row> rows{{"weight", "exp", "score − max", "score", "of"}};
    for (const SoftmaxEntry& entry : softmax.entries) {
        const TensorId input = trace[step.tensor].inputs()[entry.score.input];
        Row row;
        for (const Scalar number : {entry.weight, entry.exp, entry.shifted, entry.score.value})
            row.push_back(format_value(number, kDigits));
        row.push_back(shown_cell_name(trace, input, entry.score.row, entry.score.column));
        row.push_back(place_text(trace, input, entry.score.row, entry.score.column));
        rows.push_back(std::move(row));
    }
    return "  the whole softmax, the largest first; the exp add up to " +
           format_value(softmax.sum, kDigits) + without_effect(trace[step.tensor], step) + ":\n" +
           table(rows, 4);
}

std::string step_text(const Trace& trace, const ArithmeticStep& step) {
    const Tensor& tensor = trace[step.tensor];
    std::string text = place_text(trace, step.tensor, step.row, step.column) + "   " +
                       plain_formula(tensor.equation()) + "\n" + kIndent +
                       shown_cell_name(trace, step.tensor, step.row, step.column) + " = " +
                       format_value(step.explanation.result(), kDigits) + "\n";
    for (const std::string& line : arithmetic_lines(trace, step, kTermsInFormula))
        text += kIndent + plain_formula(line) + "\n";
    if (step.explanation.terms.empty()) return text;
    if (is_softmax(tensor)) return text + softmax_text(trace, step);
    return text + "  terms, the largest first, of " + plain_formula(step.explanation.rule) +
           without_effect(tensor, step) + ":\n" + terms_text(trace, step);
}

}  // namespace

std::string explanation_text(const Trace& trace, const std::vector<ArithmeticStep>& steps) {
    std::string text;
    for (const ArithmeticStep& step : steps)
        text += (text.empty() ? "" : "\n") + step_text(trace, step);
    return text;
}

}  // namespace headlight
