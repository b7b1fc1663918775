// A title that begins with the symbol of a matrix: "W_Q W_K^T · head 0", the symbol as a formula.
#pragma once

#include <string>

#include "paint/words/cut_texts.h"

namespace headlight {

/// Adds the title, shortened to that width. Where it begins with `symbol` in plain letters, these
/// are lowered and raised as the notation of paint/words/formula.h says. `cut` counts it, if it is
/// given. Returns its width.
float add_symbol_title(Figure& figure, TextMark title, const std::string& symbol, float width,
                       const MeasureText& measure, CutTexts* cut = nullptr);

}  // namespace headlight
