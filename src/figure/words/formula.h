// Formulas as marks: one line, with subscripts and superscripts; and their notation, made from what
// people type in TeX.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"
#include "figure/labels.h"

namespace headlight {

/// Notation: x_i and x_{ij} lower, x^2 and x^{T} raise, \_ \^ \{ \} \\ are the characters.
/// A script without braces is one character. Scripts nest; a subscript and a superscript of the
/// same symbol stand above each other. Unclosed braces end with the text.
struct FormulaStyle {
    float size = 12;
    Color color;
    Font font = Font::Math;
};

/// Adds the formula with its first character at `baseline`. Returns its width.
float add_formula(Figure& figure, Point baseline, const std::string& formula,
                  const FormulaStyle& style, const MeasureText& measure);

/// Returns the formula as it is, or cut at a blank before "…" so that it is not wider.
std::string shortened_formula(const std::string& formula, float max_width,
                              const FormulaStyle& style, const MeasureText& measure);

/// Returns the formula on lines that are broken at blanks, each no wider than that, except for a
/// part without a blank.
std::vector<std::string> wrapped_formula(const std::string& formula, float width,
                                         const FormulaStyle& style, const MeasureText& measure);

float formula_width(const std::string& formula, const FormulaStyle& style,
                    const MeasureText& measure);

/// Returns the notation of figure/words/formula.h without its braces: a_{src} → a_src, 10000^{f/d}
/// → 10000^(f/d).
std::string plain_formula(const std::string& formula);

/// Adds the title, shortened to that width. Where it begins with `symbol` in plain letters, these
/// are lowered and raised as the notation of figure/words/formula.h says. `cut` counts it, if it is
/// given. Returns its width.
float add_symbol_title(Figure& figure, TextMark title, const std::string& symbol, float width,
                       const MeasureText& measure, CutTexts* cut = nullptr);

/// Converts TeX: \alpha, \in, \sqrt{d_k}, \frac{a}{b}, \text{it} and other usual commands become
/// the characters that they stand for: α, ∈, √d_k, a/b, it. Braces stay where they raise or lower,
/// and are left out where they only group. Throws Error: a command that is not known, a brace
/// without the other one.
std::string formula_from_tex(std::string_view tex);

}  // namespace headlight
