#include "paint/words/term_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include "core/explain.h"
#include "core/plan.h"
#include "paint/number_format.h"
#include "paint/words/formula.h"

namespace headlight {
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
