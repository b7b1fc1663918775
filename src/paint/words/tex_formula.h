// Formulas as people type them in TeX, in the notation of formula.h.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

/// Converts TeX: \alpha, \in, \sqrt{d_k}, \frac{a}{b}, \text{it} and other usual commands become
/// the characters that they stand for: α, ∈, √d_k, a/b, it. Braces stay where they raise or lower,
/// and are left out where they only group. Throws Error: a command that is not known, a brace
/// without the other one.
std::string formula_from_tex(std::string_view tex);

}  // namespace headlight
