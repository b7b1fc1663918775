// The arithmetic of a cell as lines of formulas with its real numbers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"

namespace headlight {

/// One tensor's step towards the cell.
struct ArithmeticStep {
    TensorId tensor = 0;
    Index row = 0, column = 0;
    Explanation explanation;
};

/// The cell's own step, preceded by the steps of the same cell before it (a pattern: the dot
/// product, the mask, the softmax). In the order of computation.
std::vector<ArithmeticStep> arithmetic_steps(const Trace& trace, TensorId id, Index row,
                                             Index column);

/// The step in the notation of paint/words/formula.h, at most `max_terms` summands written out.
std::vector<std::string> arithmetic_lines(const Trace& trace, const ArithmeticStep& step,
                                          std::size_t max_terms);

/// True where a row of scores becomes weights by their powers of e.
bool is_softmax(const Tensor& tensor);

/// What the step's terms add up to, where that is still divided: "Q·K", or "Σ" if it has no name;
/// empty where the sum is the tensor itself.
std::string sum_name(const Trace& trace, const ArithmeticStep& step);

/// A part of the text of a term, and which of its cells it stands for.
struct TermPiece {
    std::string text;
    std::optional<std::size_t> cell = {};
};

/// The pieces of a term whose cells are written by `name`: "0.3", "·", "(−1.2)". Its value alone
/// where something else was done to its cells.
std::vector<TermPiece> term_pieces(const Term& term, int digits,
                                   const std::function<std::string(const CellRef&)>& name);

/// How a term comes from its cells: "0.3·(−1.2)", "0.3·tanh(0.2 + 0.5)"; its value alone where
/// something else was done to them.
std::string term_text(const Term& term, int digits);

}  // namespace headlight
