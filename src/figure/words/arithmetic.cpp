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

constexpr int kDigits = 3;

std::string number(Scalar value, int digits = kDigits) {
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

/// Returns a term as a reader computes it, from numbers with so many digits.
double read_term(const Term& term, int digits) {
    if (!term.of_sum && !is_product(term)) return as_read(term.value, digits);
    double factor = 1, sum = 0, exact = 0;
    for (std::size_t k = 0; k < term.cells.size(); ++k) {
        const double read = as_read(term.cells[k].value, digits);
        if (!term.of_sum || k == 0) {
            factor *= read;
        } else {
            sum += read;
            exact += static_cast<double>(term.cells[k].value);
        }
    }
    if (!term.of_sum) return factor;
    const std::string_view function = term.of_sum;
    if (function == kComplement) return factor * (1 - sum);
    if (function == "tanh") return factor * std::tanh(sum);
    const double first = static_cast<double>(term.cells[0].value) * exact;
    return first == 0 ? 0 : factor * sum * static_cast<double>(term.value) / first;  // a slope
}

/// The summands of a step, and whether a reader who adds them gets its sum.
struct SumLine {
    std::string text;
    bool comes_out = true;
};

/// Writes at most so many summands. If they are all there, they have as many digits as a reader
/// needs to get `sum`, which is written with `digits` digits.
SumLine sum_line(const Explanation& explanation, std::size_t max_terms, int digits) {
    std::vector<const Term*> terms;
    for (const Term& term : explanation.terms) terms.push_back(&term);
    const bool are_long = !terms.empty() && terms.front()->of_sum;
    if (are_long) max_terms = (max_terms + 1) / 2;
    int of_terms = are_long ? kDigits - 1 : kDigits;
    const bool are_all = terms.size() <= max_terms;
    SumLine line;
    if (are_all) {
        const auto needed =
            digits_for(number(explanation.sum, digits), digits, of_terms, [&](int n_digits) {
                double sum = 0;
                for (const Term* term : terms) sum += read_term(*term, n_digits);
                return sum;
            });
        line.comes_out = needed.has_value();
        of_terms = needed.value_or(of_terms);
    } else {
        std::partial_sort(
            terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(max_terms), terms.end(),
            [](const Term* a, const Term* b) { return std::abs(a->value) > std::abs(b->value); });
        terms.resize(max_terms);
    }
    line.text = joined(terms, " + ", [&](const Term* term) { return term_text(*term, of_terms); });
    if (!are_all) line.text += " + …";
    return line;
}

/// Returns a symbol for the sum of the terms in operations whose sum is not yet the tensor; else
/// `otherwise`.
std::string sum_by_addressing(const Tensor& tensor, const std::string& otherwise) {
    if (tensor.operation() == &operations::hard_rows) return "max S";
    if (tensor.operation() == &operations::sparsemax_rows) return "Σ S";
    return tensor.operation() == &operations::entmax_rows ? "Σ S/2" : otherwise;
}

/// Writes "S = 3.2·1.4 + … " and "= 8.92"; on one line when it is short. `digits`: those of the
/// sum.
std::vector<std::string> sum_lines(const Trace& trace, const ArithmeticStep& step,
                                   std::size_t max_terms, int digits) {
    const Tensor& tensor = trace[step.tensor];
    const Explanation& explanation = step.explanation;
    const std::string name = sum_name(trace, step);
    const std::string left =
        sum_by_addressing(tensor, name.empty() ? tensor.symbol() : name) + " = ";
    const std::vector<Term>& terms = explanation.terms;
    const bool is_number =
        !terms[0].of_sum && (terms[0].cells.size() == 1 || !is_product(terms[0]));
    if (terms.size() == 1 && is_number) return {left + number(explanation.sum, digits)};
    const SumLine sum = sum_line(explanation, max_terms, digits);
    const std::string right =
        fmt::format("{} {}", sum.comes_out ? "=" : "≈", number(explanation.sum, digits));
    const bool is_short = terms.size() == 1 || (terms.size() == 2 && terms[0].cells.size() == 1);
    if (is_short) return {fmt::format("{}{} {}", left, sum.text, right)};
    return {left + sum.text, right};
}

/// Writes "1.002 / 1.235 = 0.811" with so many digits that a reader who divides gets the written
/// quotient.
std::string quotient_line(Scalar above, Scalar below, Scalar quotient) {
    const std::string result = number(quotient);
    const auto digits = digits_for(result, kDigits, kDigits, [&](int n_digits) {
        return as_read(above, n_digits) / as_read(below, n_digits);
    });
    return fmt::format("{} / {} {} {}", number(above, digits.value_or(kDigits)),
                       number(below, digits.value_or(kDigits)), digits ? "=" : "≈", result);
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

/// Reads the number that begins a text, as "√(0.5 + 1e-05)" or "(√8 · 0.7)", and takes it away.
std::optional<double> take_number(std::string_view& text);

std::optional<double> take_sum(std::string_view& text) {
    auto sum = take_number(text);
    while (sum) {
        const bool adds = text.starts_with(" + ");
        if (!adds && !text.starts_with(" · ")) break;
        text.remove_prefix(std::string_view(adds ? " + " : " · ").size());
        const auto next = take_number(text);
        if (!next) return std::nullopt;
        sum = adds ? *sum + *next : *sum * *next;
    }
    return sum;
}

std::optional<double> take_number(std::string_view& text) {
    constexpr std::string_view kRoot = "√", kMinus = "−";
    if (text.starts_with(kRoot) || text.starts_with(kMinus)) {
        const bool is_root = text.starts_with(kRoot);
        text.remove_prefix((is_root ? kRoot : kMinus).size());
        const auto of = take_number(text);
        if (!of) return std::nullopt;
        return is_root ? std::sqrt(*of) : -*of;
    }
    if (text.starts_with('(')) {
        text.remove_prefix(1);
        const auto inside = take_sum(text);
        if (!inside || !text.starts_with(')')) return std::nullopt;
        text.remove_prefix(1);
        return inside;
    }
    double read = 0;
    const auto [end, failure] = read_digits(text.data(), text.data() + text.size(), read);
    if (failure != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return read;
}

/// Applies "÷ √8", "× w = 0.5", "− the row's mean 0.12, ÷ 1.3" or "tanh" to a number, as a reader
/// does who has nothing but these words. Returns nothing for a step whose words do not suffice.
std::optional<double> read_finish(std::string_view words, double x) {
    if (words == "tanh") return std::tanh(x);
    if (words == "σ") return 1 / (1 + std::exp(-x));
    if (words == "sin") return std::sin(x);
    if (words == "cos") return std::cos(x);
    if (words == "exp(x) − 1") return std::expm1(x);
    while (!words.empty()) {
        const std::size_t blank = words.find(' ');
        if (blank == std::string_view::npos) return std::nullopt;
        const std::string_view sign = words.substr(0, blank);
        const std::string_view part = words.substr(blank, words.find(", ") - blank);
        words.remove_prefix(std::min(words.size(), blank + part.size() + 2));
        const std::size_t named = part.find("= ");
        std::size_t at =
            part.find_first_of("(0123456789", named == std::string_view::npos ? 0 : named);
        for (const std::string_view before : {"√", "−"}) at = std::min(at, part.find(before));
        if (at == std::string_view::npos) return std::nullopt;
        std::string_view rest = part.substr(at);
        const auto by = take_sum(rest);
        if (!by) return std::nullopt;
        if (sign == "÷")
            x /= *by;
        else if (sign == "×")
            x *= *by;
        else if (sign == "−")
            x -= *by;
        else if (sign == "+")
            x += *by;
        else
            return std::nullopt;
    }
    return x;
}

/// Returns the function's value at x; the operation is one of those of is_function.
double function_at(const Tensor& function, double x) {
    const Matrix input = Matrix::Constant(1, 1, static_cast<Scalar>(x));
    Matrix result(1, 1);
    const ConstView in = view(input);
    function.operation()->forward(
        {.in = {&in, 1}, .settings = function.settings(), .rows = 1, .columns = 1}, view(result));
    return static_cast<double>(result(0, 0));
}

/// A number on the way from the sum of a step to its result.
struct WrittenValue {
    Scalar value = 0;
    int digits = kDigits;
    bool comes_out = true;  // a reader gets it from the number before

    std::string text() const { return number(value, digits); }
    /// Writes "= 0.5", or "≈ 0.5" where a reader gets another number.
    std::string result() const { return (comes_out ? "= " : "≈ ") + text(); }
};

/// Returns the sum, then the value of each finish, with as many digits as a reader needs to get
/// each from the one before.
std::vector<WrittenValue> written_values(const Tensor& tensor, const Explanation& explanation) {
    std::vector<WrittenValue> values{{explanation.sum}};
    for (const Finish& finish : explanation.finish) values.push_back({finish.value});
    for (std::size_t k = explanation.finish.size(); k-- > 0;) {
        WrittenValue &before = values[k], &after = values[k + 1];
        const std::string& words = explanation.finish[k].what;
        const bool is_named = k == 0 && is_function(tensor);
        if (!is_named && !read_finish(words, 1)) continue;
        const auto digits = digits_for(after.text(), after.digits, kDigits, [&](int n_digits) {
            const double read = as_read(before.value, n_digits);
            return is_named ? function_at(tensor, read) : *read_finish(words, read);
        });
        after.comes_out = digits.has_value();
        before.digits = digits.value_or(kDigits);
    }
    return values;
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
    const std::vector<WrittenValue> values = written_values(tensor, e);
    std::vector<std::string> lines;
    std::size_t n_told = 0;  // finishes that a line above has written
    if (is_softmax(tensor)) {
        const std::string& scores = trace[tensor.inputs()[0]].symbol();
        lines = softmax_lines(scores.find(' ') == std::string::npos ? scores : "S", e);
        n_told = 2;
    } else if (is_function(tensor) && !e.finish.empty()) {
        lines = {fmt::format("{} = {}({}) {}", tensor.symbol(), tensor.operation()->name,
                             values[0].text(), values[1].result())};
        n_told = 1;
    } else if (e.terms.size() == 1 && e.terms[0].cells.size() == 1 && !e.finish.empty()) {
        lines = {fmt::format("{} = {}", sum_by_addressing(tensor, "x"), values[0].text())};
    } else if (!e.terms.empty()) {
        lines = sum_lines(trace, step, max_terms, values[0].digits);
    }
    for (std::size_t i = n_told; i < e.finish.size(); ++i) {
        const std::string text = fmt::format("{} {}", e.finish[i].what, values[i + 1].result());
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
