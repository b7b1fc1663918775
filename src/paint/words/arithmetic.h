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

/// Returns the cell's own step, preceded by the steps of the same cell before it (a pattern: the
/// dot product, the mask, the softmax), in the order of computation.
std::vector<ArithmeticStep> arithmetic_steps(const Trace& trace, TensorId id, Index row,
                                             Index column);

/// Writes the step in the notation of paint/words/formula.h, with at most `max_terms` summands.
std::vector<std::string> arithmetic_lines(const Trace& trace, const ArithmeticStep& step,
                                          std::size_t max_terms);

/// True where a row of scores becomes weights by their powers of e.
bool is_softmax(const Tensor& tensor);

/// Returns the name of the sum of the step's terms, where it is still divided: "Q·K", or "Σ" if it
/// has no name; empty where the sum is the tensor itself.
std::string sum_name(const Trace& trace, const ArithmeticStep& step);

/// A part of the text of a term, and the cell that it stands for.
struct TermPiece {
    std::string text;
    std::optional<std::size_t> cell = {};
};

/// Returns the pieces of a term whose cells are written by `name`: "0.3", "·", "(−1.2)". Returns
/// only its value where something else was done to its cells.
std::vector<TermPiece> term_pieces(const Term& term, int digits,
                                   const std::function<std::string(const CellRef&)>& name);

/// Writes a term as made from its cells: "0.3·(−1.2)", "0.3·tanh(0.2 + 0.5)"; only its value where
/// something else was done to them.
std::string term_text(const Term& term, int digits);

}  // namespace headlight
