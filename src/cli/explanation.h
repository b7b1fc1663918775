// The steps towards one cell, written out for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "paint/words/arithmetic.h"

namespace headlight {

/// A heading for each step, its arithmetic with real numbers, then every term, the largest
/// contribution first, with the symbol, labels, path and indices of its cells.
std::string explanation_text(const Trace& trace, const std::vector<ArithmeticStep>& steps);

/// {"path", "row", "column", "row_label", "column_label", "value", "steps": […]}; numbers have the
/// fewest digits that give the same number back, "-inf" is a text. Terms are in the order of
/// computation.
std::string write_explanation_json(const Trace& trace, const std::vector<ArithmeticStep>& steps);

}  // namespace headlight
