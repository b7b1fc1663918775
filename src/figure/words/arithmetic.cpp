// The arithmetic of a cell as lines of formulas with its real numbers, and its terms as a table.
#include "figure/words/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>

#include "core/explain.h"
#include "core/numeric/read_digits.h"
#include "core/numeric/softmax.h"
#include "core/operations/normalizer_operations.h"
#include "core/operations/operations.h"
#include "core/operations/recurrent_operations.h"
#include "core/plan.h"
#include "figure/number_format.h"
#include "figure/words/formula.h"
#include "text/strings.h"

namespace headlight {
namespace {

constexpr std::string_view kMinus = "−";

std::string number(Scalar value, int digits = 3) {
    return format_value(value, digits);
}

/// Writes a factor or summand after an operator: negative numbers in parentheses.
std::string operand(Scalar value, int digits) {
    return value < 0 ? fmt::format("({})", number(value, digits)) : number(value, digits);
}

bool is_product(const Term& term) {
    Scalar product = 1;
    for (const CellRef& cell : term.cells) product *= cell.value;
    return product == term.value || std::isnan(term.value) ||
           std::abs(product - term.value) <= Scalar(1e-4) * std::abs(term.value);
}

/// True if the step only says from where the cell comes.
bool is_only_moved(const Tensor& tensor) {
    return tensor.operation() == &operations::stack_rows || tensor.operation() == &operations::copy;
}

/// True of a function of one number, whose name is that of the operation.
bool is_function(const Tensor& tensor) {
    for (const Operation* function :
         {&operations::relu, &operations::gelu, &operations::gelu_tanh, &operations::silu,
          &operations::sigmoid, &operations::tanh, &operations::elu, &operations::leaky_relu})
        if (tensor.operation() == function) return true;
    return false;
}

/// Returns the input that the same cell comes from, if the operation works cell by cell.
const CellRef* same_cell(const Explanation& explanation, Index row, Index column) {
    for (const Term& term : explanation.terms)
        for (const CellRef& cell : term.cells)
            if (term.cells.size() == 1 && cell.row == row && cell.column == column) return &cell;
    return nullptr;
}

struct CellOf {
    TensorId tensor = 0;
    Index row = 0, column = 0;
};

/// Returns the cell that the step's cell is made from, if that has the same place, or was moved.
std::optional<CellOf> step_before(const Trace& trace, const ArithmeticStep& step) {
    const Tensor& tensor = trace[step.tensor];
    const bool is_moved = is_only_moved(tensor) && !step.explanation.terms.empty();
    const CellRef* cell = is_moved ? &step.explanation.terms[0].cells[0]
                                   : same_cell(step.explanation, step.row, step.column);
    if (!cell || cell->input >= tensor.inputs().size()) return std::nullopt;
    const TensorId input = tensor.inputs()[cell->input];
    const Tensor& before = trace[input];
    const bool is_same_place =
        before.rows() == tensor.rows() && before.columns() == tensor.columns();
    const bool is_step_of_scores = tensor.stage() == Stage::Score && is_same_place;
    if (before.is_leaf() || !(is_moved || is_step_of_scores)) return std::nullopt;
    return CellOf{input, cell->row, cell->column};
}

std::string sum_line(const Explanation& explanation, std::size_t max_terms) {
    std::vector<const Term*> terms;
    for (const Term& term : explanation.terms) terms.push_back(&term);
    const bool are_long = !terms.empty() && terms.front()->of_sum;
    if (are_long) max_terms = (max_terms + 1) / 2;
    const int digits = are_long ? 2 : 3;
    if (terms.size() > max_terms)
        std::partial_sort(
            terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(max_terms), terms.end(),
            [](const Term* a, const Term* b) { return std::abs(a->value) > std::abs(b->value); });
    std::string line;
    for (std::size_t i = 0; i < std::min(max_terms, terms.size()); ++i) {
        if (i > 0) line += " + ";
        line += term_text(*terms[i], digits);
    }
    return terms.size() > max_terms ? line + " + …" : line;
}

/// Returns a symbol for the sum of the terms in operations whose sum is not yet the tensor; else
/// `otherwise`.
std::string sum_by_addressing(const Tensor& tensor, const std::string& otherwise) {
    if (tensor.operation() == &operations::hard_rows) return "max S";
    if (tensor.operation() == &operations::sparsemax_rows) return "Σ S";
    return tensor.operation() == &operations::entmax_rows ? "Σ S/2" : otherwise;
}

/// Writes "S = 3.2·1.4 + … " and "= 8.92"; on one line when it is short.
std::vector<std::string> sum_lines(const Trace& trace, const ArithmeticStep& step,
                                   std::size_t max_terms) {
    const Tensor& tensor = trace[step.tensor];
    const Explanation& explanation = step.explanation;
    const std::string name = sum_name(trace, step);
    const std::string sum = sum_line(explanation, max_terms);
    const std::string left =
                          sum_by_addressing(tensor, name.empty() ? tensor.symbol() : name) + " = ",
                      right = "= " + number(explanation.sum);
    const bool is_single = explanation.terms.size() == 1;
    if (is_single) return {left + sum};
    const bool is_short = explanation.terms.size() <= 2 && explanation.terms[0].cells.size() == 1;
    if (is_short) return {fmt::format("{}{} {}", left, sum, right)};
    return {left + sum, right};
}

/// Returns the number that a reader sees; NaN for ∞.
double as_read(Scalar value, int digits) {
    const std::string text = replaced_all(number(value, digits), kMinus, "-");
    double read = std::numeric_limits<double>::quiet_NaN();
    read_digits(text.data(), text.data() + text.size(), read);
    return read;
}

/// Writes "1.002 / 1.235 = 0.811" with so many digits that a reader who divides gets the written
/// quotient.
std::string quotient_line(Scalar above, Scalar below, Scalar quotient) {
    constexpr int kFewest = 3, kMost = 7;
    const std::string result = number(quotient);
    for (int digits = kFewest; digits <= kMost; ++digits) {
        const double divided = as_read(above, digits) / as_read(below, digits);
        if (number(static_cast<Scalar>(divided)) == result)
            return fmt::format("{} / {} = {}", number(above, digits), number(below, digits),
                               result);
    }
    return fmt::format("{} / {} ≈ {}", number(above), number(below), result);
}

std::vector<std::string> softmax_lines(const std::string& symbol, const Explanation& explanation) {
    if (explanation.finish.size() < 2) return {explanation.finish.front().what, "= 0"};
    const std::string power = fmt::format("exp({} − max)", symbol);
    return {fmt::format("max {} = {}", symbol, number(softmax_table(explanation).max)),
            fmt::format("{} / Σ {}", power, power),
            "= " + quotient_line(explanation.finish[0].value, explanation.sum,
                                 explanation.finish[1].value)};
}

/// Writes "·tanh("; "·(1 − " where the rest is taken from 1.
std::string opening(const char* of_sum) {
    if (of_sum == std::string_view(kComplement)) return "·(" + std::string(of_sum);
    return fmt::format("·{}(", of_sum);
}

}  // namespace

std::string sum_name(const Trace& trace, const ArithmeticStep& step) {
    const Explanation& e = step.explanation;
    const bool is_divided = !e.finish.empty() && e.finish.front().what.starts_with("÷ ");
    if (!is_divided || is_softmax(trace[step.tensor])) return "";
    const bool are_products = std::ranges::all_of(e.terms, [](const Term& term) {
        return term.cells.size() == 2 && !term.of_sum && term.cells[0].input == 0 &&
               term.cells[1].input == 1;
    });
    if (!are_products) return "Σ";
    std::string name;
    for (const TensorId input : {trace[step.tensor].inputs()[0], trace[step.tensor].inputs()[1]}) {
        const std::string& symbol = trace[input].symbol();
        const bool is_one = symbol.find(' ') == std::string::npos;
        append_part(name, "·", is_one ? symbol : fmt::format("({})", symbol));
    }
    return name;
}

bool is_softmax(const Tensor& tensor) {
    return tensor.operation() == &operations::softmax_rows ||
           tensor.operation() == &operations::edge_softmax ||
           tensor.operation() == &operations::top_k_rows;
}

namespace {

/// Returns the pieces of a term whose cells are written by `name`: "0.3", "·", "(−1.2)". Returns
/// only its value where something else was done to its cells.
std::vector<TermPiece> term_pieces(const Term& term, int digits,
                                   const std::function<std::string(const CellRef&)>& name) {
    if (!term.of_sum && !is_product(term)) return {{operand(term.value, digits), 0}};
    std::vector<TermPiece> pieces;
    for (std::size_t k = 0; k < term.cells.size(); ++k) {
        if (term.of_sum && k == 1) pieces.push_back({opening(term.of_sum)});
        const bool is_first_of_sum = term.of_sum && k == 1;
        if (k > 0 && !is_first_of_sum) pieces.push_back({term.of_sum ? " + " : "·"});
        pieces.push_back({name(term.cells[k]), k});
    }
    if (term.of_sum) pieces.push_back({")"});
    return pieces;
}

}  // namespace

std::string term_text(const Term& term, int digits) {
    std::string text;
    const auto number = [&](const CellRef& cell) { return operand(cell.value, digits); };
    for (const TermPiece& piece : term_pieces(term, digits, number)) text += piece.text;
    return text;
}

std::vector<ArithmeticStep> arithmetic_steps(const Trace& trace, TensorId id, Index row,
                                             Index column) {
    std::vector<ArithmeticStep> steps{{id, row, column, explain(trace, id, row, column)}};
    while (const auto before = step_before(trace, steps.front()))
        steps.insert(steps.begin(), {before->tensor, before->row, before->column,
                                     explain(trace, before->tensor, before->row, before->column)});
    // Steps that only move a cell on its way are left out; the last step is the cell itself.
    const auto is_silent = [&](const ArithmeticStep& step) {
        return is_only_moved(trace[step.tensor]) && step.explanation.finish.empty();
    };
    steps.erase(std::remove_if(steps.begin(), steps.end() - 1, is_silent), steps.end() - 1);
    return steps;
}

std::vector<std::string> arithmetic_lines(const Trace& trace, const ArithmeticStep& step,
                                          std::size_t max_terms) {
    const Tensor& tensor = trace[step.tensor];
    const Explanation& e = step.explanation;
    std::vector<std::string> lines;
    std::size_t n_told = 0;  // finishes that a line above has written
    if (is_softmax(tensor)) {
        const std::string& scores = trace[tensor.inputs()[0]].symbol();
        lines = softmax_lines(scores.find(' ') == std::string::npos ? scores : "S", e);
        n_told = 2;
    } else if (is_function(tensor) && !e.finish.empty()) {
        lines = {fmt::format("{} = {}({}) = {}", tensor.symbol(), tensor.operation()->name,
                             number(e.sum), number(e.finish[0].value))};
        n_told = 1;
    } else if (e.terms.size() == 1 && e.terms[0].cells.size() == 1 && !e.finish.empty()) {
        lines = {fmt::format("{} = {}", sum_by_addressing(tensor, "x"), number(e.sum))};
    } else if (!e.terms.empty()) {
        lines = sum_lines(trace, step, max_terms);
    }
    for (std::size_t i = n_told; i < e.finish.size(); ++i) {
        const std::string text =
            fmt::format("{} = {}", e.finish[i].what, number(e.finish[i].value));
        const bool joins = i == 0 && lines.size() > 1;
        joins ? void(lines.back() += "   " + text) : lines.push_back(text);
    }
    return lines;
}

namespace {

std::string term_number(Scalar value) {
    return format_value(value, 3);
}

/// Returns the magnitude by which terms are sorted, NaN first, since it makes the sum NaN.
Scalar sorted_magnitude(Scalar value) {
    return std::isnan(value) ? std::numeric_limits<Scalar>::infinity() : std::abs(value);
}

}  // namespace

bool has_table(const ArithmeticStep& step) {
    return step.explanation.terms.size() > 1;
}

TermTable::TermTable(const Trace& trace, const ArithmeticStep& step, TermOrder order)
    : trace_(trace),
      step_(step),
      tensor_(trace[step.tensor]),
      is_softmax_(headlight::is_softmax(trace[step.tensor])),
      order_(step.explanation.terms.size()) {
    const std::vector<Term>& terms = step.explanation.terms;
    if (is_softmax_) softmax_ = softmax_table(step.explanation);
    for (const Term& term : terms)
        magnitude_ += std::isfinite(term.value) ? sorted_magnitude(term.value) : 0;
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (order == TermOrder::AsComputed) return;
    std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) {
        return sorted_magnitude(terms[a].value) > sorted_magnitude(terms[b].value);
    });
}

std::string TermTable::title() const {
    const std::string count = format_count(size());
    if (is_softmax_) return fmt::format("Softmax of {} scores", count);
    const std::string sum = sum_name(trace_, step_);
    if (sum == "Σ") return fmt::format("Sum of {} terms", count);
    if (!sum.empty()) return fmt::format("{}: {} terms", plain_formula(sum), count);
    return fmt::format("{} is the sum of {} terms", plain_formula(tensor_.symbol()), count);
}

std::string TermTable::remark() const {
    const std::string sum = is_softmax_ ? "" : sum_name(trace_, step_);
    if (sum.empty()) return "";
    const std::string told = sum == "Σ" ? "" : plain_formula(sum) + " is their sum";
    std::string divisors;
    for (const Finish& finish : step_.explanation.finish) {
        if (!finish.what.starts_with("÷ ")) return told;
        divisors += finish.what + " ";
    }
    return told + (told.empty() ? "" : "; ") + divisors + "gives " +
           plain_formula(tensor_.symbol());
}

std::string TermTable::why_idle() const {
    const Intervention& intervention = tensor_.intervention;
    if (intervention.find(step_.row, step_.column)) return "Without effect: the cell is pinned.";
    return intervention.ablation == Ablation::Zero ? "Without effect: the head is ablated." : "";
}

std::string TermTable::total() const {
    if (is_softmax_) return "Σ exp = " + term_number(softmax_.sum);
    return "Σ = " + term_number(step_.explanation.sum);
}

std::vector<std::string> TermTable::headers(TermForm form) const {
    const bool is_wide = form == TermForm::Wide;
    if (is_softmax_)
        return is_wide ? std::vector<std::string>{"score", "− max", "exp", "weight"}
                       : std::vector<std::string>{"score", "exp", "weight"};
    return is_wide ? std::vector<std::string>{"factors", "term", "of Σ |term|"}
                   : std::vector<std::string>{"term"};
}

TermRow TermTable::row(Index k, TermForm form) const {
    const std::size_t term = order_[static_cast<std::size_t>(k)];
    return is_softmax_ ? softmax_row(term, form) : sum_row(term, form);
}

/// Returns the name of the key that the weight is given to.
std::string TermTable::key_name(const CellRef& score) const {
    if (tensor_.rows().kind == AxisKind::Edge && trace_.edges())
        return trace_.shown_items().at(static_cast<std::size_t>(
            trace_.edges()->neighbour[static_cast<std::size_t>(score.row)]));
    return shown_label(trace_, columns_of_row(trace_, tensor_, score.row), score.column);
}

TermRow TermTable::softmax_row(std::size_t term, TermForm form) const {
    const SoftmaxEntry& entry = softmax_.entries[term];
    const CellRef& score = entry.score;
    TermRow row;
    row.pieces = {{key_name(score), 0}};
    row.cells = {{step_.tensor, score.row, score.column},
                 {tensor_.inputs()[score.input], score.row, score.column}};
    row.numbers = {term_number(score.value)};
    if (form == TermForm::Wide) row.numbers.push_back(term_number(entry.shifted));
    row.numbers.push_back(term_number(entry.exp));
    row.numbers.push_back(term_number(entry.weight));
    row.share = entry.weight;
    row.is_current = score.row == step_.row && score.column == step_.column;
    return row;
}

TermRow TermTable::sum_row(std::size_t at, TermForm form) const {
    const Term& term = step_.explanation.terms[at];
    const auto compute_value = [](const CellRef& cell) {
        return cell.value < 0 ? fmt::format("({})", term_number(cell.value))
                              : term_number(cell.value);
    };
    const auto piece_name = [&](const CellRef& cell) {
        return shown_cell_name(trace_, tensor_.inputs()[cell.input], cell.row, cell.column);
    };
    TermRow row;
    for (const CellRef& cell : term.cells)
        row.cells.push_back({tensor_.inputs()[cell.input], cell.row, cell.column});
    row.share = magnitude_ > 0 && std::isfinite(term.value) ? term.value / magnitude_ : 0;
    if (form == TermForm::Compact) {
        row.pieces = term_pieces(term, 2, compute_value);
        row.numbers = {term_number(term.value)};
        return row;
    }
    for (std::size_t k = 0; k < term.cells.size(); ++k) {
        if (k > 0) row.pieces.push_back({"  "});
        row.pieces.push_back({piece_name(term.cells[k]), k});
    }
    const auto percent = static_cast<int>(std::lround(100 * row.share));
    row.numbers = {term_text(term, 3), term_number(term.value),
                   fmt::format("{}{} %", percent < 0 ? "−" : "", std::abs(percent))};
    return row;
}

}  // namespace headlight
