// The arithmetic of a cell as lines of formulas with its real numbers, and the terms of one step of
// it as a table: the terms of a sum, or a row's whole softmax.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/numeric/softmax.h"
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

/// Writes the step in the notation of figure/words/formula.h, with at most `max_terms` summands.
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

/// Writes a term as made from its cells: "0.3·(−1.2)", "0.3·tanh(0.2 + 0.5)"; only its value where
/// something else was done to them.
std::string term_text(const Term& term, int digits);

enum class TermOrder { Strongest, AsComputed };
enum class TermForm { Compact, Wide };  // Wide: with the names of cells, and more columns

/// A cell of the trace that a row refers to.
struct TermCell {
    TensorId tensor = 0;
    Index row = 0, column = 0;
};

struct TermRow {
    std::vector<TermPiece> pieces;     // its text; TermPiece::cell counts `cells`
    std::vector<std::string> numbers;  // one for each header
    std::vector<TermCell> cells;       // the row leads to the first one
    Scalar share = 0;                  // of the sum of all magnitudes, with the term's sign
    bool is_current = false;           // the cell that is explained
};

class TermTable {
  public:
    /// Keeps both arguments, which must outlive the table. Rows are made one by one, so that
    /// thousands cost nothing.
    TermTable(const Trace& trace, const ArithmeticStep& step, TermOrder order);

    bool is_softmax() const { return is_softmax_; }
    std::string title() const;  // "S is the sum of 8 terms"
    /// Returns "Q·K is their sum; ÷ √8 gives S"; empty where the sum is the cell's own.
    std::string remark() const;
    /// Returns "Without effect: the cell is pinned."; empty where the terms make the cell.
    std::string why_idle() const;
    std::string total() const;  // "Σ exp = 1.9"
    std::vector<std::string> headers(TermForm form) const;
    Index size() const { return static_cast<Index>(order_.size()); }
    TermRow row(Index k, TermForm form) const;

  private:
    TermRow softmax_row(std::size_t term, TermForm form) const;
    TermRow sum_row(std::size_t term, TermForm form) const;
    std::string key_name(const CellRef& score) const;

    const Trace& trace_;
    const ArithmeticStep& step_;
    const Tensor& tensor_;
    bool is_softmax_;
    SoftmaxTable softmax_;
    Scalar magnitude_ = 0;            // of all terms together
    std::vector<std::size_t> order_;  // of the terms
};

/// False where there is nothing to add to the step's line: fewer than two terms.
bool has_table(const ArithmeticStep& step);

}  // namespace headlight
